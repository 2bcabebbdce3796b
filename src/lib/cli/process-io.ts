import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import type { Settings } from '../config/settings.ts'
import { systemTimers, type Timers } from '../output/progress.ts'

export type InputStream = Readable & { isTTY?: boolean; setRawMode?: (mode: boolean) => unknown }
export type OutputStream = Writable & { isTTY?: boolean; columns?: number }

/** Everything of the outside world that a command touches; tests pass their own. */
export interface Io {
  readonly stdin: InputStream
  stdout: OutputStream
  stderr: OutputStream
  env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since the epoch. */
  now(): number
  /** Waits so many ms, or until the signal aborts. Never rejects. */
  pause(forMs: number, signal: AbortSignal): Promise<void>
  /** When progress is shown. */
  timers: Timers
  /** Aborted by the first Ctrl-C. */
  interrupt: AbortSignal
  /** A signal aborted by the second Ctrl-C; from this call on, only a third one ends the process by itself. */
  halt(): AbortSignal
  /** A signal aborted by SIGTERM; from this call on, SIGTERM no longer ends the process by itself. */
  terminate(): AbortSignal
  /** Makes SIGTERM and SIGHUP do what Ctrl-C does. */
  interruptOnTermination(): void
  /** Throws if a command of a server would go elsewhere than when the server started. */
  checkPlace?: (settings: Settings) => void
  /** Server that runs the command: `mcp`. */
  agent?: string
}

export function processIo(): Io {
  const interrupt = new AbortController()
  const halt = new AbortController()
  let haltsItself = false
  const onSignal = () => {
    if (!interrupt.signal.aborted) return interrupt.abort()
    // A second Ctrl-C means now: whatever is in flight is given up.
    if (!haltsItself || halt.signal.aborted) process.exit(130)
    halt.abort()
  }
  process.on('SIGINT', onSignal)
  const end = () => process.exit(143)
  // The kernel keeps a signal that it has no handler for from the first process of a container.
  if (process.pid === 1) process.on('SIGTERM', end)
  for (const stream of [process.stdout, process.stderr]) {
    // Each write reports its own error; oclif's listener would end the process with a stack trace.
    stream.removeAllListeners('error')
    stream.on('error', () => {})
  }
  return {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: Date.now,
    pause: (forMs, signal) => delay(forMs, undefined, { signal }).catch(() => {}),
    timers: systemTimers,
    interrupt: interrupt.signal,
    halt: () => {
      haltsItself = true
      return halt.signal
    },
    terminate: () => {
      const controller = new AbortController()
      process.off('SIGTERM', end)
      // A listener added with `once` would let a second, impatient signal cut off what is being finished.
      process.on('SIGTERM', () => controller.abort())
      return controller.signal
    },
    interruptOnTermination: () => {
      process.off('SIGTERM', end)
      for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
    },
  }
}
