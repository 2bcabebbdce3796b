import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnList } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { ApiError } from '../api-error.ts'
import { shopsInScope } from '../shop-rules.ts'
import type { Snapshot, StoredReturn } from '../store/store.ts'
import { parseListQuery, parseReadQuery } from './list-query.ts'
import { type Presenter, refundRecord, returnRecord, transportRecord } from './records.ts'

/** One authenticated request to a read. */
export interface ReadRequest {
  data: Snapshot
  tokenShops: readonly string[]
  params: URLSearchParams
}

/** `GET /returns` (spec §4.7): newest first by creation, then by id. */
export function listReturns({ data, tokenShops, params }: ReadRequest): ReturnList {
  const { shopCode, timeZone, limit, page, ...filter } = parseListQuery(params)
  const shops = shopsInScope(tokenShops, shopCode, data.shops).map((shop) => shop.no)
  const { total, returns } = data.search({ ...filter, shops }, (page - 1) * limit, limit)
  const presenter: Presenter = { timeZone, product: data.product }
  return {
    returns: returns.map((stored) => returnRecord(stored, presenter)),
    pageInfo: { totalRecords: total, totalPages: Math.ceil(total / limit) },
  }
}

/** `GET /returns/{return_id}` (spec §4.8). */
export function getReturn(request: ReadRequest, returnId: string): Return {
  const { stored, presenter } = find(request, returnId)
  return returnRecord(stored, presenter)
}

/** `GET /returns/{return_id}/transportations` (spec §4.8), oldest first. */
export function listTransportations(
  request: ReadRequest,
  returnId: string,
): { transportations: Transportation[] } {
  const { stored, presenter } = find(request, returnId)
  return {
    transportations: request.data
      .transports(stored.no)
      .map((transport) => transportRecord(stored, transport, presenter)),
  }
}

/** `GET /returns/{return_id}/transportations/{transportation_id}` (spec §4.8). */
export function getTransportation(
  request: ReadRequest,
  returnId: string,
  transportationId: string,
): Transportation {
  const { stored, presenter } = find(request, returnId)
  const transport = request.data.transports(stored.no).find(({ no }) => String(no) === transportationId)
  if (transport === undefined) {
    throw new ApiError(404, [
      { code: 'TP01', message: `The return ${returnId} has no transportation ${transportationId}` },
    ])
  }
  return transportRecord(stored, transport, presenter)
}

/** `GET /returns/{return_id}/refunds` (spec §4.8). */
export function listRefunds(request: ReadRequest, returnId: string): { refunds: Refund[] } {
  const { stored, presenter } = find(request, returnId)
  return { refunds: request.data.refunds(stored.no).map((refund) => refundRecord(stored, refund, presenter)) }
}

/** Another shop's return is not there at all, so that ids tell nothing. */
function find(
  { data, tokenShops, params }: ReadRequest,
  returnId: string,
): { stored: StoredReturn; presenter: Presenter } {
  const { shopCode, timeZone } = parseReadQuery(params)
  const shops = shopsInScope(tokenShops, shopCode, data.shops)
  const stored = /^[1-9]\d{0,14}$/.test(returnId) ? data.findReturn(Number(returnId)) : undefined
  if (stored === undefined || !shops.includes(stored.shop)) {
    throw new ApiError(404, [{ code: 'RT01', message: `There is no return ${returnId}` }])
  }
  return { stored, presenter: { timeZone, product: data.product } }
}
