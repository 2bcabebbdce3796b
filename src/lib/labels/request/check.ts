import type * as z from 'zod'
import type { ErrorDetail } from '../../errors.ts'
import { isCountry, isCurrency } from '../../wire/codes.ts'
import { type LabelRequest, labelRequestSchema } from '../../wire/labels.ts'
import { at, list, numeric, text } from '../../wire/raw.ts'
import { phoneProblem, postalCodeProblem } from './country-shapes.ts'

export type Checked = (
  | { request: LabelRequest; problems: [] }
  | { request?: undefined; problems: ErrorDetail[] }
) & {
  /** What is odd, but may be meant. */
  warnings: ErrorDetail[]
}

/** Adds a problem at a place such as `parcels[0].weight`. */
type Note = (path: string, message: string) => void

/** A parcel that weighs more is no parcel: the weight is not in grams. */
const MAX_PARCEL_GRAMS = 1_000_000
/** Weights in kilograms are rounded. */
const WEIGHT_TOLERANCE_GRAMS = 1

/**
 * Checks a request for a label (spec §4.2, revision 1.4) as far as that can be done here: required fields, types,
 * codes, postal codes, phones, tags, weights. All problems at once.
 */
export function checkLabelRequest(input: unknown): Checked {
  const problems: ErrorDetail[] = []
  const warnings: ErrorDetail[] = []
  const note: Note = (path, message) => problems.push({ path, message })
  const warn: Note = (path, message) => warnings.push({ path, message })
  const parsed = labelRequestSchema.safeParse(input)
  if (!parsed.success) noteIssues(parsed.error.issues, input, note)
  // What has the right type is checked further, even though something else has not: one round for all of it.
  checkParties(input, note)
  checkTags(input, note)
  for (const [index, parcel] of list(at(input, 'parcels')).entries()) {
    checkParcel(parcel, `parcels[${index}]`, note, warn)
  }
  noteRepeated(input, note)
  return parsed.success && problems.length === 0
    ? { request: parsed.data, problems: [], warnings }
    : { problems, warnings }
}

function noteIssues(issues: readonly z.core.$ZodIssue[], input: unknown, note: Note): void {
  for (const issue of issues) {
    const value = issue.path.reduce<unknown>((parent, step) => at(parent, step), input)
    const path = pathText(issue.path)
    if (value === undefined || value === null) note(path, 'missing')
    else if (issue.code === 'invalid_value') note(path, `must be one of ${issue.values.join(', ')}`)
    else if (issue.code === 'invalid_type') note(path, `must be ${withArticle(issue.expected)}`)
    else note(path, issue.message)
  }
}

function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

function withArticle(expected: string): string {
  if (expected === 'string') return 'text'
  return `${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected === 'array' ? 'list' : expected}`.replace(
    'an list',
    'a list',
  )
}

function checkParties(input: unknown, note: Note): void {
  for (const role of ['shipper', 'origin', 'destination']) {
    const party = at(input, role)
    for (const field of role === 'shipper' ? [] : ['fullName', 'email', 'phone']) {
      if (isBlank(at(party, field))) note(`${role}.${field}`, 'missing')
    }
    const address = at(party, 'address')
    checkAddress(address, `${role}.address`, note)
    const email = text(at(party, 'email'))
    if (email?.trim() && !/^[^\s@]+@[^\s@]+\.[^\s@.]+$/.test(email)) {
      note(`${role}.email`, `${JSON.stringify(email)} is not an e-mail address`)
    }
    const phone = at(party, 'phone')
    const spoken = typeof phone === 'number' ? String(phone) : text(phone)
    const wrong = spoken?.trim() ? phoneProblem(spoken, text(at(address, 'countryCode'))) : undefined
    if (wrong) note(`${role}.phone`, wrong)
  }
}

function checkAddress(address: unknown, path: string, note: Note): void {
  for (const field of ['line1', 'city', 'postalCode']) {
    if (isBlank(at(address, field))) note(`${path}.${field}`, 'missing')
  }
  const country = text(at(address, 'countryCode'))
  if (country === undefined) return
  noteCountry(country, `${path}.countryCode`, note)
  const postalCode = text(at(address, 'postalCode'))
  const problem = postalCode?.trim() ? postalCodeProblem(postalCode, country) : undefined
  if (problem) note(`${path}.postalCode`, problem)
}

/** There, and empty: the schema has noted what is not there. */
function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function noteCountry(code: string, path: string, note: Note): void {
  if (isCountry(code)) return
  const upper = code.trim().toUpperCase()
  const better = upper === 'UK' ? 'GB' : upper
  const meant = better !== code && isCountry(better) ? `: write ${better}` : ''
  note(path, `${JSON.stringify(code)} is not an ISO 3166-1 country code of two letters${meant}`)
}

function checkTags(input: unknown, note: Note): void {
  for (const [index, tag] of list(at(input, 'tags')).entries()) {
    if (typeof tag === 'string' && !/^[^\s:][^:]*:\s*\S/.test(tag)) {
      note(`tags[${index}]`, `${JSON.stringify(tag)} is not of the form key:value`)
    }
  }
}

function checkParcel(parcel: unknown, path: string, note: Note, warn: Note): void {
  const weight = numeric(at(parcel, 'weight'))
  for (const field of ['weight', 'height', 'length', 'width']) {
    const value = numeric(at(parcel, field))
    if (value !== undefined && value <= 0) note(`${path}.${field}`, 'must be more than 0')
  }
  if (weight !== undefined && weight > 0 && weight < 1) {
    note(`${path}.weight`, `${weight} g: parcels are weighed in grams, not kilograms`)
  }
  if (weight !== undefined && weight > MAX_PARCEL_GRAMS) {
    note(`${path}.weight`, `${weight / 1000} kg: parcels are weighed in grams`)
  }
  let itemsGrams = 0
  for (const [index, item] of list(at(parcel, 'items')).entries()) {
    itemsGrams += checkItem(item, `${path}.items[${index}]`, note)
  }
  if (weight !== undefined && weight >= 1 && itemsGrams > weight + WEIGHT_TOLERANCE_GRAMS) {
    const sum = Number(itemsGrams.toFixed(3))
    warn(
      `${path}.weight`,
      `${weight} g, but its items weigh ${sum} g together (parcels in grams, each item in kilograms)`,
    )
  }
}

/** @returns grams of the item, all its pieces together */
function checkItem(item: unknown, path: string, note: Note): number {
  const [weight, quantity, price] = ['weight', 'quantity', 'unitPrice'].map((name) => numeric(at(item, name)))
  if (weight !== undefined && weight < 0) note(`${path}.weight`, 'must not be negative')
  if (quantity !== undefined && (quantity <= 0 || !Number.isInteger(quantity))) {
    note(`${path}.quantity`, 'must be a whole number of pieces, at least 1')
  }
  if (price !== undefined && price < 0) note(`${path}.unitPrice`, 'must not be negative')
  const hsCode = text(at(item, 'hsCode'))
  if (hsCode !== undefined && !/^\d{6,12}$/.test(hsCode.replace(/[. ]/g, ''))) {
    note(`${path}.hsCode`, `${JSON.stringify(hsCode)} is not an HS code: 6 digits or more`)
  }
  const currency = text(at(item, 'currencyCode'))
  if (currency !== undefined && !isCurrency(currency)) {
    note(`${path}.currencyCode`, `${JSON.stringify(currency)} is not an ISO 4217 currency code`)
  }
  const country = text(at(item, 'originCountryCode'))
  if (country !== undefined) noteCountry(country, `${path}.originCountryCode`, note)
  return (weight ?? 0) * 1000 * (quantity ?? 1)
}

function noteRepeated(input: unknown, note: Note): void {
  const seen = new Set<unknown>()
  for (const [index, parcel] of list(at(input, 'parcels')).entries()) {
    const id = at(parcel, 'clientParcelId')
    if (typeof id === 'string' && seen.has(id)) {
      note(`parcels[${index}].clientParcelId`, `${JSON.stringify(id)} is the id of another parcel already`)
    }
    seen.add(id)
  }
}
