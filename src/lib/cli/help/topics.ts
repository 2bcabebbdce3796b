import { type ErrorKind, EXIT_CODES } from '../../errors.ts'
import { databaseFlags, globalFlags, RETURN_FORMS } from '../global-flags.ts'
import meanings from './exit-meanings.json'
import topics from './topics.json'

export type HelpBlock = string | { heading: string } | { rows: [string, string][] } | { lines: string[] }

export interface HelpTopic {
  summary: string
  blocks: readonly HelpBlock[]
}

type DescribedFlag = { char?: string; summary?: string; helpValue?: unknown }

/** `[env: RMA_TOKEN, the token itself]` */
const VARIABLE = / ?\[env: (?<name>\w+)(?:, (?<itself>[^\]]*))?\]/

function flagRows(group: string): [string, string][] {
  return Object.entries<DescribedFlag & { helpGroup?: string }>(globalFlags)
    .filter(([, { helpGroup }]) => helpGroup === group)
    .map(([name, { char, helpValue, summary = '' }]) => {
      const value = typeof helpValue === 'string' ? ` ${helpValue}` : ''
      return [`${char === undefined ? '    ' : `-${char}, `}--${name}${value}`, summary]
    })
}

function variableRows() {
  return Object.entries<DescribedFlag>({ ...globalFlags, ...databaseFlags }).flatMap(
    ([flag, { summary = '' }]): [string, string][] => {
      const { name, itself } = VARIABLE.exec(summary)?.groups ?? {}
      if (name === undefined) return []
      const what =
        itself === undefined ? summary.replace(VARIABLE, '') : `${itself}, not the file that holds it`
      return [[name, `${what} (--${flag})`]]
    },
  )
}

function exitRows(): [string, string][] {
  return Object.entries(EXIT_CODES).map(([kind, code]) => {
    const { when, next } = meanings[kind as ErrorKind]
    return [`${code} ${kind}`, next === '' ? when : `${when}: ${next}`]
  })
}

const NAMED_ROWS: Readonly<Record<string, [string, string][]>> = {
  globalFlags: flagRows('GLOBAL'),
  connectionFlags: flagRows('CONNECTION'),
  variables: variableRows(),
  exitCodes: [['0', 'success; an empty result is a success'], ...exitRows()],
}

/** Block of topics.json. `rows` are written out, or named. */
type WrittenBlock =
  | string
  | { heading: string }
  | { lines: string[] }
  | { rows: string | Readonly<Record<string, string>> }

function asBlock(block: WrittenBlock): HelpBlock {
  if (typeof block === 'string' || !('rows' in block)) return block
  const { rows } = block
  if (typeof rows === 'string') return { rows: NAMED_ROWS[rows] ?? [] }
  return {
    rows: Object.entries(rows).map(([name, what]) => [name, what.replace('{returnForms}', RETURN_FORMS)]),
  }
}

const WRITTEN = topics as Readonly<Record<string, { summary: string; blocks: readonly WrittenBlock[] }>>

export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = Object.fromEntries(
  Object.entries(WRITTEN).map(([name, { summary, blocks }]) => [
    name,
    { summary, blocks: blocks.map(asBlock) },
  ]),
)
