import { AppError } from '../errors.ts'
import type { Departures } from '../wire/read.ts'
import { meaningOf, type NotApplied } from '../wire/tracking/status-code.ts'
import type { Acknowledgement } from '../wire/tracking.ts'
import { detailsOf } from './http/error-details.ts'
import type { HttpResponse } from './http/error-map.ts'
import type { Named } from './http/turns.ts'
import { readAnswer, recordIn } from './resource.ts'

export interface Acknowledged {
  acknowledgement: Partial<Acknowledgement>
  /** Null if the answer does not say. */
  applied: boolean | null
  reason?: NotApplied | undefined
}

/**
 * An unknown or missing `statusCode` counts as success, and is noted.
 * @throws AppError `rejected` if `statusCode` says so, `contract` if the body is no object
 */
export function readAcknowledgement(answer: HttpResponse, departures: Departures): Acknowledged {
  const acknowledgement: Partial<Acknowledgement> = readAnswer(answer, recordIn)
  const { statusCode, description } = acknowledgement
  const meaning = meaningOf(statusCode)
  switch (meaning) {
    case 'applied':
      return { acknowledgement, applied: true }
    case 'duplicate':
    case 'stale':
      return { acknowledgement, applied: false, reason: meaning }
    case 'rejected': {
      const { status, requestId } = answer
      const code = String(statusCode)
      const said = description ? [{ message: String(description) }] : detailsOf(acknowledgement)
      const message = said.map((one) => one.message).join('; ') || 'no reason was given'
      const details = [{ code, message }]
      throw new AppError('rejected', `The service answered ${status}, but with the statusCode ${code}`, {
        details,
        status,
        requestId,
      })
    }
    case 'unclear':
      if (statusCode === undefined || statusCode === null) departures.add('answers[].statusCode', 'missing')
      else departures.add('answers[].statusCode', 'unknown-value', String(statusCode))
      return { acknowledgement, applied: null }
  }
}

/** Compares the names of returns in an answer. An id may extend a name (`R#-1-T5`), or a name an id. */
export function namedIn(text: string, id: string): Named {
  const names = text.match(/R#-[\p{L}\p{N}_-]*[\p{L}\p{N}]/gu) ?? []
  if (names.length === 0) return text.includes(id) ? 'own' : 'nothing'
  return names.some((name) => id.startsWith(name) || name.startsWith(id)) ? 'own' : 'other'
}
