import type { Streams } from './streams.ts'
import { visible } from './visible.ts'

export interface Timers {
  after(delayMs: number, act: () => void): () => void
  every(intervalMs: number, act: () => void): () => void
}

export const systemTimers: Timers = {
  after: (delayMs, act) => {
    const timer = setTimeout(act, delayMs).unref()
    return () => clearTimeout(timer)
  },
  every: (intervalMs, act) => {
    const timer = setInterval(act, intervalMs).unref()
    return () => clearInterval(timer)
  },
}

export interface Progress {
  start(text: string): void
  update(text: string): void
  stop(): void
  /** Stops for good: work that outlasts the command draws nothing. */
  end(): void
}

interface ProgressOptions {
  streams: Streams
  quiet: boolean
  timers: Timers
}

/** Shorter commands don't load the spinner. */
const SPINNER_DELAY_MS = 150
const LINE_INTERVAL_MS = 3000

export function createProgress({ streams, quiet, timers }: ProgressOptions): Progress {
  let current = ''
  let isOver = quiet
  let end: (() => void) | undefined
  let show: (text: string) => void = () => {}

  function startLines(): () => void {
    return timers.every(LINE_INTERVAL_MS, () => void streams.err.write(`${visible(current)}\n`))
  }

  function startSpinner(): () => void {
    let isStopped = false
    let takeDown: () => void = () => {}
    const cancel = timers.after(SPINNER_DELAY_MS, async () => {
      const { default: ora } = await import('ora')
      if (isStopped) return
      const spinner = ora({
        text: visible(current),
        stream: streams.spinnerStream,
        isEnabled: true,
        color: streams.err.colour ? 'cyan' : false,
        // Typed-ahead input is the shell's; a hidden cursor would outlast a crash.
        discardStdin: false,
        hideCursor: false,
      }).start()
      show = (text) => {
        spinner.text = text
      }
      const unhook = streams.beforeWrite(() => spinner.clear())
      takeDown = () => {
        unhook()
        spinner.stop()
        show = () => {}
      }
    })
    return () => {
      isStopped = true
      cancel()
      takeDown()
    }
  }

  function stop(): void {
    end?.()
    end = undefined
  }

  return {
    start: (text) => {
      current = text
      if (isOver) return
      if (end) show(visible(text))
      else end = streams.err.canRedraw ? startSpinner() : startLines()
    },
    update: (text) => {
      current = text
      show(visible(text))
    },
    stop,
    end: () => {
      isOver = true
      stop()
    },
  }
}
