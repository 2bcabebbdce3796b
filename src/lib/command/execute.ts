import { type Interfaces, loadHelpClass } from '@oclif/core'
import { settings } from '@oclif/core/settings'
import { AppError } from '../errors.ts'
import { ClosedPipe } from '../output/streams.ts'
import { CliConfig, type CommandClass, type CommandTable } from './cli-config.ts'
import { reportError, toAppError, unknownCommand } from './failures.ts'
import type { Io } from './io.ts'

/** Where the package is, with its `package.json` read already. */
export type ExecuteOptions = Interfaces.Options & { pjson: Interfaces.PJSON }

/**
 * Run one command line. Never throws: every failure is reported on standard error.
 *
 * @returns the exit code
 */
export async function execute(
  argv: readonly string[],
  io: Io,
  commands: CommandTable,
  options: ExecuteOptions,
): Promise<number> {
  // oclif would look for a TypeScript loader when NODE_ENV says test or development.
  settings.enableAutoTranspile = false
  try {
    await dispatch(new CliConfig(options, io), commands, argv)
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
  const [first] = argv
  if (first === undefined || first === 'help' || asksForHelp(argv)) {
    return showHelp(config, commands, first === 'help' ? argv.slice(1) : argv)
  }
  const found = findCommand(commands, argv)
  if (!found) return showHelp(config, commands, argv)
  const command = await commands.load(found.id)
  command.id = found.id
  return runCommand(config, command, argv.slice(found.words))
}

/** The longest command that the leading words name. */
function findCommand(
  commands: CommandTable,
  argv: readonly string[],
): { id: string; words: number } | undefined {
  const named = commandWords(argv)
  for (let words = named.length; words > 0; words -= 1) {
    const id = named.slice(0, words).join(':')
    if (commands.ids.includes(id)) return { id, words }
  }
  return undefined
}

function commandWords(argv: readonly string[]): readonly string[] {
  const end = argv.findIndex((arg) => arg.startsWith('-'))
  return end === -1 ? argv : argv.slice(0, end)
}

function asksForHelp(argv: readonly string[]): boolean {
  const end = argv.indexOf('--')
  const own = end === -1 ? argv : argv.slice(0, end)
  return own.includes('--help') || own.includes('-h')
}

/** Of a command, of a topic, or of all there is. */
async function showHelp(config: CliConfig, commands: CommandTable, argv: readonly string[]): Promise<void> {
  const found = findCommand(commands, argv)
  const words = found ? argv.slice(0, found.words) : commandWords(argv)
  const id = words.join(':')
  const isTopic = commands.ids.some((known) => known.startsWith(`${id}:`))
  if (id !== '' && !found && !isTopic) throw unknownCommand(commands.ids, id)
  await config.load()
  const Help = await loadHelpClass(config)
  await new Help(config, { docopts: false }).showHelp([...words])
}

/**
 * Ctrl-C ends a command at once unless it says that it ends itself (a server, a job that drains): what it waits for
 * may be something that cannot be cancelled.
 */
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
