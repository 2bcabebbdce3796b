import {
  AppError,
  causedBy,
  type ErrorDetail,
  type ErrorKind,
  errorCode,
  quotedWord,
  rethrowUnless,
  rewordError,
} from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { stringifyJson } from '../../wire/json.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import { fitted } from '../../wire/read.ts'
import { errorBodyShape } from '../../wire/shapes.ts'
import type { ErrorBody } from '../../wire/tracking.ts'
import { isCertificateCode, type NetworkFailure } from './network-failure.ts'
import { pathHint } from './origin-guard.ts'
import { isRead, isUnreadable, mayHaveHappened } from './retry-policy.ts'

export interface HttpResponse {
  status: number
  headers: Readonly<Record<string, string>>
  /** JSON value; `undefined` for an empty body. */
  body: unknown
  text: string
  requestId: string | undefined
}

export interface AnswerFailure extends HttpResponse {
  kind: 'response'
  unreadable?: string
}

interface FailureContext {
  method: string
  isReading?: boolean
  url: URL
  hasToken: boolean
  tokenSource?: string
  /** Flags for commands that are printed, ` --profile live`. */
  targetFlags: string
  attempts: number
  timeoutMs: number
  via?: string
  /** Reason for not trying again. */
  gaveUp?: string
}

/**
 * Maps statuses and network failures to error kinds, and so to exit codes (spec §7). A write that may have happened
 * becomes `unknown`.
 */
export function errorFrom(failure: AnswerFailure | NetworkFailure, context: FailureContext) {
  const error = failure.kind === 'network' ? networkError(failure, context) : answerError(failure, context)
  return mayHaveHappened(failure) ? unknownIfWrite(error, context) : error
}

/** Finds a rejection that came as 2xx, which the spec leaves open. */
function errorInSuccess(answer: AnswerFailure, context: FailureContext) {
  const { unreadable } = answer
  if (unreadable !== undefined) {
    return unknownIfWrite(contractError(answer, `The answer to ${called(context)} ${unreadable}`), context)
  }
  if (!isRejectionOnly(answer.body)) return undefined
  return new AppError('rejected', `The service rejected ${called(context)}`, described(answer))
}

export function contractError(answer: HttpResponse, what: string, cause?: unknown) {
  const type = answer.headers['content-type'] ?? 'no content type'
  const shown = answer.text.trim() === '' ? 'empty body' : `it begins: ${excerpt(answer.text)}`
  return new AppError('contract', `${what} (HTTP ${answer.status}, ${excerpt(type, 80)}); ${shown}`, {
    status: answer.status,
    requestId: answer.requestId,
    hints: ['check that the base URL leads to the service itself, version path included'],
    cause,
  })
}

/** Makes a write's error `unknown`. Its `cause` is shown if a lookup finds that nothing happened. */
function unknownIfWrite(cause: AppError, context: FailureContext) {
  if (context.isReading || isRead(context.method)) return cause
  return rewordError(cause, `${called(context)} may or may not have happened: ${cause.message}`, {
    kind: 'unknown',
    hints: ['look whether it happened before you send it again'],
  })
}

export function failureIn(error: AppError) {
  return error.kind === 'unknown' && error.cause instanceof AppError ? error.cause : error
}

export function isCertificateFailure(error: AppError) {
  return isCertificateCode(errorCode(failureIn(error).cause) ?? '')
}

function answerError(answer: AnswerFailure, context: FailureContext) {
  const { status } = answer
  const options = described(answer)
  const fail = (kind: ErrorKind, message: string, ...hints: string[]) =>
    new AppError(kind, message, { ...options, hints })

  if (status === 401) return authError(options, context)
  if (status === 404) {
    // Another server may have answered without an error body.
    const hint = options.details.length === 0 ? ['check the base URL, version path included'] : []
    return fail('not-found', `Not found: ${called(context)}`, ...pathHint(context), ...hint)
  }
  if (status === 407) {
    return fail('unavailable', `The proxy ${context.via ?? ''} asks for a user name and password`, PROXY_HINT)
  }
  if (status >= 300 && status < 400) return redirectError(answer, context)
  if (status === 429) {
    const why = context.gaveUp ?? `still after ${counted(context.attempts, 'attempt')}`
    return fail(
      'unavailable',
      `The service limits the rate of requests: ${why}`,
      context.gaveUp ? 'the same again after that' : 'wait a while, or raise --retries',
    )
  }
  if (status >= 500 || status === 408) return serverError(answer, context)
  if (status >= 400) {
    const hints = asksForShop(options) ? ['name the shop with --shop CODE, or set it in the profile'] : []
    return fail('rejected', `The service rejected ${called(context)} with HTTP ${status}`, ...hints)
  }
  return contractError(
    answer,
    `${called(context)} was answered with a status that the specification does not have`,
  )
}

export function asksForShop({ details }: { details: readonly ErrorDetail[] }) {
  return details.some(({ code }) => code === 'SC01')
}

function serverError(answer: AnswerFailure, context: FailureContext) {
  const { status } = answer
  const options = described(answer)
  const message = excerpt(answer.text)
  const saysMore = options.details.length === 0 && /[\p{L}\p{N}]/u.test(message)
  const details = saysMore ? [{ message }] : options.details
  const after = context.gaveUp ?? counted(context.attempts, 'attempt')
  return new AppError(
    'unavailable',
    `The service failed on ${called(context)} with HTTP ${status} (${after})`,
    { ...options, details, hints: ['the same again later'] },
  )
}

function authError(
  options: ReturnType<typeof described>,
  { url: { host }, hasToken, tokenSource, targetFlags }: FailureContext,
) {
  const [, file] = /^--token-file (.*)$/s.exec(tokenSource ?? '') ?? []
  const from = file === undefined ? '' : ` --token-file ${quotedWord(file)}`
  const look = `see what it says with: rma auth status${targetFlags}${from}`
  const renewal = tokenSource
    ? `the token comes from ${tokenSource}: renew it there`
    : `sign in again with: rma auth login${targetFlags}`
  const hints = hasToken
    ? [...(tokenSource === 'standard input' ? [] : [look]), renewal]
    : [`sign in with: rma auth login${targetFlags}`, 'or set RMA_TOKEN, or give --token-file']
  const problem = hasToken
    ? 'did not accept the token: it is invalid or has expired'
    : 'wants a token and none was given'
  return new AppError('auth', `${host} ${problem}`, { ...options, hints })
}

function redirectError(answer: AnswerFailure, context: FailureContext) {
  const { location = '' } = answer.headers
  const target =
    location && URL.canParse(location, context.url.href) ? new URL(location, context.url) : undefined
  const where = target ? `to ${excerpt(target.origin)}` : 'without saying where to'
  return new AppError(
    'contract',
    `${called(context)} was redirected ${where} (HTTP ${answer.status}); not followed, the token was not sent there`,
    {
      status: answer.status,
      requestId: answer.requestId,
      hints: target
        ? ['if that is where the service lives now, set it with --base-url or rma profiles set']
        : [],
    },
  )
}

const PROXY_HINT = 'check HTTPS_PROXY, HTTP_PROXY and NO_PROXY (http://USER:PASSWORD@HOST:PORT)'

function networkError(failure: NetworkFailure, context: FailureContext) {
  const { code, words, cause } = failure
  const where = context.url.origin

  if (isCertificateCode(code)) {
    return causedBy(
      cause,
      'unavailable',
      `No secure connection to ${where}: ${words}`,
      'if a private authority signed it, give its certificate with --ca-file FILE',
    )
  }
  const through = context.via ? ` through the proxy ${context.via}` : ''
  if (failure.phase === 'before-send') {
    const hint = context.via ? PROXY_HINT : 'check the base URL and the network'
    return causedBy(cause, 'unavailable', `Could not reach ${where}${through}: ${words}`, hint)
  }
  if (isUnreadable(code)) {
    const hint = 'check that the base URL leads to the service itself, with http:// or https:// as it speaks'
    const hints = code.startsWith('HPE_') && code !== 'HPE_HEADER_OVERFLOW' ? [hint] : []
    return causedBy(cause, 'contract', `The answer to ${called(context)} can't be read: ${words}`, ...hints)
  }
  const what =
    code === 'ETIMEDOUT'
      ? `No answer from ${where}${through} within ${context.timeoutMs / 1000} s`
      : `The exchange with ${where}${through} failed: ${words}`
  const hint = code === 'ETIMEDOUT' ? 'allow more time with --timeout SECONDS' : 'the same again later'
  return causedBy(cause, 'unavailable', `${what} (${counted(context.attempts, 'attempt')})`, hint)
}

function described({ status, requestId, body }: AnswerFailure) {
  return { status, requestId, details: detailsOf(body) }
}

function called({ method, url }: FailureContext) {
  return `${method} ${url.pathname}`
}

function excerpt(text: string, length = 200) {
  const folded = text
    .slice(0, length * 10)
    .replace(/\s+/g, ' ')
    .trim()
  return Array.from(folded).slice(0, length).join('')
}

export function requestIdOf(headers: Readonly<Record<string, string>>, body: unknown): string | undefined {
  return headers['x-request-id'] ?? text(errorBody(body)?.requestId)
}

export function detailsOf(body: unknown): ErrorDetail[] {
  const listed = errorBody(body)?.errors ?? []
  if (listed.length === 0) return otherDetails(body)
  return listed.map(({ code, message, carrierErrors }) => ({
    code: text(code),
    message: message ?? 'no message',
    carrierErrors: carrierErrors?.map((error) => ({
      carrierName: text(error.carrierName),
      carrierService: text(error.carrierService),
      code: text(error.code),
      message: error.message ?? undefined,
    })),
  }))
}

function errorBody(body: unknown): ErrorBody | undefined {
  return isRecord(body) ? fitted(errorBodyShape, body as ErrorBody) : undefined
}

/** Gateways have error bodies of their own. */
function otherDetails(body: unknown) {
  const texts = ['message', 'error_description', 'error', 'detail', 'title'].map((key) => at(body, key))
  const message = texts.find((value) => typeof value === 'string' && value !== '')
  if (typeof message === 'string') return [{ message }]
  const errors = at(body, 'errors') ?? null
  return isEmpty(errors) ? [] : [{ message: stringifyJson(errors).slice(0, 200) }]
}

function isRejectionOnly(body: unknown) {
  if (!isRecord(body) || list(body.errors).length === 0) return false
  const { errors, error, meta, pageInfo, id, statusCode, ...rest } = body
  return (
    !(id || statusCode) && Object.values(rest).every((value) => typeof value !== 'object' || isEmpty(value))
  )
}

function isEmpty(value: unknown) {
  return value === null || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
}

function text(value: unknown) {
  return value === undefined || value === null ? undefined : String(value)
}

export interface AttemptResult {
  outcome: AnswerFailure | NetworkFailure
  context: FailureContext
}

/** @throws AppError, `unknown` for a write whose answer can't be read */
export function readSuccess<T>({ outcome, context }: AttemptResult, read: (answer: HttpResponse) => T): T {
  if (outcome.kind === 'network' || outcome.status < 200 || outcome.status >= 300)
    throw errorFrom(outcome, context)
  const rejection = errorInSuccess(outcome, context)
  if (rejection) throw rejection
  try {
    return read(outcome)
  } catch (error) {
    rethrowUnless(error, 'contract')
    throw unknownIfWrite(error, context)
  }
}
