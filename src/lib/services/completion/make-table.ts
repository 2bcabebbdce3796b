import { API_REVISIONS, ENVIRONMENTS, OUTPUT_FORMATS } from '../../config/profile.ts'
import { STATS_DIMENSIONS } from '../../insight/stats.ts'
import { columnNames } from '../../output/columns.ts'
import type { View } from '../../output/view.ts'
import { FAULT_KINDS } from '../../sandbox/faults/fault.ts'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { type WordsKind, wordsOf } from '../../wire/words.ts'
import type { CompletedFlag, CompletionTable, Takes } from './answer.ts'
import values from './values.json'

interface ManifestCommand {
  id: string
  summary?: string
  hidden?: boolean
  flags: Record<string, ManifestFlag>
  args: Record<string, { multiple?: boolean; options?: string[] }>
  extraFormats?: string[]
}

interface ManifestFlag {
  type: 'option' | 'boolean'
  char?: string
  summary?: string
  hidden?: boolean
  helpGroup?: string
  helpValue?: string
  multiple?: boolean
  allowNo?: boolean
  options?: string[]
}

function codes(kind: WordsKind, words: readonly string[]): Takes {
  return { words, meanings: words.map((word) => wordsOf(kind, word)) }
}

/** Values defined in code, by their names in values.json. */
const KNOWN: Readonly<Record<string, Takes>> = {
  apiRevisions: { words: API_REVISIONS },
  environments: { words: ENVIRONMENTS },
  outputFormats: { words: OUTPUT_FORMATS },
  statsDimensions: { words: STATS_DIMENSIONS, isList: true },
  faultKinds: { words: FAULT_KINDS },
  transportStatus: codes('transportStatus', TRANSPORTATION_STATUSES),
  returnStatus: codes('returnStatus', RETURN_STATUSES),
  locationType: codes('locationType', PUDO_LOCATION_TYPES),
}

/** Rows of values.json. `names` are flags, arguments or help values. `commands` is a pattern of command ids. */
const TAKES = values as readonly { names: string[]; takes: string | Takes; commands?: string }[]

export async function completionTable(
  commands: readonly ManifestCommand[],
  topics: Readonly<Record<string, { description: string }>>,
  viewOf: (id: string) => View<never> | undefined,
): Promise<CompletionTable> {
  const table: CompletionTable = { commands: {}, globals: {}, topics: {} }
  for (const command of commands.filter(({ hidden }) => !hidden)) {
    const view = viewOf(command.id)
    const columns = view ? await columnNames(view) : []
    const flags = Object.entries(command.flags).filter(([, { hidden }]) => !hidden)
    const completed = (isWanted: ([name, flag]: [string, ManifestFlag]) => boolean) =>
      Object.fromEntries(flags.filter(isWanted).flatMap((flag) => completedFlags(flag, command, columns)))
    table.globals = { ...completed(([, { helpGroup }]) => helpGroup !== undefined), ...table.globals }
    table.commands[command.id] = {
      about: command.summary ?? '',
      flags: completed(
        ([name, { helpGroup }]) => helpGroup === undefined || name === 'columns' || name === 'output',
      ),
      args: Object.entries(command.args).map(([name, { multiple = false, options }]) => ({
        takes: options ? { words: options } : takesOf(name, command.id),
        isRepeatable: multiple,
      })),
    }
  }
  for (const [name, { description }] of Object.entries(topics)) table.topics[name] = description
  return table
}

function completedFlags(
  [name, flag]: [string, ManifestFlag],
  command: ManifestCommand,
  columns: readonly string[],
): [string, CompletedFlag][] {
  const { char, summary: about = '', multiple: isRepeatable = false, allowNo = false, type } = flag
  const takes = type === 'option' ? valuesOf(name, flag, command, columns) : undefined
  const completed: [string, CompletedFlag] = [name, { char, about, takes, isRepeatable }]
  return allowNo ? [completed, [`no-${name}`, { about: `Not: ${about}`, isRepeatable }]] : [completed]
}

function valuesOf(
  name: string,
  { options, helpValue = '' }: ManifestFlag,
  command: ManifestCommand,
  columns: readonly string[],
): Takes {
  if (options) return { words: options }
  if (name === 'columns') return { words: columns, isList: true }
  if (name === 'output') return { words: [...OUTPUT_FORMATS, ...(command.extraFormats ?? [])] }
  const takes = takesOf(`--${name}`, command.id)
  return takes === NOTHING ? takesOf(helpValue, command.id) : takes
}

const NOTHING: Takes = {}

function takesOf(name: string, id: string) {
  const row = TAKES.find(({ names, commands = '' }) => names.includes(name) && new RegExp(commands).test(id))
  return (typeof row?.takes === 'string' ? KNOWN[row.takes] : row?.takes) ?? NOTHING
}
