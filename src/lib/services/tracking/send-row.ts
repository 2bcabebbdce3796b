import { setTimeout as delay } from 'node:timers/promises'
import { failureIn, isCertificateFailure } from '../../api/http/error-map.ts'
import type { FailedAttempt } from '../../api/http/retry-policy.ts'
import { pausesBeforeLookups } from '../../api/settle.ts'
import type { TrackingApi } from '../../api/tracking.ts'
import type { Attempt, BulkRow, Settled } from '../../bulk/run/run-request.ts'
import { type AppError, rethrowBug, rethrowInterruption } from '../../errors.ts'
import { isTransportOver, isTransportStatus } from '../../wire/enumerations.ts'
import { parseLabelId } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { NamedTransports, RowTarget } from './named-transports.ts'

type Row = BulkRow<TrackingRequest>

/**
 * @param answeredMs epoch milliseconds until which the requests of an earlier process may arrive
 * @param onRequest called before each update is sent
 */
export function updateSender(
  tracking: Pick<TrackingApi, 'attempt' | 'lookUp'>,
  named: Pick<NamedTransports, 'target' | 'forget'>,
  answeredMs: number,
  onRequest: () => void,
) {
  /** Pauses before lookups of rows that the platform may still be processing. */
  const pauses = new WeakMap<Row, readonly number[]>()

  const sendAs = async (row: Row, request: TrackingRequest, onAnswer?: () => void): Promise<Attempt> => {
    onRequest()
    const answer = await tracking.attempt(request, onAnswer)
    if (!('error' in answer)) return { kind: 'done', notApplied: answer.reason }
    const attempt = attemptOf(answer)
    if (attempt.kind === 'unclear') pauses.set(row, pausesBeforeLookups(answer.error))
    return attempt
  }

  return {
    async send(row: Row, _signal?: AbortSignal, onAnswer?: () => void): Promise<Attempt> {
      const { value } = row
      const target = await triedTarget(() => named.target(value))
      if (target.kind !== 'send') return target
      const attempt = await sendAs(row, target.request, onAnswer)
      const { trackingStatus } = value
      const isStill = attempt.kind === 'done' && isTransportStatus(trackingStatus)
      if (!isStill || isTransportOver(trackingStatus)) named.forget(value)
      return attempt
    },

    async settle(row: Row, signal: AbortSignal): Promise<Settled> {
      let seen: Settled = 'open'
      for (const ms of pauses.get(row) ?? [0, answeredMs - Date.now()].filter((wait) => wait >= 0)) {
        if (ms > 0) await delay(ms, undefined, { signal }).catch(() => {})
        seen = await lookUpOnce(tracking, row.value)
        if (seen === 'happened' || typeof seen === 'object') break
      }
      return seen
    },
  }
}

async function triedTarget(find: () => Promise<RowTarget>): Promise<RowTarget | Attempt> {
  try {
    return await find()
  } catch (error) {
    rethrowBug(error)
    const mayRepeat = error.kind === 'unavailable'
    return attemptOf({ error, mayRepeat, isThrottled: error.status === 429, retryAfterMs: undefined })
  }
}

/** Looks up a row with a transport's id by its return's name first: a return may be named like such an id. */
async function lookUpOnce(
  { lookUp }: Pick<TrackingApi, 'lookUp'>,
  update: TrackingRequest,
): Promise<Settled> {
  try {
    const labelId = parseLabelId(update.shipmentId)
    const ofName = labelId && (await lookUp({ ...update, shipmentId: labelId.name }, labelId.transportId))
    return ofName === undefined || ofName === 'not-happened' ? await lookUp(update) : ofName
  } catch (error) {
    rethrowInterruption(error)
    // Waiting mends neither a token nor a certificate.
    if (['auth', 'config'].includes(error.kind) || isCertificateFailure(error)) return { stop: error }
    // A rejection of this return is final; other failures may pass.
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

/** True for failures of the connection or the token, which every row would meet. */
function concernsAll({ kind, details }: AppError) {
  const codes = details.map(({ code }) => code)
  if (kind === 'rejected') return codes.includes('SC01')
  if (kind === 'not-found') return codes.length === 0 || codes.includes('NF01')
  return true
}

function wordsOf({ details, message, status, kind }: AppError) {
  const [first] = details
  const code = first?.code ?? (status === undefined ? kind : `HTTP ${status}`)
  return { code, message: details.length === 0 ? message : details.map((one) => one.message).join('; ') }
}
