import type { PageSource } from '../walk/page-source.ts'
import { asNumber, asText, at, objectsIn } from '../wire/raw.ts'
import { fitted, noteErrors, readList, readRecord, type SpecDeviations } from '../wire/read.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import { pageInfoShape, refundShape, returnShape, transportationShape } from '../wire/shapes.ts'
import type { Transportation } from '../wire/transportations.ts'
import type { Http } from './http/client.ts'
import type { AnswerOwner } from './http/desync-guard.ts'
import type { AnswerFailure } from './http/error-map.ts'
import { MAX_PAGE_SIZE, pageSizeFor, paginateReturns, type ResultChange } from './paginate.ts'
import { createReader, type Resource, readAnswer } from './resource.ts'
import filterNames from './return-filters.json'
import { sandboxMarkIn } from './sandbox-mark.ts'

/** Age up to which a return that was read counts as current. */
export const FRESH_RETURN_MS = 10_000

/** Spec §4.7; dates are wall time `YYYY-MM-DDTHH:MM:SS`. */
export type ReturnFilters = Partial<Record<FilterName, string>>

type FilterName = 'name' | 'status' | 'order' | `${'created' | 'updated' | 'refunded'}${'From' | 'To'}`

/** Default: the service's last 100. With `page`, `limit` is the page size. */
export interface Extent {
  limit?: number
  page?: number
  all?: boolean
  onResultChanged?: (info: ResultChange) => void
}

interface ReturnsApiOptions {
  deviations: SpecDeviations
  shop?: string
  timeZone?: string
}

const RETURNS: Resource<Return> = {
  path: () => '/returns',
  list: 'returns',
  shape: returnShape,
  idField: 'id',
}
const TRANSPORTATIONS: Resource<Transportation> = {
  path: (id) => `/returns/${id}/transportations`,
  list: 'transportations',
  shape: transportationShape,
}
const REFUNDS: Resource<Refund> = {
  path: (id) => `/returns/${id}/refunds`,
  list: 'refunds',
  shape: refundShape,
  idField: 'returnId',
}

const FILTERS: Readonly<Record<FilterName, string>> = filterNames

export type ReturnsApi = ReturnType<typeof createReturnsApi>

export function createReturnsApi(http: Http, { deviations, shop, timeZone }: ReturnsApiOptions) {
  const reader = createReader(http, deviations)

  const getPage = async (filters: ReturnFilters, limit?: number, page?: number) => {
    const filtered = Object.entries(FILTERS).map(([key, name]) => [name, filters[key as FilterName]])
    const query = { shop_code: shop, ...Object.fromEntries(filtered), limit, page, time_zone: timeZone }
    const { name } = filters
    const ownerOf = name ? ({ body }: AnswerFailure) => ownerInList(body, name) : undefined
    const answer = await http.request({ method: 'GET', path: '/returns', query, ownerOf })
    return readAnswer(answer, (body) => {
      noteErrors(body, deviations)
      const { items: records, rest } = readList(body, 'returns', (raw) => {
        const ofShop = shop && asText(at(raw, 'shopCode'))
        if (ofShop && ofShop.toUpperCase() !== shop.toUpperCase())
          deviations.add('returns[].shopCode', 'not-asked-for', ofShop)
        return readRecord(returnShape, raw, 'returns[]', deviations)
      })
      const info = readRecord(pageInfoShape, at(body, 'pageInfo'), 'pageInfo', deviations)
      const sandbox = sandboxMarkIn(answer.headers)
      const date = Date.parse(answer.headers.date ?? '')
      return {
        records,
        rest,
        received: records.length,
        totalRecords: wholeNumber(at(info, 'totalRecords')),
        totalPages: wholeNumber(at(info, 'totalPages')),
        sandboxId: sandbox?.id,
        nowMs: sandbox?.now ?? (Number.isNaN(date) ? undefined : date),
      }
    })
  }

  const sentPage = async (...args: Parameters<typeof getPage>) => {
    const page = await getPage(...args)
    return { ...page, records: objectsIn(page.records) }
  }

  const listPage = async (...args: Parameters<typeof getPage>) => {
    const page = await sentPage(...args)
    return { ...page, records: page.records.map((record) => fitted(returnShape, record)) }
  }

  /** Yields items as they arrive, including other values than objects. Iterable once. */
  const list = (filters: ReturnFilters, { limit, page, all, onResultChanged }: Extent = {}) => {
    let last: Record<string, unknown> = {}
    const fetchPage = async (number?: number, size?: number) => {
      const found = await getPage(filters, size, number)
      last = found.rest
      return found
    }
    return {
      async *[Symbol.asyncIterator]() {
        const isLong = page === undefined && (all || (limit ?? 0) > MAX_PAGE_SIZE)
        const first = isLong ? undefined : await fetchPage(page, limit)
        if (first && (page !== undefined || !isCapped(first, limit))) return yield* first.records
        const pageOf = async (number: number, size: number) =>
          number === 1 && first ? first : fetchPage(number, size)
        yield* paginateReturns(pageOf, {
          pageSize: all || limit === undefined ? MAX_PAGE_SIZE : pageSizeFor(limit),
          maxRecords: all ? undefined : limit,
          onResultChanged,
        })
      },
      /** Fields beside the records, of the latest page. */
      rest: () => last,
    }
  }

  return {
    /** Leaves out ill-typed fields; `sentPage` keeps them. */
    listPage,
    sentPage,
    list,
    get: (id: string) => reader.one(RETURNS, id),
    transportations: (id: string) => reader.all(TRANSPORTATIONS, id),
    transportation: (id: string, transportationId: string) =>
      reader.one(TRANSPORTATIONS, id, transportationId),
    refunds: (id: string) => reader.all(REFUNDS, id),
  }
}

/** Services may cap the page size. */
function isCapped({ received, totalPages = 1 }: { received: number; totalPages?: number }, limit = 0) {
  return received < limit && totalPages > 1
}

/** Filters may match more than the exact name. */
function ownerInList(body: unknown, name: string): AnswerOwner {
  const returns = at(body, 'returns')
  const isOther = Array.isArray(returns) && returns.length > 0
  return isOther && !returns.some((one) => String(at(one, 'name')).includes(name)) ? 'other' : 'own'
}

export function wholeNumber(value: unknown): number | undefined {
  const number = asNumber(value) ?? -1
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/** @param returns has to use UTC: local time repeats an hour in autumn */
export function returnPages(returns: ReturnsApi, filters: ReturnFilters = {}): PageSource {
  return {
    page: async ({ createdFromMs, createdToMs, updatedFromMs, updatedToMs, limit, page }) => {
      const query = {
        ...filters,
        createdFrom: wallTime(createdFromMs),
        createdTo: wallTime(createdToMs),
        updatedFrom: wallTime(updatedFromMs) ?? filters.updatedFrom,
        updatedTo: wallTime(updatedToMs) ?? filters.updatedTo,
      }
      return returns.sentPage(query, limit, page)
    },
  }
}

/** Spec §4.7. */
function wallTime(ms: number | undefined) {
  return ms === undefined ? undefined : new Date(Math.max(0, ms)).toISOString().slice(0, 19)
}
