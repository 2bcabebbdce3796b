import { Errors } from '@oclif/core'
import {
  AppError,
  appError,
  causedBy,
  messageOf,
  nearest,
  nearHints,
  nearness,
  quotedWord,
  rewordError,
  usageError,
} from '../errors.ts'
import { ownValue } from '../wire/raw.ts'
import { HASH_HINT } from '../wire/return-names.ts'
import type { Io } from './process-io.ts'
import { meant, notOffered } from './tried-verbs.json'

export function toAppError(error: unknown) {
  if (error instanceof AppError) return error
  if (error instanceof Errors.CLIError) return lineError(error)
  return causedBy(
    error,
    'bug',
    `This is a fault of rma's own: ${messageOf(error)}`,
    'run it again with --verbose and report what it prints, with the command that you ran',
  )
}

/** Error of a process whose event loop is empty before the command has ended. */
export function neverEnded() {
  return appError(
    'bug',
    "This is a fault of rma's own: the command waited for what never came.",
    'what it was to write may have been written or not: look before you run it again',
    'run it with --verbose and report what it prints, with the command that you ran',
  )
}

function lineError(error: Errors.CLIError) {
  if (isMissingArgs(error)) return missingArgs(error)
  const text = error.message.replace(/\n?See more help with --help\s*$/, '').trim()
  const [first = text, ...rest] = text
    .replace(/^(Parsing \S+)\s+/, '$1 ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const grouped = /^The following errors? occurred:$/.test(first)
  const [message = first, ...details] = grouped ? rest : [first, ...rest]
  return new AppError('usage', inOurWords(message), {
    details: details.map((line) => ({ message: inOurWords(line) })),
    hints: [
      ...meantFlags(error),
      ...(/^Flag --for expects a value/.test(message) ? [HASH_HINT] : []),
      ...dashedValue(message),
      HELP_HINT,
    ],
  })
}

const HELP_HINT = 'add --help to the command to see its flags and arguments'

const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/^Parsing (--\S+)\s+Expected an integer(.*) but received: (.*)$/, '$1: "$3" is not a whole number$2.'],
  [/(is not a whole number) greater than or equal to (\d+)\.$/, '$1 from $2 on.'],
  [/(is not a whole number) less than or equal to (\d+)\.$/, '$1 up to $2.'],
  [/^Nonexistent flag/, 'Unknown flag'],
  [/^Missing required flag (\S+)$/, '--$1 is missing'],
  [/^Flag (--\S+) expects a value$/, '$1 needs a value'],
  [/^All of the following must be provided when using (--\S+): (.+)$/, '$1 goes with $2 only'],
  [/^(--[^=\s]+)(?:=.*)? cannot also be provided when using (--\S+)$/, '$1 and $2 do not go together'],
]

function inOurWords(message: string) {
  return WORDINGS.reduce((text, [theirs, ours]) => text.replace(theirs, ours), message)
}

interface RequiredArgsError extends Errors.CLIError {
  args: readonly { name: string; description?: string }[]
}

function isMissingArgs(error: Errors.CLIError): error is RequiredArgsError {
  return /^Missing \d+ required arg/.test(error.message) && 'args' in error
}

function missingArgs(error: RequiredArgsError) {
  const names = error.args.map(({ name }) => name.toUpperCase())
  const isLost = error.args.some(({ name }) => NAMED_BY_HASH.includes(name))
  return new AppError('usage', `${names.join(' and ')} ${names.length === 1 ? 'is' : 'are'} missing.`, {
    details: error.args.map(({ name, description = '' }) => ({
      message: `${name.toUpperCase()}: ${description}`,
    })),
    hints: [...(isLost ? [HASH_HINT] : []), HELP_HINT],
  })
}

const NAMED_BY_HASH = ['return', 'id', 'label', 'shipment']

function meantFlags(error: Errors.CLIError) {
  if (!('flags' in error && 'parse' in error)) return []
  const { flags, parse } = error as NonExistentFlagsError
  return nearestFlags(flags, parse.input?.flags ?? {})
}

function dashedValue(message: string) {
  const [, flag] = /^Flag (--\S+) expects a value/.exec(message) ?? []
  return flag === undefined ? [] : [`a value that begins with - stands behind =: ${flag}=-1A`]
}

interface NonExistentFlagsError extends Errors.CLIError {
  flags: string[]
  parse: { input?: { flags: Parameters<typeof nearestFlags>[1] } }
}

const MEANT: Readonly<Record<string, string>> = meant
/** Verbs without an operation of the platform. */
const NOT_OFFERED: Readonly<Record<string, string>> = notOffered

/** @param after arguments behind the unknown words of a command line */
export function unknownCommand(
  ids: readonly string[],
  words: readonly string[],
  after: readonly string[] = [],
) {
  const { near, known } = meantCommands(words, after, ids)
  const rest = [...words, ...after].slice(known).map(quotedWord)
  const verb = words.at(-1) ?? ''
  const lacks = ownValue(NOT_OFFERED, verb)
  const why = lacks ? `: no operation of the platform ${lacks}` : ''
  return usageError(
    `"${words.join(' ')}" is not a command of rma${why}.`,
    ...near.map((command) =>
      ['rma', command, ...(ids.includes(command.replace(' ', ':')) ? rest : [])].join(' '),
    ),
    'rma --help lists the commands',
  )
}

export function unknownHelp(ids: readonly string[], words: readonly string[], topics: readonly string[]) {
  const error = unknownCommand(ids, words)
  const near = nearHints(words.join('-'), topics, (topic) => `rma help ${topic}`)
  return rewordError(error, error.message, { hints: [...near, ...error.hints] })
}

export async function reportError(error: AppError, argv: readonly string[], io: Io) {
  const [{ formatError, errorJson }, { openStreams }] = await Promise.all([
    import('../output/errors.ts'),
    import('../output/streams.ts'),
  ])
  const json = wantsJsonErrors(argv, io.env)
  const lines = [json ? errorJson(error) : formatError(error)]
  const isVerbose = argv.includes('-v') || argv.includes('--verbose') || io.env.RMA_DEBUG
  if (error.kind === 'bug' && isVerbose && error.cause instanceof Error) {
    lines.push(error.cause.stack ?? '')
  }
  await openStreams(io, { noColor: argv.includes('--no-color') }).err.write(`${lines.join('\n')}\n`)
}

/** Reads the words themselves, since parsing may have failed. */
function wantsJsonErrors(argv: readonly string[], env: Io['env']) {
  let format = env.RMA_OUTPUT
  for (const [index, arg] of argv.entries()) {
    if (arg === '--') break
    const value = /^(?:--output=|-[qvnyi]*o=?)(.+)$/.exec(arg)?.[1]
    if (arg === '--json' || arg === '--jq' || arg.startsWith('--jq=')) return true
    if (value !== undefined) format = value
    else if (arg === '--output' || /^-[qvnyi]*o$/.test(arg)) format = argv[index + 1]
  }
  return format === 'json' || format === 'ndjson' || format === 'geojson'
}

export type KnownFlags = Readonly<
  Record<string, { type: string; char?: string; multiple?: boolean; allowNo?: boolean }>
>

export function nearestFlags(given: readonly string[], known: KnownFlags): string[] {
  const near = given.map((arg) => {
    const name = arg.replace(/^-+/, '').split('=', 1)[0] ?? ''
    if (arg.startsWith('--') || name.length > 1) return nearest(name, Object.keys(known))
    return Object.keys(known).find((flag) => known[flag]?.char?.toLowerCase() === name.toLowerCase())
  })
  return [...new Set(near)].filter((name) => name !== undefined).map((name) => `--${name}`)
}

const MAX_VERBS = 3

/** Returns commands and how many given words they replace. A word with a digit becomes `returns get`, any other `search`. */
function meantCommands(words: readonly string[], after: readonly string[], ids: readonly string[]) {
  const found = nearestCommands([...words, ...after], words.length, ids)
  const verb = ownValue(MEANT, words.at(-1))
  if (verb && (words.length === 1 || words[0] === 'returns')) return { near: [verb], known: words.length }
  const [word = ''] = words
  const isVerb = ids.some((id) => id.endsWith(`:${word}`))
  if (found.near.length > 0 || words.length > 1 || isVerb) return found
  return { near: [/\d/.test(word) ? 'returns get' : 'search'], known: 0 }
}

/** Finds `returns list` for `retruns lst LU1`, and for a verb alone all commands with this verb. */
function nearestCommands(given: readonly string[], unknown: number, ids: readonly string[]) {
  const commands = ids.map((id) => id.split(':'))
  const [first = '', second = ''] = given
  if (ids.includes(`${second}:${first}`)) return { near: [`${second} ${first}`], known: 2 }
  const topics = [...new Set(commands.filter(({ length }) => length > 1).map(([topic = '']) => topic))]
  const near =
    nearestWords(given, commands) ??
    nearestWords(
      given,
      topics.map((topic) => [topic]),
    )
  const known = Math.max(unknown, near?.length ?? 0)
  if (near?.length === 1 && !ids.includes(near.join()) && ids.includes(second))
    return { near: [second], known }
  if (near) return { near: [(onlyVerb(near, commands) ?? near).join(' ')], known }
  const withVerb = commands.filter(([, verb]) => verb === first.toLowerCase())
  return { near: withVerb.length > MAX_VERBS ? [] : withVerb.map((words) => words.join(' ')), known }
}

function onlyVerb(near: readonly string[], commands: readonly (readonly string[])[]) {
  const [first, ...others] = near.length === 1 ? commands.filter(([topic]) => topic === near[0]) : []
  return others.length === 0 ? first : undefined
}

function nearestWords(given: readonly string[], known: readonly (readonly string[])[]) {
  const far = (words: readonly string[]) =>
    words.reduce((sum, word, at) => sum + (nearness(given[at] ?? '', word) ?? Number.POSITIVE_INFINITY), 0)
  const [best] = known
    .map((words) => ({ words, far: far(words) }))
    .filter((one) => Number.isFinite(one.far))
    .sort((one, other) => one.far - other.far)
  return best?.words
}

/** Finds a command in a line whose first flags can't be read: `--limt 5 returns list`. */
export function commandIn(argv: readonly string[], ids: readonly string[]): string | undefined {
  return ids.find((id) => {
    let at = -1
    return id.split(':').every((word) => {
      at = argv.indexOf(word, at + 1)
      return at !== -1
    })
  })
}
