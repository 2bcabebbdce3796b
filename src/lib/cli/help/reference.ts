import type { Command, Config } from '@oclif/core'
import { OUTPUT_FORMATS } from '../../config/profile.ts'
import { type ErrorKind, EXIT_CODES } from '../../errors.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import { databaseFlags, globalFlags, isGlobalFlag, RETURN_FORMS } from '../global-flags.ts'
import meanings from './exit-meanings.json'
import topics from './topics.json'

const flagSchema = lazySchema((z, { text }) =>
  z.object({
    name: text,
    char: text.optional(),
    value: text.optional().describe('What it takes; absent for a switch'),
    summary: text,
    required: z.boolean(),
    repeatable: z.boolean(),
    negatable: z.boolean().describe('--no-NAME says the opposite'),
    default: text.optional(),
    dependsOn: z.array(text).optional(),
    exclusive: z.array(text).optional(),
  }),
)

const commandSchema = lazySchema(async (z, { text }) =>
  z.object({
    command: text,
    summary: text,
    description: text.optional(),
    usage: text,
    args: z.array(
      z.object({ name: text, description: text, required: z.boolean(), repeatable: z.boolean() }),
    ),
    flags: z.array(await flagSchema()).describe('Its own, besides the global ones'),
    examples: z.array(text),
    formats: z.array(text).describe('Values of --output'),
    exitCodes: z.array(z.int()),
  }),
)

export const commandsSchema = lazySchema(async (z, { text }) =>
  z.object({
    commands: z.array(await commandSchema()),
    version: text,
    globalFlags: z.array(await flagSchema()),
    exitCodes: z.array(z.object({ code: z.int(), kind: text.nullable(), when: text })),
  }),
)

export type FlagRow = RecordOf<typeof flagSchema>
export type CommandRow = RecordOf<typeof commandSchema>

export const commandsView: View<CommandRow> = {
  columns: ['command', { name: 'summary', flexible: true }],
  extra: ['usage', 'exit-codes'],
  schema: commandSchema,
  empty: 'No commands',
}

const EXIT_MEANINGS = [
  { code: 0, kind: null, when: 'success; an empty result is a success', next: '' },
  ...Object.entries(EXIT_CODES).map(([kind, code]) => ({ code, kind, ...meanings[kind as ErrorKind] })),
]

type ManifestConfig = Pick<Config, 'commands' | 'version'>

export function commandReference({ commands, version }: ManifestConfig) {
  const [any] = commands
  const globals = Object.values(any?.flags ?? {}).filter(isGlobalFlag)
  return {
    commands: [...commands].sort((one, other) => (one.id < other.id ? -1 : 1)).map(commandRow),
    version,
    globalFlags: globals.map(flagRow),
    exitCodes: EXIT_MEANINGS.map(({ next: _, ...row }) => row),
  }
}

export function shownArg({ name, required, multiple }: Command.Arg.Any): string {
  const shown = `${name.toUpperCase()}${multiple ? '…' : ''}`
  return required ? shown : `[${shown}]`
}

export function usageOf({ id, args, flags }: Pick<Command.Loadable, 'id' | 'args' | 'flags'>): string {
  const required = Object.entries(flags)
    .filter(([, flag]) => flag.required)
    .map(([name, flag]) => `--${name}${flag.type === 'option' ? ` ${flag.helpValue}` : ''}`)
  return [id, ...Object.values(args).map(shownArg), ...required, '[FLAGS]'].join(' ')
}

type ManifestCommand = Command.Loadable & { extraFormats?: readonly string[]; exits?: readonly ErrorKind[] }

function commandRow(command: ManifestCommand): CommandRow {
  const { id, summary = '', description, args, flags, examples = [], extraFormats = [] } = command
  const words = id.replaceAll(':', ' ')
  const fill = (text: string) =>
    text.replaceAll('<%= config.bin %>', 'rma').replaceAll('<%= command.id %>', words)
  return {
    command: words,
    summary,
    description,
    usage: `rma ${usageOf({ id: words, args, flags })}`,
    args: Object.values(args).map(({ name, description: what = '', required = false, multiple = false }) => ({
      name,
      description: what,
      required,
      repeatable: multiple,
    })),
    flags: Object.values(flags)
      .filter((flag) => !isGlobalFlag(flag))
      .map(flagRow),
    examples: examples.map((example) => fill(typeof example === 'string' ? example : example.command)),
    formats: [...OUTPUT_FORMATS, ...extraFormats],
    exitCodes: exitCodesOf(command),
  }
}

function flagRow(flag: Command.Flag.Any): FlagRow {
  const isOption = flag.type === 'option'
  return {
    name: flag.name,
    char: flag.char,
    value: isOption ? String(flag.helpValue ?? 'VALUE') : undefined,
    summary: flag.summary ?? '',
    required: flag.required ?? false,
    repeatable: isOption && (flag.multiple ?? false),
    negatable: !isOption && (flag.allowNo ?? false),
    default: isOption && typeof flag.default === 'string' ? flag.default : undefined,
    dependsOn: flag.dependsOn,
    exclusive: flag.exclusive?.map(String),
  }
}

const OF_EVERY_RUN: readonly ErrorKind[] = ['bug', 'usage', 'config', 'unavailable', 'interrupted']

/** Commands with `--dry-run` write, so they may end with `unknown`. */
export function exitCodesOf(command: { flags?: object; exits?: readonly ErrorKind[] }): number[] {
  const { exits = [], flags = {} } = command
  const kinds = [...OF_EVERY_RUN, ...exits, ...('dry-run' in flags ? (['unknown'] as const) : [])]
  return [0, ...new Set(kinds.map((kind) => EXIT_CODES[kind]))].sort((one, other) => one - other)
}

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
  return EXIT_MEANINGS.map(({ code, kind, when, next }) => [
    kind === null ? `${code}` : `${code} ${kind}`,
    next === '' ? when : `${when}: ${next}`,
  ])
}

const NAMED_ROWS: Readonly<Record<string, [string, string][]>> = {
  globalFlags: flagRows('GLOBAL'),
  connectionFlags: flagRows('CONNECTION'),
  variables: variableRows(),
  exitCodes: exitRows(),
}

/** Block of topics.json. `rows` may be a key of `NAMED_ROWS`. */
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
