import type { Streams } from './streams.ts'
import { visible } from './visible.ts'

export interface Timers {
  after(delayMs: number, act: () => void): () => void
  every(intervalMs: number, act: () => void): () => void
}

export const systemTimers: Timers = {
  after: (delayMs, act) => stopOf(setTimeout(act, delayMs)),
  every: (intervalMs, act) => stopOf(setInterval(act, intervalMs)),
}

function stopOf(timer: NodeJS.Timeout) {
  timer.unref()
  return () => clearTimeout(timer)
}

export type Progress = ReturnType<typeof createProgress>

interface ProgressOptions {
  streams: Streams
  quiet: boolean
  timers: Timers
  now?: () => number
}

/** Shorter commands don't load the spinner. */
const SPINNER_DELAY_MS = 150
const LINE_INTERVAL_MS = 3000
/** Age from which an unchanged text shows its age. */
const SLOW_SECONDS = 5
/** Earlier estimates would jump. */
const MIN_ESTIMATE_MS = 2000

export function createProgress({ streams, quiet, timers, now = () => performance.now() }: ProgressOptions) {
  let current = ''
  let seconds = 0
  let startedMs = 0
  let isOver = quiet
  let end: (() => void) | undefined
  let show: (text: string) => void = () => {}

  function startLines() {
    return timers.every(LINE_INTERVAL_MS, () => {
      seconds += LINE_INTERVAL_MS / 1000
      void streams.err.write(`${statusText()}\n`)
    })
  }

  function startSpinner(): () => void {
    let isStopped = false
    let takeDown: () => void = () => {}
    const cancel = timers.after(SPINNER_DELAY_MS, async () => {
      const { default: ora } = await import('ora')
      if (isStopped) return
      const spinner = ora({
        text: statusText(),
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
      const endClock = timers.every(1000, () => {
        seconds += 1
        show(statusText())
      })
      const unhook = streams.beforeWrite(() => spinner.clear())
      takeDown = () => {
        endClock()
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

  function statusText() {
    return visible(current) + (seconds < SLOW_SECONDS ? '' : ` (${timeText(seconds * 1000)})`)
  }

  function update(text: string) {
    current = text
    seconds = 0
    show(statusText())
  }

  function stop() {
    end?.()
    end = undefined
  }

  return {
    start: (text: string) => {
      update(text)
      startedMs = now()
      if (!isOver) end ??= streams.err.canRedraw ? startSpinner() : startLines()
    },
    update,
    /** Updates to `Making labels: 3 of 8, about 5 s left`. */
    count: (doing: string, done: number, total: number) => {
      const elapsedMs = now() - startedMs
      const isEstimated = elapsedMs >= MIN_ESTIMATE_MS && done > 0 && done < total
      const left = isEstimated ? `, about ${timeText((elapsedMs / done) * (total - done))} left` : ''
      update(`${doing}: ${done} of ${total}${left}`)
    },
    stop,
    /** Stops for good: work that outlasts the command draws nothing. */
    end: () => {
      isOver = true
      stop()
    },
  }
}

function timeText(ms: number) {
  const seconds = Math.ceil(ms / 1000)
  return seconds < 90 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
}
