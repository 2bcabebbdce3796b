import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnList } from '../../wire/returns.ts'
import { isTimeZone, parseWallTime, wallTimeToInstant } from '../../wire/time.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { ApiError } from '../http/answers.ts'
import { shopsInScope } from '../http/auth.ts'
import type { Call, Operation } from '../http/platform.ts'
import { invalid } from '../http/received-request.ts'
import type { ReturnRow } from '../store/rows.ts'
import { type RecordOptions, refundRecord, returnRecord, transportRecord } from './records.ts'

const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** Spec §4.7, §4.8. Each read sees one state of the data. */
export const RETURN_OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/returns', answer: listReturns },
  read('/returns/:returnId', ({ stored, options }): Return => returnRecord(stored, options)),
  read('/returns/:returnId/transportations', ({ stored, options }) => ({
    transportations: stored.transports.map((each) => transportRecord(stored, each, options)),
  })),
  read('/returns/:returnId/transportations/:transportationId', getTransportation),
  read('/returns/:returnId/refunds', ({ stored, options }): { refunds: Refund[] } => ({
    refunds: stored.refunds.map((refund) => refundRecord(stored, refund, options)),
  })),
]

interface FoundReturn {
  stored: ReturnRow
  options: RecordOptions
  pathParam: Call['pathParam']
}

/** Answers 404 for another shop's return, so that ids reveal nothing. */
function read(path: string, answer: (found: FoundReturn) => object): Operation {
  return {
    method: 'GET',
    path,
    answer: ({ platform, tokenShops, url, pathParam }) => {
      const { shopCode, timeZone } = parseReadQuery(url.searchParams)
      const shops = shopsInScope(tokenShops, shopCode)
      const returnId = pathParam('returnId')
      const stored = /^[1-9]\d{0,14}$/.test(returnId)
        ? platform.store.read((data) => data.findReturn(Number(returnId)))
        : undefined
      if (stored === undefined || shops.every(({ no }) => no !== stored.shop)) {
        throw ApiError.of(404, 'RT01', `There is no return ${returnId}`)
      }
      return answer({ stored, options: { timeZone, origin: url.origin }, pathParam })
    },
  }
}

function listReturns({ platform: { store }, tokenShops, url }: Call): ReturnList {
  const { shopCode, timeZone, limit, page, ...filter } = parseListQuery(url.searchParams)
  const shops = shopsInScope(tokenShops, shopCode).map(({ no }) => no)
  const skip = (page - 1) * limit
  const { total, returns } = store.read((data) => data.search({ ...filter, shops }, skip, limit))
  const options = { timeZone, origin: url.origin }
  return {
    returns: returns.map((stored) => returnRecord(stored, options)),
    pageInfo: { totalRecords: total, totalPages: Math.ceil(total / limit) },
  }
}

function getTransportation({ stored, options, pathParam }: FoundReturn): Transportation {
  const id = pathParam('transportationId')
  const transport = stored.transports.find(({ no }) => String(no) === id)
  if (transport) return transportRecord(stored, transport, options)
  throw ApiError.of(404, 'TP01', `The return ${stored.no} has no transportation ${id}`)
}

/** Empty parameters count as absent. @throws ApiError 400 VA01 */
export function parseReadQuery(params: URLSearchParams) {
  const problems: string[] = []
  const query = { shopCode: textIn(params, 'shop_code', problems), timeZone: zoneIn(params, problems) }
  if (problems.length > 0) throw invalid(problems)
  return query
}

/** @throws ApiError 400 VA01 */
export function parseListQuery(params: URLSearchParams) {
  const problems: string[] = []
  const timeZone = zoneIn(params, problems)
  const text = (name: string) => textIn(params, name, problems)
  const integer = (name: string, fallback: number, max: number) => {
    const given = text(name)
    if (given === undefined) return fallback
    const value = /^\d+$/.test(given) ? Number(given) : 0
    if (value >= 1 && value <= max) return value
    const bounds = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`
    problems.push(`${name}: ${given} is not a whole number ${bounds}`)
    return fallback
  }
  // A range includes both instants of a wall time that happens twice.
  const seconds = (name: string, prefer: 'earlier' | 'later') => {
    const given = text(name)
    if (given === undefined) return undefined
    if (WALL_TIME.test(given) && parseWallTime(given) !== undefined)
      return Math.floor(wallTimeToInstant(given, timeZone, prefer).epochMs / 1000)
    problems.push(`${name}: ${given} is not a date of the form YYYY-MM-DDTHH:MM:SS`)
    return undefined
  }
  const range = (prefix: string) => {
    const [from, to] = [seconds(`${prefix}_from`, 'earlier'), seconds(`${prefix}_to`, 'later')]
    if (from === undefined && to === undefined) return undefined
    return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
  }
  const given = text('status')
  const status = RETURN_STATUSES.find((known) => known === given)
  if (given !== undefined && status === undefined)
    problems.push(`status: ${given} is not one of ${RETURN_STATUSES.join(', ')}`)
  const query = {
    shopCode: text('shop_code'),
    timeZone,
    name: text('name'),
    status,
    order: text('ecommerce_order'),
    created: range('created'),
    updated: range('updated'),
    refunded: range('refunded'),
    limit: integer('limit', 100, 500),
    page: integer('page', 1, Number.MAX_SAFE_INTEGER),
  }
  if (problems.length > 0) throw invalid(problems)
  return query
}

export function textIn(params: URLSearchParams, name: string, problems: string[]) {
  const values = params.getAll(name).filter((value) => value !== '')
  if (values.length > 1) problems.push(`${name}: given more than once`)
  return values[0]
}

function zoneIn(params: URLSearchParams, problems: string[]) {
  const zone = textIn(params, 'time_zone', problems) ?? 'UTC'
  if (isTimeZone(zone)) return zone
  problems.push(`time_zone: unknown time zone ${zone}`)
  return 'UTC'
}
