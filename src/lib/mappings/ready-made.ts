import carriers from './carriers.json'
import { MAPPING_VERSION, type Mapping } from './mapping.ts'

interface ReadyMade {
  carrier?: string
  /** Where columns and dates are documented, and what is not. */
  source: string
  columns?: Record<string, string>
  date?: Mapping['date']
  /** Words of the status column by the public source that explains them. A word of two meanings is left out. */
  words: readonly { source: string; statuses: Readonly<Record<string, readonly string[]>> }[]
}

const READY_MADE = carriers as unknown as Readonly<Record<string, ReadyMade>>

export const READY_MADE_NAMES: readonly string[] = Object.keys(READY_MADE)

export function readyMade(name: string): Mapping | undefined {
  const found = Object.hasOwn(READY_MADE, name) ? READY_MADE[name] : undefined
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

/** Public sources of a ready-made mapping's words; empty for a mapping of one's own. */
export function wordSources(name: string): ReadyMade['words'] {
  return Object.hasOwn(READY_MADE, name) ? (READY_MADE[name]?.words ?? []) : []
}
