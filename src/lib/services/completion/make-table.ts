import { API_REVISIONS, ENVIRONMENTS, OUTPUT_FORMATS } from '../../config/profile.ts'
import { STATS_DIMENSIONS } from '../../insight/stats.ts'
import { columnNames, type View } from '../../output/columns.ts'
import { FAULT_KINDS } from '../../sandbox/faults/fault.ts'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import type { CompletedFlag, CompletionTable, Takes } from './answer.ts'

/** Entry of oclif's manifest. */
export interface ManifestCommand {
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

/** Values by `--flag` or `ARG`; the pattern limits a row to some commands. */
const TAKES: readonly [names: string, takes: Takes, ids?: RegExp][] = [
  ['--profile', { live: 'profiles' }],
  ['--shop --shops', { live: 'shops' }],
  ['--time-zone', { live: 'zones' }],
  ['--api-revision', { words: API_REVISIONS }],
  ['--environment', { words: ENVIRONMENTS }],
  ['--default-output', { words: OUTPUT_FORMATS }],
  ['--ca-file', { files: ['pem', 'crt', 'cer'] }],
  ['--trace', { files: ['har'] }],
  ['--status', { words: TRANSPORTATION_STATUSES }, /^tracking:/],
  ['--status', { words: RETURN_STATUSES }, /^returns:/],
  ['--by', { words: STATS_DIMENSIONS, isList: true }],
  ['--type', { words: PUDO_LOCATION_TYPES }],
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

/** Values by the placeholder in the help. */
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
  const columns = new Map<string, string[]>()
  for (const { id } of commands) {
    const view = viewOf(id)
    if (view) columns.set(id, await columnNames(view))
  }
  const globals = globalsOf(commands, columns)
  const completed = commands
    .filter(({ hidden }) => !hidden)
    .map((command) => [
      command.id,
      {
        about: command.summary ?? '',
        flags: withoutGlobals(flagsOf(command, columns), globals),
        args: Object.entries(command.args).map(([name, { multiple = false, options }]) => ({
          takes: options ? { words: options } : takesOf(name, command.id),
          isRepeatable: multiple,
        })),
      },
    ])
  return {
    commands: Object.fromEntries(completed),
    globals,
    topics: Object.fromEntries(Object.entries(topics).map(([name, { description }]) => [name, description])),
  }
}

/** Names that `--columns` takes, by the id of the command. */
type ColumnNames = ReadonlyMap<string, readonly string[]>

type CompletedFlags = Readonly<Record<string, CompletedFlag>>

/** Global flags that the commands do not define anew. */
function globalsOf(
  commands: readonly ManifestCommand[],
  columns: ColumnNames,
): Record<string, CompletedFlag> {
  const all = commands.flatMap(({ flags }) => Object.entries(flags))
  const shared = all.filter(
    ([name, { helpGroup }]) => helpGroup !== undefined && commands.every(({ flags }) => name in flags),
  )
  return Object.fromEntries(flagsOf({ id: '', flags: Object.fromEntries(shared), args: {} }, columns))
}

function withoutGlobals(flags: readonly [string, CompletedFlag][], globals: CompletedFlags) {
  const isSame = (name: string, flag: CompletedFlag) =>
    JSON.stringify(flag) === JSON.stringify(Object.hasOwn(globals, name) ? globals[name] : undefined)
  return Object.fromEntries(flags.filter(([name, flag]) => !isSame(name, flag)))
}

function flagsOf(command: ManifestCommand, columns: ColumnNames): [string, CompletedFlag][] {
  const shown = Object.entries(command.flags).filter(([, { hidden }]) => !hidden)
  return shown.flatMap(([name, flag]) => {
    const { char, summary = '', multiple = false, allowNo = false } = flag
    const completed: CompletedFlag = {
      char,
      about: summary,
      takes: flag.type === 'option' ? valuesOf(name, flag, command, columns.get(command.id)) : undefined,
      isRepeatable: multiple,
    }
    const opposite: CompletedFlag = { ...completed, char: undefined, about: `Not: ${summary}` }
    return allowNo
      ? [
          [name, completed],
          [`no-${name}`, opposite],
        ]
      : [[name, completed]]
  })
}

function valuesOf(
  name: string,
  { options, helpValue = '' }: ManifestFlag,
  command: ManifestCommand,
  columns: readonly string[] = [],
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
