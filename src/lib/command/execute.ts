import { type Interfaces, loadHelpClass } from '@oclif/core'
import { normalizeArgv } from '@oclif/core/help'
import { settings } from '@oclif/core/settings'
import { AppError } from '../errors.ts'
import { ClosedPipe } from '../output/streams.ts'
import { CliConfig, type CommandClass, type LoadCommand } from './cli-config.ts'
import { reportError, toAppError, unknownCommand } from './failures.ts'
import type { Io } from './io.ts'

/** Where the package is, and for tests where its commands come from. */
export interface ExecuteOptions extends Interfaces.Options {
  loadCommand?: LoadCommand
}

/**
 * Run one command line. Never throws: every failure is reported on standard error.
 *
 * @returns the exit code
 */
export async function execute(argv: string[], io: Io, options: ExecuteOptions): Promise<number> {
  // oclif would look for a TypeScript loader when NODE_ENV says test or development.
  settings.enableAutoTranspile = false
  const { loadCommand, ...configOptions } = options
  try {
    const config = new CliConfig(configOptions, io, loadCommand)
    await config.load()
    await dispatch(config, argv)
    return 0
  } catch (error) {
    if (error instanceof ClosedPipe) return 0
    const failure = io.interrupt.aborted ? new AppError('interrupted', 'Interrupted.') : toAppError(error)
    await reportError(failure, argv, io)
    return failure.exitCode
  }
}

async function dispatch(config: CliConfig, argv: string[]): Promise<void> {
  const [first] = argv
  if (first === undefined || first === 'help' || asksForHelp(argv)) {
    return showHelp(config, first === 'help' ? argv.slice(1) : argv)
  }
  const [id = '', ...rest] = normalizeArgv(config, argv)
  const command = await config.commandClass(id)
  if (command) return runCommand(config, command, rest)
  if (config.findTopic(id)) return showHelp(config, argv)
  throw unknownCommand(config, id)
}

function asksForHelp(argv: string[]): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}

async function showHelp(config: CliConfig, argv: string[]): Promise<void> {
  const [id = ''] = normalizeArgv(config, argv)
  const asked = id !== '' && !id.startsWith('-')
  if (asked && !config.findCommand(id) && !config.findTopic(id)) throw unknownCommand(config, id)
  const Help = await loadHelpClass(config)
  await new Help(config, { docopts: false }).showHelp(argv.filter((arg) => arg !== '-h'))
}

/**
 * Ctrl-C ends a command at once unless it says that it ends itself (a server, a job that drains): what it waits for
 * may be something that cannot be cancelled.
 */
async function runCommand(config: CliConfig, command: CommandClass, argv: string[]): Promise<void> {
  // Not by the class's static `run`, which would load the whole configuration a second time.
  const running = new command(argv, config).start()
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
