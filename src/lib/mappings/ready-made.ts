import { ownValue } from '../wire/raw.ts'
import carriers from './carriers.json'
import { applyMapping, MAPPING_VERSION, type Mapping } from './mapping.ts'

interface ReadyMade {
  carrier?: string
  /** Sources of columns and dates, and the parts without a source. */
  source: string
  columns?: Record<string, string>
  date?: Mapping['date']
  /** Words of the status column by the public source that explains them. A word of two meanings is left out. */
  words: readonly { source: string; statuses: Readonly<Record<string, readonly string[]>> }[]
}

const READY_MADE = carriers as unknown as Readonly<Record<string, ReadyMade>>

export const READY_MADE_NAMES: readonly string[] = Object.keys(READY_MADE)

export function readyMade(name: string): Mapping | undefined {
  const found = ownValue(READY_MADE, name)
  if (found === undefined) return undefined
  const { source, columns = {}, date, carrier, words } = found
  const statuses = words.flatMap(({ statuses: lists }) =>
    Object.entries(lists).flatMap(([status, list]) => list.map((word): [string, string] => [word, status])),
  )
  return {
    version: MAPPING_VERSION,
    source: [source, ...words.map((one) => `Words: ${one.source}.`)].join(' '),
    columns,
    statuses: Object.fromEntries(statuses),
    ...(date && { date }),
    constants: carrier === undefined ? {} : { carrierName: carrier },
    leaveOut: [],
    looseNames: false,
    commonWords: true,
    detect: true,
  }
}

/** Returns the public source of a word; undefined for words that carriers have in common. */
export function wordSource(name: string, word: string): string | undefined {
  const { words = [] } = ownValue(READY_MADE, name) ?? {}
  return words.find(({ statuses }) => {
    const own = Object.fromEntries(Object.values(statuses).flatMap((list) => list.map((one) => [one, ''])))
    return applyMapping({ statuses: own }).status(word) === ''
  })?.source
}
