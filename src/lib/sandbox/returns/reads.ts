import type { Refund } from '../../wire/refunds.ts'
import type { ReturnList } from '../../wire/returns.ts'
import { ApiError } from '../http/api-error.ts'
import type { Call, Operation } from '../http/operation.ts'
import { jsonBytes } from '../json-text.ts'
import { shopsInScope } from '../shop-rules.ts'
import type { ReturnParts } from '../store/rows.ts'
import type { Snapshot, StoredReturn } from '../store/snapshot.ts'
import { parseListQuery, parseReadQuery } from './list-query.ts'
import { type Presenter, refundRecord } from './records.ts'
import { returnText } from './return-text.ts'
import { transportText } from './transport-text.ts'

/** Spec §4.7, §4.8. Each read sees one state of the data. */
export const RETURN_OPERATIONS: readonly Operation[] = [
  { method: 'GET', path: '/returns', answer: listReturns },
  read('/returns/:returnId', getReturn),
  read('/returns/:returnId/transportations', listTransportations),
  read('/returns/:returnId/transportations/:transportationId', getTransportation),
  read('/returns/:returnId/refunds', listRefunds),
]

interface ReadRequest {
  data: Snapshot
  tokenShops: readonly string[]
  url: URL
  /** Empty where the path has none. */
  returnId: string
  transportationId: string
}

function read(path: string, answer: (request: ReadRequest) => object): Operation {
  return {
    method: 'GET',
    path,
    answer: ({ platform, tokenShops, url, part }) =>
      platform.store.read((data) =>
        answer({
          ...{ data, tokenShops, url },
          returnId: part('returnId'),
          transportationId: part('transportationId'),
        }),
      ),
  }
}

/** A `ReturnList` as it is sent. */
function listReturns({ platform: { store }, tokenShops, url }: Call): Buffer {
  return store.answer(`${url.href} ${tokenShops}`, () =>
    store.read((data) => returnList(data, tokenShops, url)),
  )
}

function returnList(data: Snapshot, tokenShops: readonly string[], { origin, searchParams }: URL): Buffer {
  const { shopCode, timeZone, limit, page, ...filter } = parseListQuery(searchParams)
  const shops = shopsInScope(tokenShops, shopCode, data.shops).map((shop) => shop.no)
  const { total, numbers } = data.search({ ...filter, shops }, (page - 1) * limit, limit)
  const presenter: Presenter = { timeZone, origin, product: data.product }
  const pageInfo: ReturnList['pageInfo'] = { totalRecords: total, totalPages: Math.ceil(total / limit) }
  const around = ['{"returns":[', `],"pageInfo":${JSON.stringify(pageInfo)}}`] as const
  return data.page(numbers, `${timeZone} ${origin}`, (stored) => returnText(stored, presenter), around)
}

/** A `Return` as it is sent. */
function getReturn(request: ReadRequest): Buffer {
  const { stored, presenter } = find(request)
  return jsonBytes(returnText(stored, presenter))
}

/** `GET /returns/{return_id}/transportations` (spec §4.8), oldest first. */
function listTransportations(request: ReadRequest): Buffer {
  const { stored, presenter } = find(request)
  const { transports } = partsOf(request, stored)
  const texts = transports.map((transport) => transportText(stored, transport, presenter))
  return jsonBytes(`{"transportations":[${texts}]}`)
}

function getTransportation(request: ReadRequest): Buffer {
  const { returnId, transportationId } = request
  const { stored, presenter } = find(request)
  const { transports } = partsOf(request, stored)
  const transport = transports.find(({ no }) => String(no) === transportationId)
  if (transport === undefined) {
    throw ApiError.of(404, 'TP01', `The return ${returnId} has no transportation ${transportationId}`)
  }
  return jsonBytes(transportText(stored, transport, presenter))
}

function listRefunds(request: ReadRequest): { refunds: Refund[] } {
  const { stored, presenter } = find(request)
  const { refunds } = partsOf(request, stored)
  return { refunds: refunds.map((refund) => refundRecord(stored, refund, presenter)) }
}

function partsOf({ data }: ReadRequest, { no }: StoredReturn): ReturnParts {
  return data.findCase(no) ?? { transports: [], refunds: [] }
}

/** Another shop's return is not found, so that ids tell nothing. */
function find({ data, tokenShops, url, returnId }: ReadRequest): {
  stored: StoredReturn
  presenter: Presenter
} {
  const { shopCode, timeZone } = parseReadQuery(url.searchParams)
  const shops = shopsInScope(tokenShops, shopCode, data.shops)
  const stored = /^[1-9]\d{0,14}$/.test(returnId) ? data.findReturn(Number(returnId)) : undefined
  if (stored === undefined || !shops.includes(stored.shop)) {
    throw ApiError.of(404, 'RT01', `There is no return ${returnId}`)
  }
  return { stored, presenter: { timeZone, origin: url.origin, product: data.product } }
}
