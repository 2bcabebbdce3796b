import { AppError, errorCode, rewordError } from '../errors.ts'
import type { Acknowledged } from './acknowledgement.ts'
import { failureIn } from './http/error-map.ts'

export type Look = 'happened' | 'not-happened' | 'open'

export interface Taken extends Acknowledged {
  outcome: 'accepted' | 'recovered'
}

/** Pauses before looks: a service that timed out may still be at work. */
const LOOKS_AFTER_MS = [0, 300]
const LOOKS_AFTER_TIMEOUT_MS = [0, 700, 2000]

export function pausesBeforeLooks(error: AppError): readonly number[] {
  const { status, cause } = failureIn(error)
  return status === 504 || errorCode(cause) === 'ETIMEDOUT' ? LOOKS_AFTER_TIMEOUT_MS : LOOKS_AFTER_MS
}

/** Looks several times. A platform that can't be asked leaves it open. */
export async function settle(
  error: AppError,
  look: () => Promise<Look>,
  sleep: (ms: number) => Promise<void>,
): Promise<Look> {
  let last: Look = 'open'
  for (const waitMs of pausesBeforeLooks(error)) {
    if (waitMs > 0) await sleep(waitMs)
    try {
      last = await look()
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.kind === 'interrupted') throw cause
      last = 'open'
    }
    if (last === 'happened') return last
  }
  return last
}

export function recovered(what: string): Taken {
  const description = `The answer got lost; the return shows the ${what}`
  return { acknowledgement: { statusCode: 'OK', description }, applied: null, outcome: 'recovered' }
}

/** @param what `the label of SHP-1 was made` */
export function unsettled(error: AppError, what: string, hints: readonly string[]): AppError {
  const message = `It is not known whether ${what}: ${failureIn(error).message}`
  return rewordError(error, message, { kind: 'unknown', hints })
}
