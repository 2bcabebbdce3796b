import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnList } from '../../wire/returns.ts'
import { isTimeZone, wallTimeToInstant } from '../../wire/time.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { ApiError } from '../http/answers.ts'
import { shopsInScope } from '../http/auth.ts'
import type { Call, Operation } from '../http/platform.ts'
import { invalid } from '../http/received-request.ts'
import type { ReturnRow } from '../store/rows.ts'
import type { ReturnFilter, SecondRange } from '../store/snapshot.ts'
import { type Presenter, refundRecord, returnRecord, transportRecord } from './records.ts'

const WALL_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/

/** Spec §4.7, §4.8. Each read sees one state of the data. */
export const RETURN_OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/returns', answer: listReturns },
  read('/returns/:returnId', ({ stored, presenter }): Return => returnRecord(stored, presenter)),
  read('/returns/:returnId/transportations', ({ stored, presenter }) => ({
    transportations: stored.transports.map((each) => transportRecord(stored, each, presenter)),
  })),
  read('/returns/:returnId/transportations/:transportationId', getTransportation),
  read('/returns/:returnId/refunds', ({ stored, presenter }): { refunds: Refund[] } => ({
    refunds: stored.refunds.map((refund) => refundRecord(stored, refund, presenter)),
  })),
]

interface FoundReturn {
  stored: ReturnRow
  presenter: Presenter
  part: Call['part']
}

/** Another shop's return is not found: ids tell nothing. */
function read(path: string, answer: (found: FoundReturn) => object): Operation {
  return {
    method: 'GET',
    path,
    answer: ({ platform, tokenShops, url, part }) => {
      const { shopCode, timeZone } = parseReadQuery(url.searchParams)
      const shops = shopsInScope(tokenShops, shopCode)
      const returnId = part('returnId')
      const stored = /^[1-9]\d{0,14}$/.test(returnId)
        ? platform.store.read((data) => data.findReturn(Number(returnId)))
        : undefined
      if (stored === undefined || shops.every(({ no }) => no !== stored.shop)) {
        throw ApiError.of(404, 'RT01', `There is no return ${returnId}`)
      }
      return answer({ stored, presenter: { timeZone, origin: url.origin }, part })
    },
  }
}

function listReturns({ platform: { store }, tokenShops, url }: Call): ReturnList {
  const { shopCode, timeZone, limit, page, ...filter } = parseListQuery(url.searchParams)
  const shops = shopsInScope(tokenShops, shopCode).map(({ no }) => no)
  const skip = (page - 1) * limit
  const { total, returns } = store.read((data) => data.search({ ...filter, shops }, skip, limit))
  const presenter = { timeZone, origin: url.origin }
  return {
    returns: returns.map((stored) => returnRecord(stored, presenter)),
    pageInfo: { totalRecords: total, totalPages: Math.ceil(total / limit) },
  }
}

function getTransportation({ stored, presenter, part }: FoundReturn): Transportation {
  const id = part('transportationId')
  const transport = stored.transports.find(({ no }) => String(no) === id)
  if (transport) return transportRecord(stored, transport, presenter)
  throw ApiError.of(404, 'TP01', `The return ${stored.no} has no transportation ${id}`)
}

/** Empty parameters count as absent. @throws ApiError 400 VA01 */
export function parseReadQuery(params: URLSearchParams) {
  return new Parameters(params).finish((read) => ({
    shopCode: read.text('shop_code'),
    timeZone: read.zone(),
  }))
}

export function parseListQuery(params: URLSearchParams) {
  return new Parameters(params).finish((read) => {
    const timeZone = read.zone()
    return {
      shopCode: read.text('shop_code'),
      timeZone,
      name: read.text('name'),
      status: read.status(),
      order: read.text('ecommerce_order'),
      created: read.range('created', timeZone),
      updated: read.range('updated', timeZone),
      refunded: read.range('refunded', timeZone),
      limit: read.integer('limit', 100, 500),
      page: read.integer('page', 1, Number.MAX_SAFE_INTEGER),
    }
  })
}

class Parameters {
  readonly #problems: string[] = []

  constructor(private readonly params: URLSearchParams) {}

  finish<T>(read: (params: this) => T): T {
    const result = read(this)
    if (this.#problems.length === 0) return result
    throw invalid(this.#problems)
  }

  text(name: string): string | undefined {
    const values = this.params.getAll(name).filter((value) => value !== '')
    if (values.length > 1) this.#problems.push(`${name}: given more than once`)
    return values[0]
  }

  zone(): string {
    const zone = this.text('time_zone') ?? 'UTC'
    if (isTimeZone(zone)) return zone
    this.#problems.push(`time_zone: unknown time zone ${zone}`)
    return 'UTC'
  }

  status(): ReturnFilter['status'] {
    const text = this.text('status')
    const status = RETURN_STATUSES.find((known) => known === text)
    if (text !== undefined && status === undefined) {
      this.#problems.push(`status: ${text} is none of ${RETURN_STATUSES.join(', ')}`)
    }
    return status
  }

  integer(name: string, fallback: number, max: number): number {
    const text = this.text(name)
    if (text === undefined) return fallback
    const value = /^\d+$/.test(text) ? Number(text) : 0
    if (value >= 1 && value <= max) return value
    const bounds = max === Number.MAX_SAFE_INTEGER ? 'of at least 1' : `from 1 to ${max}`
    this.#problems.push(`${name}: ${text} is not a whole number ${bounds}`)
    return fallback
  }

  range(prefix: string, zone: string): SecondRange | undefined {
    const from = this.#instant(`${prefix}_from`, zone, 'earlier')
    const to = this.#instant(`${prefix}_to`, zone, 'later')
    if (from === undefined && to === undefined) return undefined
    return { from: from ?? Number.NEGATIVE_INFINITY, to: to ?? Number.POSITIVE_INFINITY }
  }

  /** A wall time that happens twice belongs to the range whole. */
  #instant(name: string, zone: string, prefer: 'earlier' | 'later'): number | undefined {
    const text = this.text(name)
    if (text === undefined) return undefined
    try {
      if (WALL_TIME.test(text)) return Math.floor(wallTimeToInstant(text, zone, prefer).epochMs / 1000)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
    }
    this.#problems.push(`${name}: ${text} is not a date of the form YYYY-MM-DDTHH:MM:SS`)
    return undefined
  }
}
