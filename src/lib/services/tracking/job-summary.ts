import type { RowTotals } from '../../bulk/job/job-file.ts'
import type { BulkProgress } from '../../bulk/run/progress.ts'
import type { RowReport, RunResult, RunStop } from '../../bulk/run/run-request.ts'
import { AppError, type ErrorDetail, rewordError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'

/** With more the heap is kept small. */
export const MANY_ROWS = 500

export interface JobSummary extends Omit<RowTotals, 'unsettled'> {
  jobId: string
  failedFile: string | null
  durationMs: number
  input: { path: string; sha256: string }
  shard?: { index: number; of: number }
}

export function progressText(progress: BulkProgress, now: number): string {
  const { done, total, rate, etaMs, failed, unknown, state, reason, until, concurrency } = progress
  const percent = total === 0 ? 100 : Math.floor((100 * done) / total)
  const parts = [
    `${state === 'draining' ? 'Finishing what is under way' : 'Sending'}: ${done} of ${total} (${percent} %)`,
    `${rate.toFixed(rate < 10 ? 1 : 0)}/s, ${concurrency} at once`,
    ...(etaMs === undefined || state !== 'running' ? [] : [`${durationText(etaMs)} left`]),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(unknown === 0 ? [] : [`${unknown} unknown`]),
  ]
  if (state === 'paused') {
    const wait = until === undefined ? '' : `, next try in ${durationText(Math.max(0, until - now))}`
    parts.push(`paused: ${reason ?? 'the service is out'}${wait}`)
  }
  return parts.join(', ')
}

/** `45 s`, `12 min`, `3 h 05 min` */
function durationText(ms: number): string {
  const seconds = Math.ceil(ms / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 100) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} min`
}

export class RowFeed {
  #rows: RowReport[] = []
  #isOver = false
  #wake: () => void = () => {}
  #drained: (() => void)[] = []

  /** Resolves when the reader keeps up. */
  push(row: RowReport): void | Promise<void> {
    if (this.#isOver) return
    this.#rows.push(row)
    this.#wake()
    if (this.#rows.length < MAX_WAITING) return
    return new Promise((resolve) => this.#drained.push(resolve))
  }

  /** Drops later output: no reader is left that could hold the job up. */
  end(): void {
    this.#isOver = true
    this.#wake()
    for (const resolve of this.#drained.splice(0)) resolve()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<RowReport> {
    for (;;) {
      const rows = this.#rows
      this.#rows = []
      yield* rows
      for (const resolve of this.#drained.splice(0)) resolve()
      if (this.#rows.length > 0) continue
      if (this.#isOver) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}

/** Rows that wait to be printed before the job is held back. */
const MAX_WAITING = 1000

const RESUME = (jobId: string) => `rma jobs resume ${jobId}`

/** The failure that a job ends with, if it does; its report is printed before. */
export function jobFailure(
  jobId: string,
  result: RunResult,
  failedFile: string | null,
  samples: readonly ErrorDetail[],
): AppError | undefined {
  const { failed, unknown, total, remaining, stop } = result
  const retry =
    failed > 0
      ? [`see the failed rows: ${failedFile ?? `rma jobs show ${jobId}`}`, `rma jobs retry ${jobId}`]
      : []
  const look = unknown > 0 ? [`look again at the unknown ones: rma jobs retry ${jobId} --unknown`] : []
  const others = failed + unknown - samples.length
  const details = samples.length > 0 && others > 0 ? [...samples, { message: `and ${others} more` }] : samples
  if (stop?.reason === 'all-failed') {
    return new AppError(
      'partial',
      `Stopped, because all of the first ${counted(failed, 'row')} failed; ${counted(remaining, 'remains', 'remain')}.`,
      {
        details,
        hints: [
          `send the others all the same: ${RESUME(jobId)}`,
          ...retry,
          'a job begun with --max-failures 100% does not stop so',
        ],
      },
    )
  }
  if (stop) return stopped(jobId, stop, remaining, [...retry, ...look])
  if (failed > 0) {
    const open = unknown > 0 ? `, ${counted(unknown, 'more is', 'more are')} unknown` : ''
    return new AppError('partial', `${failed} of ${counted(total, 'row')} failed${open}.`, {
      details,
      hints: [...retry, ...look],
    })
  }
  if (unknown === 0) return undefined
  return new AppError('unknown', unknownText(unknown, total), {
    details,
    hints: look,
  })
}

function stopped(
  jobId: string,
  stop: Exclude<RunStop, { reason: 'all-failed' }>,
  remaining: number,
  more: readonly string[],
): AppError {
  const hints = [`go on with: ${RESUME(jobId)}`, ...more]
  const left = counted(remaining, 'row remains', 'rows remain')
  switch (stop.reason) {
    case 'interrupted':
      return new AppError('interrupted', `Interrupted; ${left}.`, { hints })
    case 'failures':
      return new AppError('partial', `Stopped, because too many rows failed; ${left}.`, { hints })
    case 'outage':
      return new AppError('unavailable', `Stopped: ${stop.message}; ${left}.`, { hints })
    case 'error': {
      const { message, hints: own } = stop.error
      return rewordError(stop.error, `Stopped: ${message.replace(/\.$/, '')}; ${left}.`, {
        hints: [...own, ...hints],
      })
    }
  }
}

export function unknownText(unknown: number, total: number): string {
  return `Of ${unknown} of ${counted(total, 'row')} nobody can tell whether ${unknown === 1 ? 'it was' : 'they were'} taken.`
}
