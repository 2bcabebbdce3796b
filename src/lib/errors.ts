import { distance } from 'fastest-levenshtein'
import { unreadable } from './system-errors.json'

/** Scripts rely on these numbers: a change is a breaking one. */
export const EXIT_CODES = {
  bug: 1,
  usage: 2,
  config: 3,
  auth: 4,
  'not-found': 5,
  rejected: 6,
  unavailable: 7,
  contract: 8,
  partial: 9,
  unknown: 10,
  interrupted: 130,
} as const

export type ErrorKind = keyof typeof EXIT_CODES

/** `errors[].carrierErrors[]` of an answer (spec §7). */
export interface CarrierErrorDetail {
  carrierName?: string
  carrierService?: string
  code?: string
  message?: string
}

/** One line below the message: an `errors[]` entry of the service (spec §7), or a place in the user's input. */
export interface ErrorDetail {
  code?: string
  message: string
  /** Place in the input: `parcels[0].weight`, `row 12, column "date"`. */
  path?: string
  carrierErrors?: CarrierErrorDetail[]
}

interface AppErrorOptions {
  hints?: readonly string[]
  details?: readonly ErrorDetail[]
  status?: number
  requestId?: string
  cause?: unknown
}

/** The only error that the tool raises on purpose; everything else that reaches the top is a bug of ours. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly hints: readonly string[]
  readonly details: readonly ErrorDetail[]
  readonly status: number | undefined
  readonly requestId: string | undefined

  constructor(
    readonly kind: ErrorKind,
    message: string,
    options: AppErrorOptions = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.hints = options.hints ?? []
    this.details = options.details ?? []
    this.status = options.status
    this.requestId = options.requestId
  }

  get exitCode(): number {
    return EXIT_CODES[this.kind]
  }
}

/** Makes an error with remedies, printed as `Try: …`. */
export function appError(kind: ErrorKind, message: string, ...hints: readonly string[]): AppError {
  return new AppError(kind, message, { hints })
}

/** Makes an error with remedies that has a cause. */
export function causedBy(
  cause: unknown,
  kind: ErrorKind,
  message: string,
  ...hints: readonly string[]
): AppError {
  return new AppError(kind, message, { hints, cause })
}

/** Quotes a word of a printed command for the shell. */
export function quotedWord(word: string): string {
  if (/\p{Cc}/u.test(word)) return `$'${JSON.stringify(word).slice(1, -1).replaceAll("'", "\\'")}'`
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** Input that the user has to change. */
export function usageError(message: string, ...hints: readonly string[]): AppError {
  return appError('usage', message, ...hints)
}

/** @throws AppError `interrupted` */
export function assertNotInterrupted(signal: AbortSignal) {
  if (signal.aborted) throw new AppError('interrupted', 'Interrupted.')
}

export function isOfKind(error: unknown, ...kinds: readonly ErrorKind[]): error is AppError {
  return error instanceof AppError && kinds.includes(error.kind)
}

/** Throws the error again if it is of another kind. */
export function rethrowUnless(error: unknown, ...kinds: readonly ErrorKind[]): asserts error is AppError {
  if (!isOfKind(error, ...kinds)) throw error
}

/** Throws the error again if it is a bug, which is not an AppError. */
export function rethrowBug(error: unknown): asserts error is AppError {
  if (!(error instanceof AppError)) throw error
}

/** Throws bugs and interruptions again. */
export function rethrowInterruption(error: unknown): asserts error is AppError {
  if (!isFailure(error)) throw error
}

/** False for bugs, which are no AppError, and for an interruption. */
export function isFailure(error: unknown): error is AppError {
  return error instanceof AppError && error.kind !== 'interrupted'
}

/** Returns the failure in other words, with the original as its `cause`. Unchanged properties stay. */
export function rewordError(
  cause: AppError,
  message: string,
  changes: Pick<AppErrorOptions, 'hints' | 'details'> & { kind?: ErrorKind } = {},
): AppError {
  const { hints, details, status, requestId } = cause
  const { kind = cause.kind, ...others } = changes
  return new AppError(kind, message, { hints, details, status, requestId, ...others, cause })
}

/** Returns the failure with more remedies. */
export function withHints(error: AppError, ...hints: readonly string[]): AppError {
  return rewordError(error, error.message, { hints: [...error.hints, ...hints] })
}

/** Turns failures of some kinds into undefined. */
export async function unless<T>(waiting: Promise<T>, ...kinds: ErrorKind[]): Promise<T | undefined> {
  try {
    return await waiting
  } catch (error) {
    rethrowUnless(error, ...kinds)
    return undefined
  }
}

/** Why a file that was named can not be read, by the code of the system call. */
export const UNREADABLE: Readonly<Record<string, string>> = unreadable

/** Returns the known word nearest to a mistyped one, for a `Try: …` line; undefined if none is near. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Number.POSITIVE_INFINITY
  for (const candidate of known) {
    const far = nearness(word, candidate) ?? Number.POSITIVE_INFINITY
    if (far < bestDistance) {
      best = candidate
      bestDistance = far
    }
  }
  return best
}

/** Returns a hint at the known word nearest to a mistyped one; empty if none is near. */
export function nearHints(
  word: string,
  known: readonly string[],
  inWords = (near: string) => `did you mean ${near}?`,
): string[] {
  const near = nearest(word, known)
  return near === undefined ? [] : [inWords(near)]
}

/** Returns the number of typos between two words, in any case; undefined if there are too many. A beginning counts as one. */
export function nearness(word: string, known: string): number | undefined {
  const [small, other] = [word.toLowerCase(), known.toLowerCase()]
  if (small.length > 1 && other.startsWith(small)) return small === other ? 0 : 1
  const most = word.length < 4 ? 1 : Math.max(2, Math.floor(word.length / 3))
  // The comparison of a long word takes seconds.
  if (Math.abs(word.length - known.length) > most) return undefined
  // Two letters the wrong way round are one mistake.
  const swapped = [...small.slice(1)].map(
    (letter, at) => small.slice(0, at) + letter + small[at] + small.slice(at + 2),
  )
  const far = Math.min(distance(small, other), ...swapped.map((one) => 1 + distance(one, other)))
  return far <= most ? far : undefined
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** `ENOENT` and the like of a failed system call. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

/** Code of a failed system call. Throws other errors again. */
export function systemCode(error: unknown): string {
  const code = errorCode(error)
  if (code === undefined) throw error
  return code
}
