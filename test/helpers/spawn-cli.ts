import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Env, Home } from './command-line.ts'
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
  env?: Env
  /** User id of the process, if the tests run as root. */
  uid?: number
  /** Content of standard input; undefined closes it. */
  stdin?: string
  /** Called with the process once it runs. */
  onStart?: (child: ChildProcess) => void
  /** Called with all of both outputs whenever they grow. */
  onOutput?: (stdout: string, stderr: string, child: ChildProcess) => void
}

/** Environment of a built command: a new home and the machine's PATH. */
export function newcomerEnv(more: Env = {}): Home {
  return { PATH: process.env.PATH ?? '', ...freshHome(), ...more }
}

/** Shared compile cache, which cuts a third of a short command's time. */
const codeCache = join(tmpdir(), 'rma-code')

/** Like `newcomerEnv`, with the shared compile cache. */
export function spawnEnv(more: Env = {}): Home {
  return { ...newcomerEnv(more), RMA_CACHE_DIR: codeCache }
}

/** Like `spawnEnv`, for commands that use a platform. */
export const spawnEnvAt = (baseUrl: string, more: Env = {}) =>
  spawnEnv({ RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token', ...more })

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

export function spawnCli(argv: readonly string[], options: SpawnOptions = {}): Promise<Spawned> {
  return run(RUNNER, [BIN, ...argv], options)
}

/** Standard error without progress lines, which only slow machines show. */
export function withoutProgress(stderr: string): string {
  return stderr.replace(/^(?:Checking|Comparing|Making|Opening|Reading|Saving|Sending)\b.*\n/gm, '')
}

/** Runs a shell script with `rma` as the built binary. */
export function shell(script: string, options: SpawnOptions = {}, interpreter = 'sh'): Promise<Spawned> {
  const env = { ...(options.env ?? spawnEnv()), RMA_BIN: BIN, NODE_BIN: RUNNER }
  const define =
    interpreter === 'fish'
      ? 'function rma; $NODE_BIN $RMA_BIN $argv; end\n'
      : 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return run(interpreter, ['-c', define + script], { ...options, env })
}
