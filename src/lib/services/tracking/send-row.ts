import { setTimeout as delay } from 'node:timers/promises'
import type { FailedAttempt } from '../../api/http/client.ts'
import { failureIn } from '../../api/http/error-map.ts'
import { pausesBeforeLooks } from '../../api/settle.ts'
import type { TrackingApi } from '../../api/tracking.ts'
import type { Attempt, BulkRow, Settled } from '../../bulk/run/bulk-row.ts'
import { AppError } from '../../errors.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'

type Row = BulkRow<TrackingRequest>

export function reportSender(tracking: Pick<TrackingApi, 'attempt' | 'look'>) {
  /** Of rows whose report may still be worked on; one that an earlier run sent is looked at without a wait. */
  const pauses = new WeakMap<Row, readonly number[]>()
  return {
    async send(row: Row): Promise<Attempt> {
      const answer = await tracking.attempt(row.value)
      if (!('error' in answer)) return { kind: 'done', notApplied: answer.reason }
      const attempt = attemptOf(answer)
      if (attempt.kind === 'unclear') pauses.set(row, pausesBeforeLooks(answer.error))
      return attempt
    },

    async settle(row: Row, signal: AbortSignal): Promise<Settled> {
      let seen: Settled = 'open'
      for (const ms of pauses.get(row) ?? [0]) {
        if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {})
        seen = await lookOnce(tracking, row.value)
        if (seen === 'happened') break
      }
      return seen
    },
  }
}

async function lookOnce({ look }: Pick<TrackingApi, 'look'>, report: TrackingRequest): Promise<Settled> {
  try {
    return await look(report)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
    // What the platform says of this return stays so; anything else may pass.
    return error.kind === 'rejected' || error.kind === 'not-found' ? 'open' : 'again'
  }
}

function attemptOf({ error, mayRepeat, isThrottled, retryAfterMs }: FailedAttempt): Attempt {
  if (error.kind === 'interrupted') throw error
  const what = wordsOf(failureIn(error))
  if (mayRepeat) return { kind: 'again', ...what, isThrottled, retryAfterMs }
  if (error.kind === 'unknown') return { kind: 'unclear', ...what }
  return concernsAll(error) ? { kind: 'stop', error } : { kind: 'rejected', ...what }
}

/** Whether every other row would meet the same failure: it is about the connection or the token, not the report. */
function concernsAll({ kind, details }: AppError): boolean {
  const codes = details.map(({ code }) => code)
  if (kind === 'rejected') return codes.includes('SC01')
  if (kind === 'not-found') return codes.length === 0 || codes.includes('NF01')
  return true
}

function wordsOf({ details, message, status, kind }: AppError): { code: string; message: string } {
  const [first] = details
  const code = first?.code ?? (status === undefined ? kind : `HTTP ${status}`)
  return { code, message: details.length === 0 ? message : details.map((one) => one.message).join('; ') }
}
