import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { causedBy } from '../../../errors.ts'
import { childEnv } from '../../../files/child-env.ts'

/** Time between SIGTERM and SIGKILL. */
const GRACE_MS = 2000

export interface CommandOptions {
  command: string
  env: Readonly<Record<string, string | undefined>>
  timeoutMs: number
  halt: AbortSignal
}

/**
 * Runs a command by `sh -c`, with its output on standard error. In its own process group Ctrl-C on the terminal does not
 * reach it, and its children end with it.
 * @returns the reason for a failure, undefined after exit 0
 */
export async function runCommand(input: string, options: CommandOptions): Promise<string | undefined> {
  const { command, env, timeoutMs, halt } = options
  if (halt.aborted) return 'was interrupted'
  const child = spawn('sh', ['-c', command], { env: childEnv(env), detached: true, stdio: ['pipe', 2, 2] })
  const ended = endOf(child)
  // The command may end without reading its input.
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const time = AbortSignal.timeout(timeoutMs)
  const waiting = new AbortController()
  const { signal } = waiting
  const over = new Promise<'over'>((resolve) => {
    for (const one of [time, halt]) one.addEventListener('abort', () => resolve('over'), { signal })
  })
  const first = await Promise.race([ended, over]).finally(() => waiting.abort())
  if (first !== 'over') return first
  signalGroup(child, 'SIGTERM')
  await Promise.race([ended, delay(GRACE_MS)])
  signalGroup(child, 'SIGKILL')
  await ended
  return halt.aborted ? 'was interrupted' : `took longer than ${timeoutMs / 1000} s`
}

async function endOf(child: ChildProcess) {
  const [code, signal] = await once(child, 'exit').catch((cause: unknown) => {
    throw causedBy(cause, 'config', '--exec needs the shell sh, which can not be started.')
  })
  if (code === 0) return undefined
  return code === null ? `was ended by ${signal}` : `ended with exit code ${code}`
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals) {
  try {
    if (pid !== undefined) process.kill(-pid, signal)
  } catch {
    // The command has already ended.
  }
}
