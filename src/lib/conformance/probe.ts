import { asText, at, list } from '../wire/raw.ts'
import { Departure, must } from './observed.ts'

export interface ProbedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** Relative to the base URL, from a slash on, its parameters encoded. */
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** Changes nothing, whatever the method. */
  isRead?: boolean
  /** Header made of the profile's token, undefined for none; by default the token itself. */
  authorization?: (token: string) => string | undefined
}

export interface ProbeAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
  /** Undefined for an empty body or another format. */
  body: unknown
}

/** How checks see a platform. @throws AppError if no answer comes */
export type Probe = (request: ProbedRequest) => Promise<ProbeAnswer>

/** Spec §7. */
const CODE_FORM = /^[A-Z]{2}\d+$/

/** `HTTP 400 VA01` */
export function seen({ status, body }: ProbeAnswer): string {
  const codes = errorsOf(body).map(({ code }) => code ?? 'no code')
  return [`HTTP ${status}`, ...codes.slice(0, 3)].join(' ')
}

/** @throws Departure for another status */
export function mustAnswer(answer: ProbeAnswer, status: number, to = ''): string {
  const words = to === '' ? seen(answer) : `${seen(answer)} to ${to}`
  return must(answer.status === status, words)
}

/** @throws Departure for another status, or another code of the first error */
export function mustAnswerCode(answer: ProbeAnswer, status: number, code: string, to = ''): string {
  const words = mustAnswer(answer, status, to)
  must(errorsOf(answer.body)[0]?.code === code, `${words}, not ${code}`)
  return words
}

/** @throws Departure unless the answer is a 4xx */
export function mustRefuse(answer: ProbeAnswer, to = ''): string {
  const words = to === '' ? seen(answer) : `${seen(answer)} to ${to}`
  return must(answer.status >= 400 && answer.status < 500, words)
}

/** The errors of a refusal, each with what is text of it (spec §7). */
export function errorsOf(body: unknown): { code: string | undefined; message: string }[] {
  return list(at(body, 'errors')).map((error) => ({
    code: asText(at(error, 'code')),
    message: asText(at(error, 'message')) ?? '',
  }))
}

/** @throws Departure unless the body has the form of errors (spec §7) */
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
