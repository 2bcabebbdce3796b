import type { Interfaces } from '@oclif/core'
import { settings } from '@oclif/core/settings'
import { AppError } from '../errors.ts'
import { ClosedPipe } from '../output/output-failure.ts'
import { CliConfig, type CommandClass, type CommandTable, type LocalLookup } from './cli-config.ts'
import { readCommandLine } from './command-line.ts'
import { reportError, toAppError, unknownCommand } from './error-report.ts'
import type { Io } from './process-io.ts'

/** Where the package is, with its `package.json` read already. */
export type ExecuteOptions = Interfaces.Options & { pjson: Interfaces.PJSON; localLookup: LocalLookup }

/** The exit code: never throws, every failure is reported on standard error. */
export async function execute(
  argv: readonly string[],
  io: Io,
  commands: CommandTable,
  options: ExecuteOptions,
): Promise<number> {
  // oclif would look for a TypeScript loader when NODE_ENV says test or development.
  settings.enableAutoTranspile = false
  try {
    await dispatch(new CliConfig(options, io, options.localLookup), commands, argv)
    return 0
  } catch (error) {
    if (error instanceof ClosedPipe) return 0
    const found = toAppError(error)
    // Whatever an interruption broke, it is the interruption that is told.
    const isOther = io.interrupt.aborted && found.kind !== 'interrupted'
    const failure = isOther ? new AppError('interrupted', 'Interrupted.') : found
    await reportError(failure, argv, io)
    return failure.exitCode
  }
}

async function dispatch(config: CliConfig, commands: CommandTable, argv: readonly string[]): Promise<void> {
  const { words, id, rest } = readCommandLine(argv, commands.ids)
  if (words[0] === 'help') return showHelp(config, commands, words.slice(1))
  if (argv.length === 0 || asksForHelp(rest)) return showHelp(config, commands, words)
  if (id === undefined) {
    if (rest.length > 0) throw missingCommand(commands, words)
    return showHelp(config, commands, words)
  }
  const command = await commands.load(id)
  command.id = id
  return runCommand(config, command, rest)
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}

/** Whoever gives flags wants something done: help would look like success to a script. */
function missingCommand({ ids }: CommandTable, words: readonly string[]): AppError {
  const topic = words.join(' ')
  if (words.length > 0 && !isTopic(ids, words)) return unknownCommand(ids, words.join(':'))
  return new AppError('usage', `There is no command${topic && ` after ${topic}`}.`, {
    hints: [`rma ${topic && `${topic} `}--help lists the commands`],
  })
}

function isTopic(ids: readonly string[], words: readonly string[]): boolean {
  return ids.some((known) => known.startsWith(`${words.join(':')}:`))
}

async function showHelp(config: CliConfig, { ids }: CommandTable, words: readonly string[]): Promise<void> {
  const id = words.join(':')
  if (id !== '' && !ids.includes(id) && !isTopic(ids, words)) throw unknownCommand(ids, id)
  await config.load()
  const { PlainHelp } = await import('./plain-help.ts')
  const help = new PlainHelp(config)
  await help.showHelp([...words])
  const { openStreams } = await import('../output/streams.ts')
  const { out, flush } = openStreams(config.io, { noColor: false })
  await out.write(help.text)
  await flush()
}

/** Ctrl-C ends a command at once unless it ends itself (a server, a job): some waits can't be cancelled. */
async function runCommand(config: CliConfig, command: CommandClass, argv: readonly string[]): Promise<void> {
  // Not by the class's static `run`, which would load the whole configuration.
  const running = new command([...argv], config).start()
  if (Reflect.get(command, 'endsOnInterrupt') === true) {
    await running
    return
  }
  const { interrupt } = config.io
  let stop: () => void = () => {}
  const interrupted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new AppError('interrupted', 'Interrupted.'))
    interrupt.addEventListener('abort', stop, { once: true })
  })
  try {
    await Promise.race([running, interrupted])
  } finally {
    interrupt.removeEventListener('abort', stop)
    running.catch(() => {})
  }
}
