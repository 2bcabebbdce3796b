import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnList } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { ApiError } from '../http/answers.ts'
import { shopsInScope } from '../http/auth.ts'
import type { Call, Operation } from '../http/platform.ts'
import type { StoredReturn } from '../store/rows.ts'
import type { Snapshot } from '../store/snapshot.ts'
import { parseListQuery, parseReadQuery } from './list-query.ts'
import { type Presenter, refundRecord, returnRecord, transportRecord } from './records.ts'

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
  url: Readonly<URL>
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

function listReturns({ platform: { store }, tokenShops, url }: Call): ReturnList {
  const { shopCode, timeZone, limit, page, ...filter } = parseListQuery(url.searchParams)
  return store.read((data) => {
    const shops = shopsInScope(tokenShops, shopCode, data.shops).map((shop) => shop.no)
    const { total, returns } = data.search({ ...filter, shops }, (page - 1) * limit, limit)
    const presenter = presenterOf(data, timeZone, url)
    return {
      returns: returns.map((stored) => returnRecord(stored, presenter)),
      pageInfo: { totalRecords: total, totalPages: Math.ceil(total / limit) },
    }
  })
}

function getReturn(request: ReadRequest): Return {
  const { stored, presenter } = find(request)
  return returnRecord(stored, presenter)
}

/** `GET /returns/{return_id}/transportations` (spec §4.8), oldest first. */
function listTransportations(request: ReadRequest): { transportations: Transportation[] } {
  const { stored, presenter } = find(request)
  return {
    transportations: stored.transports.map((transport) => transportRecord(stored, transport, presenter)),
  }
}

function getTransportation(request: ReadRequest): Transportation {
  const { returnId, transportationId } = request
  const { stored, presenter } = find(request)
  const transport = stored.transports.find(({ no }) => String(no) === transportationId)
  if (transport === undefined) {
    throw ApiError.of(404, 'TP01', `The return ${returnId} has no transportation ${transportationId}`)
  }
  return transportRecord(stored, transport, presenter)
}

function listRefunds(request: ReadRequest): { refunds: Refund[] } {
  const { stored, presenter } = find(request)
  return { refunds: stored.refunds.map((refund) => refundRecord(stored, refund, presenter)) }
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
  return { stored, presenter: presenterOf(data, timeZone, url) }
}

function presenterOf(data: Snapshot, timeZone: string, { origin }: Readonly<URL>): Presenter {
  return { timeZone, origin, product: (no) => data.product(no) }
}
