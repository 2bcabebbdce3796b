import type { Readable, Writable } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Settings } from '../config/settings.ts'
import { AppError } from '../errors.ts'
import { systemTimers, type Timers } from '../output/progress.ts'

type InputStream = Readable & { isTTY?: boolean; setRawMode?: (mode: boolean) => unknown }
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

/** @throws AppError `interrupted` after Ctrl-C */
export function assertNotInterrupted(interrupt: AbortSignal): void {
  if (interrupt.aborted) throw new AppError('interrupted', 'Interrupted.')
}

/** Waits for a promise or for Ctrl-C. @throws AppError `interrupted` */
export function untilInterrupted<T>(waiting: Promise<T>, interrupt: AbortSignal): Promise<T> {
  const interrupted = new AppError('interrupted', 'Interrupted.')
  if (interrupt.aborted) return Promise.reject(interrupted)
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(interrupted)
    interrupt.addEventListener('abort', stop, { once: true })
    waiting.then(resolve, reject).finally(() => interrupt.removeEventListener('abort', stop))
  })
}

let isSparing = false

/**
 * For a long result. V8 lets garbage grow to four times what is in use: a long list takes 160 MiB for what 125 hold.
 * Not from the start: a short command ends before any clean-up. V8 reads both flags anew at each collection. A
 * re-start with them is a second process (41 MiB, signals, survives `kill -9` of the first); a worker with
 * `resourceLimits` saves less (docs/performance.md). `growthPercent` is of what is in use, less for what is large in
 * one piece.
 */
export function spareMemory(growthPercent = 50): void {
  if (isSparing && growthPercent === 50) return
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  if (isSparing) return
  isSparing = true
  collectGarbage()
  // The space for short-lived objects would grow to 32 MB and make nothing faster here.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Compiled code is kept at the end (bin/code-cache.js), and taken again under the same flags only.
  process.prependOnceListener('exit', () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  })
}

/** V8 reckons by what the last clean-up left, and lets the heap double before the first one. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}
