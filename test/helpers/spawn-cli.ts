import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshHome, root } from './run-cli.ts'

const { RMA_TEST_EXECUTABLE } = process.env

/** Program under test: the built one, or the executable made by `npm run test:executable`. */
export const BIN = RMA_TEST_EXECUTABLE ?? join(root, 'bin/run.js')
/** Program that runs `BIN`. */
export const RUNNER = RMA_TEST_EXECUTABLE === undefined ? process.execPath : '/usr/bin/env'

/** Version of the Node.js that runs `BIN`: `v20.19.0`. */
export const NODE_VERSION =
  RMA_TEST_EXECUTABLE === undefined
    ? process.version
    : /node-(\S+)/.exec(execFileSync(RMA_TEST_EXECUTABLE, ['--version'], { encoding: 'utf8' }))?.[1]

export interface Spawned {
  code: number | null
  signal: NodeJS.Signals | null
  stdout: string
  stderr: string
}

export interface SpawnOptions {
  env?: Record<string, string>
  /** Who runs it, where the tests run as root. */
  uid?: number
  /** Content of standard input; undefined closes it. */
  stdin?: string
  /** Called with the process once it runs. */
  onStart?: (child: ChildProcess) => void
  /** Called with all of both outputs whenever more has come. */
  onOutput?: (stdout: string, stderr: string, child: ChildProcess) => void
}

/** Environment of a built command: a home of its own, and nothing of this machine but its PATH. */
export function newcomerEnv(more: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...freshHome(), ...more }
}

/** The compiled code that all commands of a run keep, which is a third of the time of a short one. */
const codeCache = join(tmpdir(), 'rma-code')

/** The same, but for the compiled code, which is that of the commands before. */
export function spawnEnv(more: Record<string, string> = {}): Record<string, string> {
  return { ...newcomerEnv(more), RMA_CACHE_DIR: codeCache }
}

/** The same for commands that go to a platform. */
export const spawnEnvAt = (baseUrl: string, more: Record<string, string> = {}) =>
  spawnEnv({ RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token', ...more })

/** Run any program to its end. */
function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: options.env ?? spawnEnv(),
      stdio: ['pipe', 'pipe', 'pipe'],
      ...(options.uid === undefined ? {} : { uid: options.uid, gid: options.uid }),
    })
    let stdout = ''
    let stderr = ''
    child.stdin.on('error', () => {})
    child.stdin.end(options.stdin ?? '')
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
      options.onOutput?.(stdout, stderr, child)
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
      options.onOutput?.(stdout, stderr, child)
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    options.onStart?.(child)
  })
}

/** Run the built binary. */
export function spawnCli(argv: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  return run(RUNNER, [BIN, ...argv], options)
}

/** Standard error but for the lines of progress, of which a slow machine shows some. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^(?:Checking|Comparing|Making|Opening|Reading|Reporting|Saving|Sending)\b.*\n/gm, '')
}

/** Run a shell script in which `rma` is the built binary. */
export function shell(script: string, options: SpawnOptions = {}, interpreter = 'sh'): Promise<Spawned> {
  const env = { ...(options.env ?? spawnEnv()), RMA_BIN: BIN, NODE_BIN: RUNNER }
  const define =
    interpreter === 'fish'
      ? 'function rma; $NODE_BIN $RMA_BIN $argv; end\n'
      : 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return run(interpreter, ['-c', define + script], { ...options, env })
}
