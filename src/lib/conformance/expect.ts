import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { shapeOf } from '../wire/fields.ts'
import { asText, at, isRecord, list } from '../wire/raw.ts'
import { type Form, isInteger, isNumber, isText, SpecDeviations } from '../wire/read.ts'
import { acknowledgementSchema } from '../wire/tracking.ts'

export class Departure extends Error {
  override readonly name = 'Departure'
}

export class Skipped extends Error {
  override readonly name = 'Skipped'
}

export interface ProbedRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  path: string
  query?: Readonly<Record<string, string | number | undefined>>
  body?: unknown
  /** True for a `POST` that changes nothing. */
  isRead?: boolean
  /** Returns undefined to send no header. */
  authorization?: (token: string) => string | undefined
}

export interface ProbeAnswer {
  status: number
  headers: Readonly<Record<string, string>>
  text: string
  body: unknown
}

/** @throws AppError if no answer comes */
export type Probe = (request: ProbedRequest) => Promise<ProbeAnswer>

export const get = (path: string, query = {}): ProbedRequest => ({ method: 'GET', path, query })

const taking =
  (method: ProbedRequest['method'], path: string, isRead?: boolean) =>
  (body: unknown): ProbedRequest => ({ method, path, body, isRead })

export const toMethods = taking('POST', '/return_methods', true)
export const toPudos = taking('POST', '/pudos', true)
export const toLabels = taking('POST', '/shipping_labels')
export const toLabelUpdate = taking('PUT', '/shipping_labels')
export const toTracking = taking('POST', '/shipping_trackings')

export function must(isSo: unknown, observed: string): string {
  if (!isSo) throw new Departure(observed)
  return observed
}

export function need<T>(value: T | null | undefined, why: string): T {
  if (value === undefined || value === null) throw new Skipped(why)
  return value
}

export type Complaint<T> = (record: T) => string | false | null | undefined

/** @throws Skipped without records, Departure with the first complaint */
export function each<T>(records: readonly T[], noun: string, complaint: Complaint<T>): string {
  if (records.length === 0) throw new Skipped(`no ${noun} to look at`)
  const complaints = records.map(complaint).filter((text) => typeof text === 'string')
  const [first] = complaints
  if (first === undefined) return `${noun}: ${records.length}`
  const others = complaints.length === 1 ? '' : ` (${complaints.length} of ${records.length} ${noun})`
  throw new Departure(first + others)
}

/** @param path such as `shippingLabels.0.format` */
export function mustShow(record: unknown, path: string, expected: unknown): string {
  const shown = path.split('.').reduce<unknown>(at, record)
  const observed = `${path} ${JSON.stringify(shown)}`
  if (isDeepStrictEqual(shown, expected)) return observed
  throw new Departure(`${observed}, not ${JSON.stringify(expected)}`)
}

export function errorsOf({ body }: ProbeAnswer): { code: string | undefined; message: string }[] {
  return list(at(body, 'errors')).map((error) => ({
    code: asText(at(error, 'code')),
    message: asText(at(error, 'message')) ?? '',
  }))
}

/** `HTTP 400 VA01 to GET /returns` */
export function seen(answer: ProbeAnswer, to = ''): string {
  const codes = errorsOf(answer).map(({ code }) => code ?? 'no code')
  return [`HTTP ${answer.status}`, ...codes.slice(0, 3), ...(to && ['to', to])].join(' ')
}

/** Expects `200`, `404 LB03` or `4xx`. */
export function mustBe(answer: ProbeAnswer, expected: string, to = ''): string {
  const pattern = new RegExp(`^${expected.replace('xx', '\\d\\d')}\\b`)
  if (pattern.test(`${answer.status} ${errorsOf(answer)[0]?.code}`)) return seen(answer, to)
  throw new Departure(`${seen(answer, to)}, not ${expected}`)
}

/** Expects 200 with an acknowledgement. */
export function mustAcknowledge(answer: ProbeAnswer): string {
  const words = mustBe(answer, '200')
  mustFit(acknowledgementSchema.partial(), [answer.body], 'answers')
  return words
}

export function mustHaveErrors(answer: ProbeAnswer, to: string): string {
  const [errors, words] = [errorsOf(answer), seen(answer, to)]
  must(errors.length > 0, `${words}: no errors list in the body`)
  for (const { code = '', message } of errors) {
    must(/^[A-Z]{2}\d+$/.test(code), `${words}: the code ${JSON.stringify(code)}`)
    must(message, `${words}: an error without a message`)
  }
  return words
}

/** Returns a copy without the field at `path`, such as `parcels.0.items`. */
export function without<T extends object>(request: T, path: string): T {
  const copy = structuredClone(request)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const inner = steps.reduce<unknown>(at, copy)
  if (isRecord(inner)) Reflect.deleteProperty(inner, last)
  return copy
}

interface FitOptions {
  open?: RegExp
  /** True for unknown values only, false for other deviations only. */
  values?: boolean
}

/** Compares JSON with a schema's types. Unlike readers it refuses a number sent as text. */
export function mustFit(
  schema: z.ZodType,
  records: readonly unknown[],
  noun: string,
  { open, values }: FitOptions = {},
): string {
  if (records.length === 0) throw new Skipped(`no ${noun} to look at`)
  const [form, found] = [shapeOf(schema), new SpecDeviations()]
  for (const record of records) {
    const ofRecord = new SpecDeviations()
    compare(form, record, noun, ofRecord)
    for (const { path, problem, values: unknown = [] } of ofRecord.entries())
      found.add(path, problem, ...unknown)
  }
  const [first, ...others] = found
    .entries()
    .filter(({ path, problem }) => !open?.test(path) && values !== (problem !== 'unknown-value'))
  if (first === undefined) return `${noun}: ${records.length}`
  const { path, problem, values: unknown = [], records: count } = first
  const words = [path, problem.replace('-', ' '), ...unknown, `in ${count} of ${records.length}`].join(' ')
  throw new Departure([words, ...others.map((other) => other.path)].join('; '))
}

function compare(form: Form, value: unknown, path: string, found: SpecDeviations) {
  if (value === undefined || value === null) {
    if (!form.mayBeAbsent) found.add(path, 'missing')
  } else if (form.kind === 'record' && isRecord(value)) {
    for (const field of form.fields) compare(field.form, value[field.name], `${path}.${field.name}`, found)
  } else if (form.kind === 'list' && Array.isArray(value)) {
    for (const item of value) compare(form.item, item, `${path}[]`, found)
  } else if (form.kind === 'choice' && typeof value === 'string') {
    if (!form.values.includes(value)) found.add(path, 'unknown-value', value)
  } else if (!isOfKind(form.kind, value, path)) {
    found.add(path, 'wrong-type', typeof value)
  }
}

/** The specification declares `carrierService.code` as a number and uses it as text (spec §2.7). */
const NUMBER_OR_TEXT = /\.carrierService\.code$/

function isOfKind(kind: Form['kind'], value: unknown, path: string) {
  if (kind === 'text' && NUMBER_OR_TEXT.test(path)) return isText(value)
  if (typeof value === 'string') return kind === 'string' || kind === 'key' || kind === 'text'
  if (kind === 'boolean') return typeof value === 'boolean'
  return (kind === 'number' && isNumber(value)) || (kind === 'integer' && isInteger(value))
}
