import { join, resolve } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import type { CommandClass, CommandTable } from '../../src/lib/cli/cli-config.ts'
import { execute } from '../../src/lib/cli/execute.ts'
import { exitCodesOf } from '../../src/lib/cli/help/reference.ts'
import type { Io } from '../../src/lib/cli/process-io.ts'
import { mirroredReturns } from '../../src/lib/services/mirror/location.ts'
import { asTyped, type Env, type Home } from './command-line.ts'
import { filesBelow, jsonFile, newFolder } from './files.ts'

export const root = resolve(import.meta.dirname, '../..')
const pjson = jsonFile(join(root, 'package.json'))

const commandsDir = join(root, 'src/commands')

/** The commands from the sources. */
const commands: CommandTable = {
  ids: filesBelow(commandsDir, '.ts').map((file) => file.slice(0, -3).replaceAll('/', ':')),
  load: async (id) => {
    const module: { default: CommandClass } = await import(join(commandsDir, `${id.replaceAll(':', '/')}.ts`))
    return module.default
  },
}

/** Stream that records its output; a terminal if `columns` is given. */
class Collected extends Writable {
  text = ''
  readonly isTTY: boolean
  constructor(
    readonly columns?: number,
    private readonly onText?: (text: string) => void,
  ) {
    super({ decodeStrings: false })
    this.isTTY = columns !== undefined
  }
  override _write(chunk: string | Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString()
    this.onText?.(this.text)
    done()
  }
}

export interface CliResult {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  env?: Env
  stdin?: string | Buffer
  /** True if a person types what is on standard input. */
  isTyped?: boolean
  /** Width of the terminal; undefined for pipes. */
  columns?: number
  /** Streams that a program talks with, in place of those that are recorded. */
  streams?: Pick<Io, 'stdin' | 'stdout'> & Partial<Pick<Io, 'stderr'>>
  now?: number
  interrupt?: AbortSignal
  /** Aborted by the second Ctrl-C. */
  halt?: AbortSignal
  /** Called with all of standard output whenever it grows. */
  onOutput?: (stdout: string) => void
  terminate?: AbortSignal
  /** Called with the length of each skipped wait. */
  onPause?: (forMs: number) => void
}

/** A new home for one test, isolated from the machine's settings and data. */
export function freshHome(): Home {
  const home = newFolder()
  return {
    HOME: home,
    RMA_CONFIG_DIR: join(home, 'config'),
    RMA_DATA_DIR: join(home, 'data'),
    RMA_CACHE_DIR: join(home, 'cache'),
    NO_COLOR: '1',
  }
}

/** A new home whose commands use a platform. */
export const homeAt = (baseUrl: string, more: Env = {}): Home => ({
  ...freshHome(),
  RMA_BASE_URL: baseUrl,
  RMA_TOKEN: 'token',
  RMA_TIME_ZONE: 'UTC',
  ...more,
})

/** Runs a command line in this process, from the sources. */
export async function runCli(argv: string[], options: RunOptions = {}): Promise<CliResult> {
  const stdout = new Collected(options.columns, options.onOutput)
  const stderr = new Collected(options.columns)
  const stdin: Io['stdin'] = new PassThrough()
  if (options.isTyped) stdin.isTTY = true
  if (options.stdin !== undefined) stdin.push(options.stdin)
  stdin.push(null)
  const idle = new AbortController().signal
  let exits: number[] | undefined
  const load = async (id: string) => {
    const command = await commands.load(id)
    exits = exitCodesOf(command)
    return command
  }
  const code = await execute(
    argv,
    {
      stdin,
      stdout,
      stderr,
      ...options.streams,
      env: options.env ?? freshHome(),
      now: () => options.now ?? Date.now(),
      pause: async (forMs) => options.onPause?.(forMs),
      // Timed progress lines would depend on the speed of the machine.
      timers: { after: () => () => {}, every: () => () => {} },
      interrupt: options.interrupt ?? idle,
      halt: () => options.halt ?? idle,
      terminate: () => options.terminate ?? idle,
      interruptOnTermination: () => {},
    },
    { ...commands, load },
    { root, pjson, localLookup: mirroredReturns },
  )
  if (exits && !exits.includes(code))
    throw new Error(`${argv.join(' ')} ended with ${code}, which is not among its exits`)
  const [oddHint] = /^Try: (?:[Tt]ry\b|[A-Z][a-z]).*$/m.exec(stderr.text) ?? []
  if (oddHint !== undefined)
    throw new Error(`${argv.join(' ')} gave a hint that does not go on after "Try:": ${oddHint}`)
  return { code, stdout: stdout.text, stderr: stderr.text }
}

/** Runs command lines in an environment, by default that of a new home: runIn(env)`returns list`. */
export const runIn = (env: Env = freshHome()) => asTyped((argv) => runCli(argv, { env }))
