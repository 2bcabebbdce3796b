import { errorBodySchema } from '../wire/error-body.ts'
import { Departure, must } from './check.ts'

export interface ProbedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Relative to the base URL, from a slash on, its parameters encoded. */
  path: string
  /** `undefined` values are left out. */
  query?: Readonly<Record<string, string | number | undefined>>
  /** Sent as JSON. */
  body?: unknown
  /** Changes nothing, whatever the method is. */
  isRead?: boolean
  /** The `Authorization` header, made of the profile's token; undefined: none. Without this, the token itself. */
  authorization?: (token: string) => string | undefined
}

/** An answer of any status. */
export interface ProbeAnswer {
  status: number
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>
  text: string
  /** The JSON value; undefined for an empty body or another format. */
  body: unknown
}

/** How checks see a platform. @throws AppError if no answer comes */
export type Probe = (request: ProbedRequest) => Promise<ProbeAnswer>

/** The form of an error code (spec §7). */
const CODE_FORM = /^[A-Z]{2}\d+$/

/** An answer in words: `HTTP 400 VA01`. */
export function seen({ status, body }: ProbeAnswer): string {
  const codes = errorsOf(body).map(({ code }) => code ?? 'no code')
  return [`HTTP ${status}`, ...codes.slice(0, 3)].join(' ')
}

/** @throws Departure unless the answer has that status */
export function mustAnswer(answer: ProbeAnswer, status: number, to = ''): string {
  const words = to === '' ? seen(answer) : `${seen(answer)} to ${to}`
  must(answer.status === status, words)
  return words
}

/** @throws Departure unless the answer is a 4xx */
export function mustRefuse(answer: ProbeAnswer, to = ''): string {
  const words = to === '' ? seen(answer) : `${seen(answer)} to ${to}`
  must(answer.status >= 400 && answer.status < 500, words)
  return words
}

/** The `errors` of an answer as far as they can be read (spec §7). */
export function errorsOf(body: unknown): { code: string | undefined; message: string }[] {
  const errors = errorBodySchema.safeParse(body).data?.errors ?? []
  return errors.map(({ code, message }) => ({
    code: code === undefined || code === null ? undefined : String(code),
    message: message ?? '',
  }))
}

/** @throws Departure unless the body has the documented form of errors (spec §7) */
export function mustHaveErrors(answer: ProbeAnswer, to = ''): string {
  const errors = errorsOf(answer.body)
  const where = to === '' ? seen(answer) : `${seen(answer)} to ${to}`
  if (errors.length === 0) throw new Departure(`${where}: no errors list in the body`)
  for (const { code, message } of errors) {
    must(CODE_FORM.test(code ?? ''), `${where}: the code ${JSON.stringify(code ?? null)}`)
    must(message !== '', `${where}: an error without a message`)
  }
  return where
}
