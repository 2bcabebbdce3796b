import { AppError, errorCode, rethrowInterruption, rewordError } from '../errors.ts'
import { at } from '../wire/raw.ts'
import type { SpecDeviations } from '../wire/read.ts'
import { type NotApplied, statusCodeMeaning } from '../wire/tracking/status-code.ts'
import type { Acknowledgement } from '../wire/tracking.ts'
import type { AnswerOwner } from './http/desync-guard.ts'
import { detailsOf, failureIn, type HttpResponse } from './http/error-map.ts'
import { readAnswer, recordIn } from './resource.ts'

export interface Accepted extends Acknowledged {
  outcome: 'accepted' | 'recovered'
}

/** Pauses before lookups: a service that timed out may still be processing the request. */
const LOOKUP_PAUSES_MS = [0, 300]
export const PAUSES_AFTER_TIMEOUT_MS = [0, 700, 2000]

export function pausesBeforeLookups(error: AppError): readonly number[] {
  const { status, cause } = failureIn(error)
  return status === 504 || errorCode(cause) === 'ETIMEDOUT' ? PAUSES_AFTER_TIMEOUT_MS : LOOKUP_PAUSES_MS
}

export function recovered(): Accepted {
  const description = 'The answer got lost; the return shows the update'
  return { acknowledgement: { statusCode: 'OK', description }, applied: null, outcome: 'recovered' }
}

interface WriteInDoubt {
  error: AppError
  /** `the label of SHP-1 was made` */
  what: string
  hints: readonly string[]
  pauses?: readonly number[]
  sleep: (ms: number) => Promise<void>
  /** True if the request may take effect after the lookups, unless answered with 503. */
  mayApplyLate?: boolean
}

/** Looks up the effect of a write several times. @returns undefined if it may be sent again @throws AppError `unknown` */
export async function settledWrite<T>(
  { error, what, hints, pauses = pausesBeforeLookups(error), sleep, mayApplyLate }: WriteInDoubt,
  lookUp: () => Promise<T | 'not-happened' | 'open'>,
): Promise<T | undefined> {
  let isUndone = false
  const interrupted = () => {
    throw rewordError(error, `Interrupted: it is not known whether ${what}.`, { kind: 'interrupted', hints })
  }
  for (const waitMs of pauses) {
    if (waitMs > 0) await sleep(waitMs).catch(interrupted)
    // A failed lookup leaves the outcome open.
    const seen = await lookUp().catch((failure: unknown) => {
      rethrowInterruption(failure)
      return 'open' as const
    })
    if (seen !== 'not-happened' && seen !== 'open') return seen
    isUndone = seen === 'not-happened'
  }
  if (isUndone && (!mayApplyLate || error.status === 503)) return undefined
  throw rewordError(error, `It is not known whether ${what}: ${failureIn(error).message}`, {
    kind: 'unknown',
    hints,
  })
}

interface Acknowledged {
  acknowledgement: Partial<Acknowledgement>
  /** Null if the answer does not say. */
  applied: boolean | null
  reason?: NotApplied
}

/**
 * An unknown or missing `statusCode` counts as success, and is noted.
 * @throws AppError `rejected` if `statusCode` says so, `contract` if the body is not an object
 */
export function readAcknowledgement(answer: HttpResponse, deviations: SpecDeviations): Acknowledged {
  const acknowledgement: Partial<Acknowledgement> = readAnswer(answer, recordIn)
  const { description } = acknowledgement
  const isRefusal = at(acknowledgement, 'success') === false || Boolean(at(acknowledgement, 'error'))
  const statusCode = acknowledgement.statusCode ?? (isRefusal ? 'FAILED' : undefined)
  const meaning = statusCodeMeaning(statusCode)
  switch (meaning) {
    case 'applied':
      return { acknowledgement, applied: true }
    case 'duplicate':
    case 'stale':
      return { acknowledgement, applied: false, reason: meaning }
    case 'rejected': {
      const { status, requestId } = answer
      const code = String(statusCode)
      const reasons = description ? [{ message: String(description) }] : detailsOf(acknowledgement)
      const message = reasons.map((one) => one.message).join('; ') || 'no reason was given'
      throw new AppError('rejected', `The service answered ${status}, but with the statusCode ${code}`, {
        details: [{ code, message }],
        status,
        requestId,
      })
    }
    case 'unclear':
      if (statusCode === undefined) deviations.add('answers[].statusCode', 'missing')
      else deviations.add('answers[].statusCode', 'unknown-value', String(statusCode))
      return { acknowledgement, applied: null }
  }
}

/** Compares the return's name in an id (`R#-1-T5`) with those in an answer, or searches for other ids. */
export function ownerInText(text: string, id: string): AnswerOwner {
  const [key, said] = [id.toUpperCase(), text.toUpperCase()]
  const names = (key.startsWith('R#-') && said.match(/R#-[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu)) || []
  if (names.length === 0) return said.includes(key) ? 'own' : 'nothing'
  return names.some((name) => key.startsWith(name) || name.startsWith(key)) ? 'own' : 'other'
}
