import { API_REVISIONS, ENVIRONMENTS, OUTPUT_FORMATS } from '../../config/profile.ts'
import { STATS_DIMENSIONS } from '../../insight/stats.ts'
import { columnNames, type View } from '../../output/columns.ts'
import { FAULT_KINDS } from '../../sandbox/faults/fault.ts'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { type WordsKind, wordsOf } from '../../wire/words.ts'
import type { CompletedFlag, CompletionTable, Takes } from './answer.ts'

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

const ROWS = ['csv', 'tsv', 'txt', 'xlsx', 'json', 'ndjson', 'jsonl']
const RETURNS: Takes = { live: 'returns' }

/** Codes, and the words that tables show for them. */
function codes(kind: WordsKind, words: readonly string[]): Takes {
  return { words, meanings: words.map((word) => wordsOf(kind, word)) }
}

/** Values by `--flag` or `ARG`, for some commands. */
const TAKES: readonly [names: string, takes: Takes, ids?: RegExp][] = [
  ['--profile', { live: 'profiles' }],
  ['--shop --shops', { live: 'shops' }],
  ['--time-zone', { live: 'zones' }],
  ['--api-revision', { words: API_REVISIONS }],
  ['--environment', { words: ENVIRONMENTS }],
  ['--default-output', { words: OUTPUT_FORMATS }],
  ['--ca-file', { files: ['pem', 'crt', 'cer'] }],
  ['--trace', { files: ['har'] }],
  ['--status', codes('transportStatus', TRANSPORTATION_STATUSES), /^tracking:/],
  ['--status', codes('returnStatus', RETURN_STATUSES), /^(?:returns|search|labels)/],
  ['--by', { words: STATS_DIMENSIONS, isList: true }],
  ['--type', codes('locationType', PUDO_LOCATION_TYPES)],
  ['--kind', { words: FAULT_KINDS }],
  ['--with', { words: ['transports', 'refunds', 'none'], isList: true }, /^mirror:/],
  ['--carrier-service', { live: 'carrier-services' }],
  ['--mapping', { live: 'mappings' }],
  ['--printer', { live: 'printers' }],
  ['--for --name', RETURNS, /^(?:labels:create|methods|returns)/],
  ['--label-format', { words: ['PDF', 'ZPL'] }],
  ['--html', { files: ['html'] }],
  ['--map', { files: ['html'] }, /^pudos:/],
  ['--junit', { files: ['xml'] }],
  ['--input --from --faults --undo', { files: ['json', 'ndjson'] }],
  ['--file', { files: ['json'] }, /^sandbox:/],
  ['--file', { files: ROWS }],
  ['--plan', { files: ['ndjson', 'json', 'plan'] }],
  ['--goods', { files: ROWS }],
  ['--out', { files: ['csv', 'ndjson', 'xlsx', 'parquet'] }, /^returns:export/],
  ['--out', { files: ['pdf'] }, /^labels:print/],
  ['return shipment label id', RETURNS],
  ['job', { live: 'jobs' }],
  ['report', { live: 'jobs', files: ['json'] }],
  ['name', { live: 'profiles' }, /^profiles:(?!add)/],
  ['name', { live: 'mappings' }, /^mappings:/],
  ['name', { live: 'printers' }, /^printers:(?!add)/],
  ['name', { live: 'aliases' }, /^alias:remove/],
  ['expansion', { live: 'commands' }],
  ['file', { files: ['json'] }, /^sandbox:/],
  ['file', { files: ROWS }],
  ['dir', { folders: true }],
  ['method', { words: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] }, /^api/],
]

const BY_HELP_VALUE: Readonly<Record<string, Takes>> = {
  FILE: { files: [] },
  PATH: { files: [] },
  PLAN: { files: [] },
  DIR: { folders: true },
}

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
    const ofCommand = (name: string) => name === 'columns' || name === 'output'
    table.globals = { ...completed(([, { helpGroup }]) => helpGroup !== undefined), ...table.globals }
    table.commands[command.id] = {
      about: command.summary ?? '',
      flags: completed(([name, { helpGroup }]) => helpGroup === undefined || ofCommand(name)),
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
  return takes === NOTHING ? (BY_HELP_VALUE[helpValue] ?? NOTHING) : takes
}

const NOTHING: Takes = {}

function takesOf(name: string, id: string): Takes {
  const row = TAKES.find(([names, , ids]) => names.split(' ').includes(name) && (ids?.test(id) ?? true))
  return row?.[1] ?? NOTHING
}
