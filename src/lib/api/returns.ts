import { AppError } from '../errors.ts'
import type { ItemReader, SentItem } from '../wire/json.ts'
import { at, canBeAsked } from '../wire/raw.ts'
import {
  type Departures,
  type ItemList,
  type RecordList,
  readItemList,
  readRecord,
  readRecordList,
  readSentList,
  readUnreadList,
  SentRecord,
} from '../wire/read.ts'
import type { Refund } from '../wire/refunds.ts'
import type { PageInfo, Return } from '../wire/returns.ts'
import { pageInfoShape, refundShape, returnShape, transportationShape } from '../wire/shapes.ts'
import type { Transportation } from '../wire/transportations.ts'
import type { Http } from './http/client.ts'
import type { HttpResponse } from './http/error-map.ts'
import { MAX_PAGE_SIZE, type MovedInfo, pageSizeFor, paginateReturns, returnKey } from './paginate.ts'
import { readAnswer, recordIn } from './read-answer.ts'
import { type SandboxMark, sandboxMarkIn } from './sandbox-mark.ts'
import { UnreadReturn } from './unread-return.ts'

/** Filters of `GET /returns` (spec §4.7); dates as wall time `YYYY-MM-DDTHH:MM:SS` in the zone of the api. */
export interface ReturnFilters {
  name?: string | undefined
  status?: string | undefined
  order?: string | undefined
  createdFrom?: string | undefined
  createdTo?: string | undefined
  updatedFrom?: string | undefined
  updatedTo?: string | undefined
  refundedFrom?: string | undefined
  refundedTo?: string | undefined
}

/** How much of the result: nothing said, the service's last 100; `limit` in all; with `page` the size of that page. */
export interface Extent {
  limit?: number | undefined
  page?: number | undefined
  all?: boolean | undefined
  onMoved?: ((info: MovedInfo) => void) | undefined
}

export interface ReturnPage<R = Return> extends Pick<RecordList<R>, 'records' | 'rest'> {
  /** Items of the page, those included that are no objects. */
  received: number
  pageInfo: PageInfo | undefined
  /** Of `pageInfo`; undefined where it says none that can be read. */
  totalRecords: number | undefined
  sandbox: SandboxMark | undefined
  /** When the platform answered, by its own clock; ms since the epoch. */
  answeredMs: number | undefined
}

/** The items as they arrive, those that are no objects included; can be gone through once, as values or as JSON. */
export interface ReturnListing extends AsyncIterable<Return> {
  /** Each as `stringifyJson` writes it, in UTF-8. */
  json(): AsyncIterable<Uint8Array>
  /** The fields beside the records, `pageInfo` among them, as sent with the page fetched last; none before the first. */
  rest(): Record<string, unknown>
}

export interface ReturnsApiOptions {
  /** Collects where answers depart from the specification. */
  departures: Departures
  shop?: string | undefined
  /** IANA name; dates in lists are searched and formatted in it. */
  timeZone?: string | undefined
}

const SENT_RETURNS: ItemReader = {
  key: 'returns',
  take: (item) => {
    const raw = item.read()
    return new SentRecord(returnShape, raw, item.jsonOf(raw), returnKey(raw))
  },
}
const READ_RETURNS: ItemReader = { key: 'returns', take: (item) => item.read() }
const UNREAD_RETURNS: ItemReader = { key: 'returns', member: 'createdAt', take: (item) => item }

export type ReturnsApi = ReturnType<typeof createReturnsApi>

export function createReturnsApi(http: Http, { departures, shop, timeZone }: ReturnsApiOptions) {
  const get = (path: string, query: Record<string, string | number | undefined> = {}, items?: ItemReader) =>
    http.request({ method: 'GET', path, query, items })

  const getPage = (filters: ReturnFilters, limit?: number, page?: number, items?: ItemReader) => {
    const query = {
      shop_code: shop,
      name: filters.name,
      status: filters.status,
      ecommerce_order: filters.order,
      created_from: filters.createdFrom,
      created_to: filters.createdTo,
      updated_from: filters.updatedFrom,
      updated_to: filters.updatedTo,
      refunded_from: filters.refundedFrom,
      refunded_to: filters.refundedTo,
      limit,
      page,
      time_zone: timeZone,
    }
    return get('/returns', query, items)
  }

  const readPageInfo = (body: unknown) =>
    readRecord(pageInfoShape, at(body, 'pageInfo'), 'pageInfo', departures) ?? undefined

  const readPage = <R>(
    answer: HttpResponse,
    read: (body: unknown) => Pick<ReturnPage<R>, 'records' | 'received' | 'rest'>,
  ): ReturnPage<R> => {
    const sandbox = sandboxMarkIn(answer.headers)
    const date = Date.parse(answer.headers.date ?? '')
    return readAnswer(answer, (body) => {
      const list = read(body)
      const pageInfo = readPageInfo(body)
      const totalRecords = wholeNumber(pageInfo?.totalRecords)
      const answeredMs = sandbox?.now ?? (Number.isNaN(date) ? undefined : date)
      return { ...list, pageInfo, totalRecords, sandbox, answeredMs }
    })
  }

  const listPage = async (filters: ReturnFilters, limit?: number, page?: number) =>
    readPage(await getPage(filters, limit, page, READ_RETURNS), (body) => {
      const { records, sent, rest } = readRecordList(returnShape, body, 'returns', departures)
      return { records, received: sent.length, rest }
    })

  const unreadPage = async (filters: ReturnFilters, limit: number, page: number) => {
    const answer = await getPage(filters, limit, page, UNREAD_RETURNS)
    return readPage(answer, (body) => {
      const { items, rest } = readUnreadList<SentItem>(body, 'returns')
      for (const item of items) {
        if (!item.isObject) readRecord(returnShape, item.read(), 'returns[]', departures)
      }
      const objects = items.filter(({ isObject }) => isObject)
      const records = objects.map((item) => new UnreadReturn(item, answer, departures))
      return { records, received: items.length, rest }
    })
  }

  const list = (filters: ReturnFilters, { limit, page, all, onMoved }: Extent = {}): ReturnListing => {
    let last: Record<string, unknown> = {}
    const isPaged = page === undefined && (all === true || (limit !== undefined && limit > MAX_PAGE_SIZE))
    const go = async function* <T extends object>(
      read: (body: unknown) => ItemList<T>,
      itemReader?: ItemReader,
      keyOf?: (record: T) => string,
    ) {
      const fetchPage = async (number?: number, size?: number) =>
        readAnswer(await getPage(filters, size, number, itemReader), (body) => {
          const { items: records, rest } = read(body)
          last = rest
          const { totalRecords, totalPages } = readPageInfo(body) ?? {}
          return { records, totalRecords: wholeNumber(totalRecords), totalPages: wholeNumber(totalPages) }
        })
      if (!isPaged) return yield* (await fetchPage(page, limit)).records
      yield* paginateReturns(fetchPage, {
        pageSize: all || limit === undefined ? MAX_PAGE_SIZE : pageSizeFor(limit),
        maxRecords: all ? undefined : limit,
        ...{ onMoved, keyOf },
      })
    }
    return {
      [Symbol.asyncIterator]: () => go((body) => readItemList(returnShape, body, 'returns', departures)),
      async *json() {
        const read = (body: unknown) => readSentList(body, 'returns', departures)
        for await (const { json } of go(read, SENT_RETURNS, ({ key }) => key)) yield json
      },
      rest: () => last,
    }
  }

  const findByName = async (name: string): Promise<Return> => {
    // The filter may match more than the very name.
    const found = (await listPage({ name })).records.filter((record) => record.name === name)
    const [record, ...others] = found
    if (!record) {
      throw new AppError('not-found', `No return is named ${name}`, {
        hints: shop === undefined ? ['a name such as R#-1001'] : [`another shop: only ${shop} was searched`],
      })
    }
    if (others.length > 0) {
      const shops = [...new Set(found.map((one) => String(one.shopCode)))]
      throw new AppError('usage', `${found.length} returns are named ${name}`, {
        details: found.map((one) => ({ message: `${one.id ?? 'no id'} in shop ${one.shopCode}` })),
        hints: [shops.length > 1 ? `choose one with --shop ${shops[0]}` : 'give its id instead'],
      })
    }
    return record
  }

  return {
    /** One page; without `limit` and `page` the service's last 100. */
    listPage,
    /** As `listPage`, of returns that are read later. */
    unreadPage,
    list,
    findByName,
    async get(id: string): Promise<Return> {
      const answer = await get(`/returns/${segment(id)}`)
      return readAnswer(answer, (body) => readRecord(returnShape, recordIn(body), 'returns[]', departures))
    },
    async transportations(id: string): Promise<RecordList<Transportation>> {
      const answer = await get(`/returns/${segment(id)}/transportations`)
      return readAnswer(answer, (body) =>
        readRecordList(transportationShape, ...listIn(body, 'transportations'), departures),
      )
    },
    async transportation(id: string, transportationId: string): Promise<Transportation> {
      const answer = await get(`/returns/${segment(id)}/transportations/${segment(transportationId)}`)
      return readAnswer(answer, (body) =>
        readRecord(transportationShape, recordIn(body), 'transportations[]', departures),
      )
    },
    async refunds(id: string): Promise<RecordList<Refund>> {
      const answer = await get(`/returns/${segment(id)}/refunds`)
      return readAnswer(answer, (body) => readRecordList(refundShape, ...listIn(body, 'refunds'), departures))
    },
  }
}

/** The spec leaves these payloads open; decided: an object with a list, but a bare list is read as well. */
function listIn(body: unknown, key: string): [body: unknown, key: string] {
  return [Array.isArray(body) ? { [key]: body } : body, key]
}

function segment(id: string): string {
  if (!canBeAsked(id)) throw new AppError('usage', `"${id}" is not an id`)
  return encodeURIComponent(id)
}

/** Numbers may come as text. */
function wholeNumber(value: unknown): number | undefined {
  const number = value === undefined || value === null || value === '' ? Number.NaN : Number(value)
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined
}
