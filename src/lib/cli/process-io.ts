import { writeSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Settings } from '../config/settings.ts'
import { appError } from '../errors.ts'
import { systemTimers, type Timers } from '../output/progress.ts'
import type { StandardStreams } from '../output/streams.ts'

export interface Io extends StandardStreams {
  now(): number
  /** Waits for the time or the signal. Never rejects. */
  pause(forMs: number, signal: AbortSignal): Promise<void>
  timers: Timers
  /** Aborted by the first Ctrl-C. */
  interrupt: AbortSignal
  /** Returns a signal aborted by the second Ctrl-C, which then no longer ends the process. */
  halt(): AbortSignal
  /** Returns a signal aborted by SIGTERM, which then no longer ends the process. */
  terminate(): AbortSignal
  /** Makes SIGTERM and SIGHUP do what Ctrl-C does. */
  interruptOnTermination(): void
  /** Throws if the settings lead to another target than the pinned one. */
  checkTarget?: (settings: Settings) => void
  /** Leaves Ctrl-C to a pager until it is closed. */
  leaveInterruptTo?(closed: Promise<unknown>): void
  /** Called before each write of a command. */
  onWrite?(): void
  agent?: string
}

export function processIo(): Io {
  const interrupt = new AbortController()
  const halt = new AbortController()
  let isHaltHandled = false
  let isPaging = false
  const onSignal = () => {
    if (isPaging) return
    if (!interrupt.signal.aborted) return interrupt.abort()
    if (!isHaltHandled || halt.signal.aborted) process.exit(130)
    halt.abort()
  }
  process.on('SIGINT', onSignal)
  const end = () => process.exit(143)
  // The kernel ignores SIGTERM for process 1 of a container unless it has a handler.
  if (process.pid === 1) process.on('SIGTERM', end)
  for (const stream of [process.stdout, process.stderr]) {
    // Each write reports its own error; oclif's listener would end the process.
    stream.removeAllListeners('error')
    stream.on('error', () => {})
    if (Reflect.get(stream, '_type') === 'fs') Object.assign(stream, { _write: writeWhole })
  }
  return {
    get stdin() {
      return process.stdin
    },
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    now: Date.now,
    leaveInterruptTo: (closed) => {
      isPaging = true
      void closed.then(() => (isPaging = false))
    },
    pause: (forMs, signal) => delay(forMs, undefined, { signal }).catch(() => {}),
    timers: systemTimers,
    interrupt: interrupt.signal,
    halt: () => {
      isHaltHandled = true
      return halt.signal
    },
    terminate: () => {
      const controller = new AbortController()
      process.off('SIGTERM', end)
      // A listener added with `once` would let a second signal cut off what is being finished.
      process.on('SIGTERM', () => (controller.signal.aborted ? halt : controller).abort())
      return controller.signal
    },
    interruptOnTermination: () => {
      process.off('SIGTERM', end)
      for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, onSignal)
    },
  }
}

/** Node.js counts a partial write as a success. */
function writeWhole(this: { fd: number }, chunk: Buffer, _encoding: string, done: (e?: unknown) => void) {
  try {
    for (let at = 0; at < chunk.length; ) at += writeSync(this.fd, chunk, at)
    done()
  } catch (error) {
    done(error)
  }
}

/** @throws AppError `interrupted` after Ctrl-C */
export function untilInterrupted<T>(
  waiting: Promise<T>,
  interrupt: AbortSignal,
  hints: readonly string[] = [],
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = () => reject(appError('interrupted', 'Interrupted.', ...hints))
    if (interrupt.aborted) stop()
    interrupt.addEventListener('abort', stop, { once: true })
    waiting.then(resolve, reject).finally(() => interrupt.removeEventListener('abort', stop))
  })
}

let isSavingMemory = false

/**
 * Saves memory in a long result: 125 MiB instead of 160 for a long list, since V8 lets garbage grow to four
 * times what is in use (docs/performance.md). `growthPercent` is of what is in use.
 */
export function saveMemory(growthPercent = 50) {
  if (isSavingMemory && growthPercent === 50) return
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  if (isSavingMemory) return
  isSavingMemory = true
  collectGarbage()
  // More space for short-lived objects makes nothing faster here.
  setFlagsFromString('--semi-space-growth-factor=1')
  // The code cache (bin/code-cache.js) is valid for the same flags only.
  process.prependOnceListener('exit', () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  })
}

/** V8 computes its limit at a collection, and lets the heap double before the first one. */
function collectGarbage() {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}
