import { AppError } from '../../errors.ts'
import {
  type AnswerFailure,
  errorFrom,
  errorInSuccess,
  type FailureContext,
  type HttpResponse,
  ofEffect,
} from './error-map.ts'
import type { NetworkFailure } from './network-failure.ts'

export type AttemptOutcome = AnswerFailure | NetworkFailure

export interface AttemptResult {
  outcome: AttemptOutcome
  context: FailureContext
}

/** @throws AppError for everything that is not a readable answer of 2xx */
export function successOf({ outcome, context }: AttemptResult, gaveUp?: string): HttpResponse {
  if (!isSuccess(outcome)) throw errorFrom(outcome, { ...context, gaveUp })
  const error = errorInSuccess(outcome, context)
  if (error) throw error
  return outcome
}

/** Reads the answer to a write. @throws AppError `unknown` if it has another shape */
export function readSurely<T>(result: AttemptResult, read: (answer: HttpResponse) => T): T {
  const answer = successOf(result)
  try {
    return read(answer)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'contract') throw error
    throw ofEffect(error, result.context)
  }
}

export function isSuccess(outcome: AttemptOutcome): outcome is AnswerFailure {
  return outcome.kind === 'response' && outcome.status >= 200 && outcome.status < 300
}
