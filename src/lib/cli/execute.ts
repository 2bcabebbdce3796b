import type { Interfaces } from '@oclif/core'
import { settings } from '@oclif/core/settings'
import { flagIn } from '../config/command-words.ts'
import type { Alias } from '../config/settings-file.ts'
import { AppError, EXIT_CODES, usageError } from '../errors.ts'
import { ClosedPipe, outputFailure } from '../output/streams.ts'
import { ownValue } from '../wire/raw.ts'
import { CliConfig, type CommandClass, type CommandTable, type RunLine } from './cli-config.ts'
import { isOwnWord, LEADING_FLAGS, readCommandLine } from './command-line.ts'
import type { LocalLookup } from './context.ts'
import {
  commandIn,
  type KnownFlags,
  nearestFlags,
  neverEnded,
  reportError,
  toAppError,
  unknownCommand,
  unknownHelp,
} from './error-report.ts'
import { type Io, processIo, untilInterrupted } from './process-io.ts'

type ExecuteOptions = Interfaces.Options & { pjson: Interfaces.PJSON; localLookup: LocalLookup }

/** Returns the exit code and reports every failure on standard error; never throws. */
export async function execute(
  argv: readonly string[],
  io: Io,
  commands: CommandTable,
  options: ExecuteOptions,
): Promise<number> {
  settings.enableAutoTranspile = false
  const runLine: RunLine = (line, lineIo) => execute(line, lineIo, commands, options)
  const config = new CliConfig(options, io, options.localLookup, runLine, commands)
  const code = await exitCodeOf(config, argv)
  await config.context?.audit.end(code)
  return code
}

async function exitCodeOf(config: CliConfig, argv: readonly string[]) {
  const { io, table } = config
  let line = argv
  try {
    line = await withoutAlias(argv, io, table)
    await dispatch(config, line)
    return 0
  } catch (error) {
    if (error instanceof ClosedPipe) return 0
    const found = toAppError(error)
    // Ctrl-C is reported rather than the failure that it caused.
    const isOther = io.interrupt.aborted && found.kind !== 'interrupted'
    const failure = isOther ? new AppError('interrupted', 'Interrupted.') : found
    await reportError(failure, line, io)
    return failure.exitCode
  }
}

async function dispatch(config: CliConfig, argv: readonly string[]) {
  const { table } = config
  const { words, id, flags, after, stray } = readCommandLine(argv, table.ids)
  const rest = [...flags, ...after]
  if (stray !== undefined) throw await strayFlag(stray, argv, table)
  const times = timesHelp(rest)
  if (words[0] === 'help') return showHelp(config, words.slice(1), times + 1)
  if (argv.length === 0 || times > 0) return showHelp(config, words, times)
  if (id === undefined) {
    if (rest.length > 0) throw missingCommand(table, words, [...after, ...flags])
    return showHelp(config, words, 1)
  }
  const command = await table.load(id)
  command.id = id
  return runCommand(config, command, rest)
}

function timesHelp(argv: readonly string[]) {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  return own.filter((arg) => arg === '--help' || arg === '-h').length
}

function missingCommand({ ids }: CommandTable, words: readonly string[], after: readonly string[]) {
  const topic = words.join(' ')
  if (words.length > 0 && !isTopic(ids, words)) return unknownCommand(ids, words, after)
  return usageError(
    `There is no command${topic && ` after ${topic}`}.`,
    `rma ${topic && `${topic} `}--help lists the commands`,
  )
}

async function strayFlag(arg: string, argv: readonly string[], { ids, load }: CommandTable) {
  const name = arg.split('=', 1)[0] ?? arg
  const id = commandIn(argv, ids)
  const own = id === undefined ? {} : ((await load(id)).flags ?? {})
  const near = nearestFlags([arg], { ...LEADING_FLAGS, ...own })
  const command = id?.replaceAll(':', ' ')
  return usageError(
    `There is no global flag ${name}; a command's own flags stand after it.`,
    ...near.map((flag) => (flag.slice(2) in LEADING_FLAGS ? flag : `rma ${command} ${flag}`)),
    'rma --help lists the commands',
  )
}

function isTopic(ids: readonly string[], words: readonly string[]) {
  return ids.some((known) => known.startsWith(`${words.join(':')}:`))
}

async function showHelp(config: CliConfig, words: readonly string[], times: number, alias?: Alias) {
  const { ids } = config.table
  const id = words.join(':').replace(/^help$/, '')
  const { HELP_TOPICS } = await import('./help/reference.ts')
  const topic = ownValue(HELP_TOPICS, id)
  if (!topic && id !== '' && !ids.includes(id) && !isTopic(ids, words)) {
    const alias = words.length === 1 ? await aliasOf(id, config.io) : undefined
    const meant = alias && readCommandLine(alias.expansion.split(/\s+/), ids).id?.split(':')
    if (alias && meant) return showHelp(config, meant, times, alias)
    throw unknownHelp(ids, words, Object.keys(HELP_TOPICS))
  }
  await config.load()
  const { PlainHelp } = await import('./help/plain-help.ts')
  const help = new PlainHelp(config, times > 1)
  if (topic) help.showTopic(topic)
  else await help.showHelp(id === '' ? [] : [...words])
  const { openStreams } = await import('../output/streams.ts')
  const { out, flush } = openStreams(config.io, { noColor: false })
  const meaning = alias ? `rma ${alias.name} stands for: rma ${alias.expansion}\n\n` : ''
  await out.write(meaning + help.text)
  await flush()
}

/** Ends a command at Ctrl-C unless it ends itself. */
async function runCommand(config: CliConfig, command: CommandClass, argv: readonly string[]) {
  // The class's static `run` would load the whole configuration.
  const running = new command([...argv], config).start()
  const { endsOnInterrupt, interruptHints } = command
  await (endsOnInterrupt ? running : untilInterrupted(running, config.io.interrupt, interruptHints))
}

/** Replaces an alias by its line. The settings are read only for words that are no command. */
async function withoutAlias(argv: readonly string[], io: Io, { ids, load }: CommandTable) {
  const { words, flags, after, stray } = readCommandLine(argv, ids)
  const [name] = words
  if (name === undefined || stray !== undefined || isOwnWord(name, ids)) return argv
  const alias = await aliasOf(name, io)
  if (alias === undefined) return argv
  const { expandAlias } = await import('../config/settings-file.ts')
  const { own, added } = expandAlias(alias, after)
  const { id } = readCommandLine(own, ids)
  const known = { ...LEADING_FLAGS, ...(id === undefined ? {} : (await load(id)).flags) }
  const typed = [...flags, ...added]
  const given = new Set(typed.flatMap((word, at) => replacedBy(flagIn(word, known), typed[at + 1])))
  return [...flags, ...withoutFlags(own, given, known), ...added]
}

async function aliasOf(name: string, { env }: Pick<Io, 'env'>) {
  const [{ createAliasStore }, { resolvePaths }] = await Promise.all([
    import('../config/settings-file.ts'),
    import('../config/paths.ts'),
  ])
  return (await createAliasStore(resolvePaths(env).configDir).list()).find((one) => one.name === name)
}

/** Names the alias's flags that a typed flag replaces: `--json` is `-o json`, and `--jq` goes with JSON only. */
function replacedBy(flag: ReturnType<typeof flagIn>, next = '') {
  if (flag?.name !== 'output' && flag?.name !== 'json') return flag?.name ?? []
  const isJson = flag.name === 'json' || /^(nd)?json$/.test(flag.value ?? next)
  return ['output', 'json', ...(isJson ? [] : ['jq'])]
}

/**
 * Removes flags of the alias that are typed, too, except repeatable ones: oclif refuses a flag given
 * twice.
 */
function withoutFlags(words: readonly string[], given: ReadonlySet<string>, known: KnownFlags) {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const flag = flagIn(word, known)
    const isGiven = flag && given.has(flag.name) && !known[flag.name]?.multiple
    if (!isGiven) kept.push(word)
    else if (flag.takesNext) at += 1
  }
  return kept
}

/** Exits with a failure unless `run` resolves. */
export async function runToEnd(argv: readonly string[], run: (io: Io) => Promise<number>) {
  process.exitCode = EXIT_CODES.bug
  const io = processIo()
  const fail = (error: unknown) => void endWith(error, argv, io)
  const onIdle = () => fail(neverEnded())
  process.once('beforeExit', onIdle)
  process.once('uncaughtException', fail)
  process.exitCode = await run(io)
  process.off('beforeExit', onIdle)
  if (io.interrupt.aborted) process.exit()
}

export async function lostOutput(error: Error, argv: readonly string[]) {
  const failure = outputFailure(error)
  if (!(failure instanceof ClosedPipe)) await endWith(failure, argv, processIo())
}

async function endWith(error: unknown, argv: readonly string[], io: Io) {
  const failure = toAppError(error)
  await reportError(failure, argv, io)
  process.exit(failure.exitCode)
}
