import type { FieldSpec } from '../../bulk/rows/columns.ts'
import type { RowProblem } from '../../bulk/rows/fields.ts'
import { matchWord, parseWhen } from '../../config/flag-values.ts'
import { AppError, type ErrorDetail, nearest } from '../../errors.ts'
import { type DateOrder, numericDate } from '../../mappings/date-format.ts'
import { statusInWords, TRANSPORT_WORDS } from '../../mappings/status-words.ts'
import { isTransportStatus, leadsTo, TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { isWebAddress } from '../../wire/raw.ts'
import {
  clockChangeNote,
  formatServiceDate,
  isDay,
  parseServiceDate,
  parseWallTime,
  wallTimeToInstant,
} from '../../wire/time.ts'
import { MAX_AHEAD_MS } from '../../wire/tracking/rule.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { FindByNumber } from './number-match.ts'
import FIELD_FACTS from './update-fields.json'

export type UpdateFields = Partial<Record<UpdateField, string | undefined>>

type UpdateField = keyof typeof FIELD_FACTS
export const UPDATE_FIELDS = Object.keys(FIELD_FACTS) as UpdateField[]

export const FIELDS = UPDATE_FIELDS.map((name) => ({
  name,
  ...(FIELD_FACTS[name] as Omit<FieldSpec, 'name'>),
}))
export const FIELDS_BY_NUMBER = FIELDS.filter(({ name }) => name !== 'shipmentId').map((field) =>
  field.name === 'trackingNumber' ? { ...field, required: true } : field,
)

export type FieldProblem = Omit<RowProblem, 'row' | 'column'> & { field: UpdateField }

/** `future`: too far ahead. */
export type Timing = 'dated' | 'undated' | 'future'

export interface UpdateRules {
  /** Date of updates that have none, by the platform's clock; ms since the epoch. */
  now: number
  /** IANA name, for dates without a zone. */
  zone: string
  /** Called for each date without a zone. @param doubt reading of a time that the clocks skip or show twice */
  onLocalTime?: (doubt: string | undefined) => void
  allowsUnknownStatus: boolean
  allowsFuture: boolean
  /** Leave it to a plan to judge updates dated after the end of their transport. */
  allowsAfterEnd?: boolean
  /** Take `LU105189` in a file for `R#-LU105189`. */
  looseNames?: boolean
  shop?: string
  findByNumber?: FindByNumber
  /** Order of day and month, required for `01/11/2026`. */
  dates?: DateOrder
}

/** Ignores blank texts. */
export function checkUpdate(
  fields: UpdateFields,
  options: UpdateRules,
): { update: TrackingRequest; timing: Timing; problems: FieldProblem[] } {
  const problems: FieldProblem[] = []
  const textOf = (field: UpdateField): string | undefined => fields[field]?.trim() || undefined
  const refuse = (field: UpdateField, message: string, hint?: string) => {
    problems.push({ field, value: fields[field] ?? '', message, hint })
  }
  const shipmentId = textOf('shipmentId') ?? ''
  const idProblem = checkShipmentId(shipmentId)
  if (idProblem) refuse('shipmentId', ...idProblem)
  const status = textOf('trackingStatus')
  const trackingStatus = status === undefined ? '' : knownStatus(status)
  if (status === undefined)
    refuse('trackingStatus', 'is missing', `one of ${TRANSPORTATION_STATUSES.join(', ')}`)
  else if (!isTransportStatus(trackingStatus) && !options.allowsUnknownStatus) {
    problems.push(unknownStatus(status))
  }
  const url = textOf('trackingUrl')
  if (url !== undefined && !isWebAddress(url)) refuse('trackingUrl', 'is not a web address', 'https://…')
  if ((textOf('shipmentIdType') ?? 'RETURN_NAME') !== 'RETURN_NAME') {
    refuse('shipmentIdType', 'tracking updates name shipments by return name only', 'RETURN_NAME')
  }
  const date = textOf('trackingDate')
  const nowMs = Math.floor(options.now / 1000) * 1000
  const dateMs = date === undefined ? nowMs : readDate(date, options)
  if (dateMs === undefined) refuse('trackingDate', ...dateProblem(date))
  const isFuture = dateMs !== undefined && dateMs > options.now + MAX_AHEAD_MS
  if (isFuture && !options.allowsFuture) {
    const clock = isoDate(nowMs)
    refuse(
      'trackingDate',
      `is more than 24 hours ahead: it is ${clock} now`,
      '--allow-future sends it as it is',
    )
  }
  const update: TrackingRequest = {
    shopCode: textOf('shopCode') ?? options.shop,
    shipmentId,
    shipmentIdType: 'RETURN_NAME',
    carrierName: textOf('carrierName'),
    trackingNumber: textOf('trackingNumber'),
    trackingUrl: url,
    trackingStatus,
    trackingStatusDescription: textOf('trackingStatusDescription'),
    trackingDate: isoDate(dateMs ?? nowMs),
  }
  return { update, timing: isFuture ? 'future' : date === undefined ? 'undated' : 'dated', problems }
}

/** ISO 8601 in UTC (spec §4.1). */
function isoDate(epochMs: number) {
  return formatServiceDate(epochMs, 'UTC').replace(' ', 'T')
}

const DATE_HINT = '2026-03-01T10:30:00Z, 2026-03-01 10:30+01:00 or 2026-03-01 10:30, the last in --time-zone'

/** A relative date (`2h`, `yesterday`) leaves the update `undated`. @throws AppError `usage` */
export function updateFromFlags(
  fields: UpdateFields,
  options: UpdateRules,
): { update: TrackingRequest; timing: Timing } {
  const { trackingDate, trackingStatus = '', trackingNumber = '' } = fields
  const status = matchWord('--status', trackingStatus, TRANSPORT_WORDS) ?? trackingStatus
  const isAbsolute = trackingDate === undefined || readDate(trackingDate.trim(), options) !== undefined
  const relative = isAbsolute
    ? undefined
    : parseWhen(trackingDate, { ...options, edge: 'from', flag: '--date' })
  if (relative) options.onLocalTime?.(relative.notes[0])
  const date = relative ? isoDate(relative.epochMs) : trackingDate
  const { update, timing, problems } = checkUpdate(
    { ...fields, trackingStatus: status, trackingDate: date },
    options,
  )
  if (/[\p{Cc}\p{Cf}]/u.test(trackingNumber))
    problems.push({
      field: 'trackingNumber',
      value: trackingNumber,
      message: 'holds invisible characters',
      hint: 'type it anew',
    })
  if (problems.length === 0) return { update, timing: isAbsolute ? timing : 'undated' }
  const details = problems.map(
    ({ field, value, message, nearest: near }): ErrorDetail => ({
      path: FIELD_FACTS[field].flag,
      message: value === '' ? message : `${JSON.stringify(value)}${near === undefined ? '' : ':'} ${message}`,
    }),
  )
  const hints = problems.flatMap(({ field, hint }) =>
    hint === undefined ? [] : [`${FIELD_FACTS[field].flag}: ${hint}`],
  )
  throw new AppError('usage', "The tracking update can't be sent as it is.", { details, hints })
}

export function knownStatus(text: string): string {
  const name = text.toUpperCase().replace(/[\s-]+/g, '_')
  // Rows share the constant's text, which takes less memory.
  return TRANSPORTATION_STATUSES.find((known) => known === name) ?? text
}

function unknownStatus(status: string): FieldProblem {
  const near = statusInWords(status) ?? nearest(status, TRANSPORTATION_STATUSES) ?? null
  const stage = near ?? nearest(status, ['PICK_UP', 'SHIPPING'])
  const meant = TRANSPORTATION_STATUSES.filter((one) => one.startsWith(stage ?? ''))
  const which = stage ? `did you mean ${meant.join(' or ')}?` : `one of ${meant.join(', ')}`
  const hint = `${which}; --allow-unknown-status sends it as it is`
  return { field: 'trackingStatus', value: status, message: 'no such status', hint, nearest: near }
}

function checkShipmentId(id: string): [message: string, hint?: string] | undefined {
  if (id === '') return ['is missing', 'the name of the return: R#-1001']
  // The platform would refuse any other form (spec §2.1), row by row.
  if (/^R#-\S/.test(id)) return undefined
  return [
    'is not the name of a return',
    /^[\w-]+$/.test(id) ? `R#-${id}? --names loose takes it so` : 'names look like R#-1001',
  ]
}

function dateProblem(text = ''): [message: string, hint: string] {
  const readings = (['DMY', 'MDY'] as const).flatMap((order) => {
    const wall = numericDate(text, order)
    return wall === undefined ? [] : [{ order, day: wall.slice(0, 10) }]
  })
  if (readings.length === 0) return ['is not a date and time', DATE_HINT]
  const days = [...new Set(readings.map(({ day }) => day))].join(' or ')
  return [`may be ${days}`, `say which: ${readings.map(({ order }) => `--dates ${order}`).join(' or ')}`]
}

function readDate(given: string, { zone, onLocalTime, dates }: UpdateRules) {
  const text = (dates && numericDate(given, dates)) ?? given
  const instant = parseServiceDate(text)
  if (instant !== undefined) return instant
  const [, whole = text, fraction = ''] = /^(.+:\d{2})[.,](\d{1,9})$/.exec(text) ?? []
  const wall = isDay(whole) ? `${whole}T00:00:00` : whole
  if (parseWallTime(wall) === undefined) return undefined
  const read = wallTimeToInstant(wall, zone, 'earlier')
  onLocalTime?.(clockChangeNote(wall, zone, read))
  return read.epochMs + Number(fraction.padEnd(3, '0').slice(0, 3))
}

/** An unknown state can follow any, and any can follow it. */
export function canFollow(from: string, to: string): boolean {
  return !(isTransportStatus(from) && isTransportStatus(to)) || leadsTo(from, to)
}
