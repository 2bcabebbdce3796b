import { furtherMutations } from './further-mutations.ts'
import { TEST_NOW } from './platform.ts'
import { AUDITED, PLAUSIBLE, type Seeded } from './plausible-mutations.ts'

const LIST = 'GET /returns'
const renamed = (record: object, from: string, to: string) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]))
// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any
export const inRecords = (change: (record: Json) => Json) => (body: Json) => ({
  ...body,
  ...(body.returns && { returns: body.returns.map((record: Json) => change(record) ?? record) }),
})
const inText = (pattern: RegExp, text: string) => (body: Json) =>
  JSON.parse(JSON.stringify(body).replace(pattern, text))
const without =
  (...names: string[]) =>
  (params: URLSearchParams) => {
    for (const name of names) params.delete(name)
  }
/** Moves a wall time of the query. */
const shifted = (name: string, seconds: number) => (params: URLSearchParams) => {
  const at = params.get(name)
  const ms = Date.parse(`${at}Z`) + seconds * 1000
  if (!Number.isNaN(ms)) params.set(name, new Date(ms).toISOString().slice(0, 19))
}
/** In place of one that would be refused. */
const tolerated = (name: string, bad: string, good: string) => (params: URLSearchParams) => {
  if (params.get(name) === bad) params.set(name, good)
}
const ACKNOWLEDGED = { status: 200, body: { statusCode: 'OK', description: 'x' } }

/** Every way in which the platform is bent. `token` makes one that is accepted. */
export function seededMutations(token: () => string): Record<string, Seeded> {
  const letIn = (fits: (authorization: string | null) => boolean) => (headers: Headers) => {
    if (fits(headers.get('authorization'))) {
      headers.set('authorization', `Bearer ${token()}`)
    }
  }

  return {
    'a token that is none is accepted': {
      notice: 'auth.garbage',
      ask: letIn((header) => header === 'Bearer not-a-token'),
    },
    'signatures are not looked at': {
      notice: 'auth.signature',
      ask: letIn((header) => /^Bearer .*\..*\./.test(header ?? '')),
    },
    'no token is needed': { notice: 'auth.no-token', ask: letIn((header) => header === null) },
    'labels are made without a token': {
      notice: 'auth.no-token-writes',
      writes: true,
      on: 'POST /shipping_labels',
      ask: letIn((header) => header === null),
    },
    'any scheme will do': { notice: 'auth.scheme', ask: letIn((header) => /^Basic/.test(header ?? '')) },
    '401 is 403': { notice: 'auth.garbage', status: (status) => (status === 401 ? 403 : status) },
    'no WWW-Authenticate': {
      notice: 'auth.challenge',
      headers: (headers) => headers.delete('www-authenticate'),
    },
    'JSON is sent as text': {
      notice: 'errors.content-type',
      headers: (headers) => headers.set('content-type', 'text/plain'),
    },
    'errors have one message and no list': {
      notice: 'errors.form',
      body: (body) => (body.errors ? { message: body.errors[0].message } : body),
    },
    'error codes are words': { notice: 'methods.refusal', body: inText(/"VA01"/g, '"INVALID"') },
    'no X-Request-Id': { notice: 'errors.request-id', headers: (headers) => headers.delete('x-request-id') },
    'the status in the body is another': {
      notice: 'errors.status',
      body: (body) => (body.status ? { ...body, status: 200 } : body),
    },
    'unknown paths are fine': {
      notice: 'errors.unknown-path',
      on: 'GET /*',
      status: (status) => (status === 404 ? 200 : status),
    },
    'limit below 500 only': {
      notice: 'returns.limit-max',
      on: LIST,
      query: (params) => tolerated('limit', '500', '501')(params),
    },
    'limit 501 is accepted': {
      notice: 'returns.limit-over',
      on: LIST,
      query: tolerated('limit', '501', '500'),
    },
    'limit 0 is accepted': { notice: 'returns.limit-zero', on: LIST, query: tolerated('limit', '0', '1') },
    'a limit that is no number is ignored': {
      notice: 'returns.limit-text',
      on: LIST,
      query: tolerated('limit', 'ten', ''),
    },
    'one record too few': {
      notice: 'returns.limit-min',
      on: LIST,
      body: (body) => (body.returns ? { ...body, returns: body.returns.slice(1) } : body),
    },
    '50 records by default': {
      ofMany: true,
      notice: 'returns.default-size',
      on: LIST,
      query: (params) => {
        if (!params.has('limit')) params.set('limit', '50')
      },
    },
    'the oldest by default': {
      ofMany: true,
      notice: 'returns.default-newest',
      on: LIST,
      query: (params) => {
        if (params.size === 0) params.set('page', '2')
      },
    },
    'no pageInfo': { notice: 'returns.container', on: LIST, body: ({ pageInfo, ...body }) => body },
    'another name of the list': {
      notice: 'returns.container',
      on: LIST,
      body: (body) => renamed(body, 'returns', 'items'),
    },
    'totalPages rounded down': {
      notice: 'returns.page-arithmetic',
      on: LIST,
      body: (body, { params }) => ({
        ...body,
        pageInfo: {
          ...body.pageInfo,
          totalPages: Math.floor(body.pageInfo?.totalRecords / Number(params.get('limit') ?? 100)),
        },
      }),
    },
    'totalRecords is that of the page': {
      notice: 'returns.total',
      on: LIST,
      body: (body) => ({ ...body, pageInfo: { ...body.pageInfo, totalRecords: body.returns?.length } }),
    },
    'page 2 is page 1': { notice: 'returns.pages', on: LIST, query: tolerated('page', '2', '1') },
    'the last page is full': {
      ofMany: true,
      notice: 'returns.last-page',
      on: LIST,
      query: (params) => tolerated('page', '19', '18')(params),
    },
    'page 0 is page 1': { notice: 'returns.page-0', on: LIST, query: tolerated('page', '0', '1') },
    'pages after the last repeat it': {
      ofMany: true,
      notice: 'returns.beyond-last-page',
      on: LIST,
      query: (params) => tolerated('page', '20', '19')(params),
    },
    'oldest first': {
      notice: 'returns.order',
      on: LIST,
      body: (body) => ({ ...body, returns: body.returns?.reverse() }),
    },
    'status is ignored': { notice: 'filter.status', on: LIST, query: without('status') },
    'one status finds nothing': {
      notice: 'filter.status',
      on: LIST,
      query: tolerated('status', 'CLOSED', 'DISCARDED'),
    },
    'an unknown status is ignored': {
      notice: 'filter.status-unknown',
      on: LIST,
      query: tolerated('status', 'CONFORMANCE', ''),
    },
    'name is ignored': { notice: 'filter.name', on: LIST, query: without('name') },
    'an unknown name is 404': {
      notice: 'filter.name-unknown',
      on: LIST,
      answer: ({ params }) =>
        params.get('name')?.includes('CONFORMANCE') ? { status: 404, body: { errors: [] } } : undefined,
    },
    'ecommerce_order is ignored': {
      notice: ['filter.order', 'filter.order-name'],
      on: LIST,
      query: without('ecommerce_order'),
    },
    'created_from is ignored': { notice: 'filter.created-from', on: LIST, query: without('created_from') },
    'created_to is ignored': { notice: 'filter.created-to', on: LIST, query: without('created_to') },
    'created_from is exclusive': {
      notice: 'filter.created-inclusive',
      on: LIST,
      query: shifted('created_from', 1),
    },
    'created_to is exclusive': {
      notice: 'filter.created-inclusive',
      on: LIST,
      query: shifted('created_to', -1),
    },
    'updated_to is exclusive': {
      notice: 'filter.updated-inclusive',
      on: LIST,
      query: shifted('updated_to', -1),
    },
    'updated_* look at the creation': {
      notice: 'filter.updated-range',
      on: LIST,
      query: (params) => {
        for (const end of ['from', 'to']) {
          const at = params.get(`updated_${end}`)
          if (at) params.set(`created_${end}`, at)
          params.delete(`updated_${end}`)
        }
      },
    },
    'created_* look at the update': {
      notice: 'filter.created-range',
      on: LIST,
      query: (params) => {
        for (const end of ['from', 'to']) {
          const at = params.get(`created_${end}`)
          if (at) params.set(`updated_${end}`, at)
          params.delete(`created_${end}`)
        }
      },
    },
    'of several filters one counts': {
      notice: 'filter.together',
      on: LIST,
      query: (params) => {
        if (params.has('status') && params.has('shop_code')) params.delete('status')
      },
    },
    'a foreign shop is forbidden': {
      notice: 'filter.shop-foreign-400',
      on: LIST,
      answer: ({ params }) =>
        params.get('shop_code')?.startsWith('CONF') ? { status: 403, body: { errors: [] } } : undefined,
    },
    'refunded_* are ignored': {
      notice: 'filter.refunded-range',
      on: LIST,
      query: without('refunded_from', 'refunded_to'),
    },
    'refunded_from is exclusive': {
      notice: 'filter.refunded-inclusive',
      on: LIST,
      query: shifted('refunded_from', 1),
    },
    'bad dates are ignored': {
      notice: 'filter.date-form',
      on: LIST,
      query: tolerated('created_from', 'yesterday', ''),
    },
    'shops are mixed up': {
      notice: 'filter.shop',
      on: LIST,
      query: (params) => {
        const code = params.get('shop_code')
        if (code?.includes('-') && !code.startsWith('CONFORMANCE'))
          params.set('shop_code', code === 'LUMBRE-ES' ? 'HARROW-UK' : 'LUMBRE-ES')
      },
    },
    'shop_code is ignored': { notice: 'filter.shop-foreign', on: LIST, query: without('shop_code') },
    'an offset is an hour off': {
      notice: 'zone.asia-tokyo',
      on: LIST,
      body: inText(/\+09:00/g, '+08:00'),
    },
    'summer time is not known': {
      notice: 'zone.america-new-york',
      on: LIST,
      body: inText(/-04:00/g, '-05:00'),
    },
    'time_zone changes the offset alone': {
      notice: 'zone.asia-kolkata',
      on: LIST,
      query: without('time_zone'),
      body: (body, { params }) => (params.has('time_zone') ? inText(/Z"/g, '+05:30"')(body) : body),
    },
    'ranges are meant in UTC': {
      notice: ['zone.filter', 'zone.filter-updated'],
      on: LIST,
      query: (params) => {
        if (/(created|updated)_/.test(params.toString())) params.delete('time_zone')
      },
    },
    'an unknown zone is UTC': {
      notice: 'zone.unknown',
      on: LIST,
      query: tolerated('time_zone', 'Mars/Olympus_Mons', 'UTC'),
    },
    'UTC is written as an offset': { notice: 'zone.default', on: LIST, body: inText(/Z"/g, '+00:00"') },
    'a required field has another name': {
      notice: 'record.fields',
      on: LIST,
      body: inRecords((record) => renamed(record, 'totalReturnFee', 'returnFee')),
    },
    'a number is an object': {
      notice: 'record.fields',
      on: LIST,
      body: inRecords((record) => ({ ...record, totalTax: { value: record.totalTax } })),
    },
    'a status of its own': { notice: 'record.enums', on: LIST, body: inText(/"EXPIRED"/g, '"TIMED_OUT"') },
    'a refund is a cent off': {
      notice: 'record.refund',
      on: LIST,
      body: inRecords((record) => ({ ...record, totalRefund: record.totalRefund + 0.01 })),
    },
    'a base refund is a cent off': {
      notice: 'record.base-refund',
      on: LIST,
      body: inRecords((record) => ({ ...record, baseTotalRefund: record.baseTotalRefund - 0.01 })),
    },
    'an item is not counted': {
      notice: 'record.total-amount',
      on: LIST,
      body: inRecords((record) => ({ ...record, returnLineItems: record.returnLineItems.slice(1) })),
    },
    'discounts are added': {
      notice: 'record.paid',
      on: LIST,
      body: inRecords((record) => ({
        ...record,
        returnLineItems: record.returnLineItems.map((line: Json) => ({
          ...line,
          paid: line.price + line.discount,
        })),
      })),
    },
    'names have another form': { notice: 'record.name', on: LIST, body: inText(/"R#-/g, '"RMA-') },
    'client references have another form': {
      notice: 'record.client-reference',
      on: LIST,
      body: inText(/"P#R#/g, '"P-R-'),
    },
    'every transport has a pickup date': {
      notice: 'record.pickup-date',
      on: LIST,
      body: inRecords((record) => {
        if (record.activeTransportation) record.activeTransportation.pickupDate = '2026-01-01'
      }),
    },
    'two returns share an id': {
      notice: 'record.ids',
      on: LIST,
      body: inRecords((record) => ({ ...record, id: record.id.slice(0, -1) })),
    },
    'an unknown return is an empty one': {
      notice: 'return.unknown',
      on: 'GET /returns/*',
      status: (status) => (status === 404 ? 200 : status),
    },
    'a single return has other values': {
      notice: 'return.same',
      on: 'GET /returns/*',
      body: (body) => ({ ...body, totalRefund: 0 }),
    },
    'the active transportation is not listed': {
      notice: 'transportations.active',
      on: 'GET /returns/*/transportations',
      body: () => ({ transportations: [] }),
    },
    'a single transportation lacks its events': {
      notice: 'transportations.single',
      on: 'GET /returns/*/transportations/*',
      body: ({ trackingEvents, ...body }) => body,
    },
    'a refund record is a cent off': {
      notice: 'refunds.amount',
      on: 'GET /returns/*/refunds',
      body: (body) => ({
        refunds: body.refunds?.map((refund: Json) => ({ ...refund, amount: refund.amount + 0.01 })),
      }),
    },
    'methods in euros always': {
      notice: 'methods.currency',
      on: 'POST /return_methods',
      body: inText(/"currencyCode":"[A-Z]{3}"/g, '"currencyCode":"EUR"'),
    },
    'methods in reverse': {
      notice: 'methods.order',
      on: 'POST /return_methods',
      body: (body) => ({ ...body, returnMethods: body.returnMethods?.reverse() }),
    },
    'a service type of its own': {
      notice: 'methods.fields',
      on: 'POST /return_methods',
      body: inText(/"drop-off"/g, '"DROP_OFF"'),
    },
    'no method is an error': {
      notice: 'methods.none',
      on: 'POST /return_methods',
      status: (status) => status,
      answer: ({ body }) => (body.currencyCode === 'XTS' ? { status: 404, body: { errors: [] } } : undefined),
    },
    'a request without client is accepted': {
      notice: 'methods.refusal',
      on: 'POST /return_methods',
      send: (body) => (typeof body === 'object' ? { client: { id: '1', tier: 'X' }, ...body } : body),
    },
    'messages name no field': {
      notice: 'methods.refusal-path',
      on: 'POST /return_methods',
      body: (body) => ({ ...body, errors: body.errors?.map((e: Json) => ({ ...e, message: 'invalid' })) }),
    },
    '405 is 404': { notice: 'methods.get', status: (status) => (status === 405 ? 404 : status) },
    'no Allow': { notice: 'methods.allow', headers: (headers) => headers.delete('allow') },
    'points in any order': {
      notice: 'pudos.order',
      on: 'POST /pudos',
      body: (body) =>
        Array.isArray(body) ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.reverse() })) : body,
    },
    'distances in metres': {
      notice: 'pudos.distance',
      on: 'POST /pudos',
      body: (body) => JSON.parse(JSON.stringify(body), (key, v) => (key === 'distance' ? v * 1000 : v)),
    },
    'the limit of points is ignored': {
      notice: 'pudos.limit',
      on: 'POST /pudos',
      send: ({ limit, ...body }) => body,
    },
    'the range is ignored': {
      notice: 'pudos.range',
      on: 'POST /pudos',
      send: (body) => (body.range ? { ...body, range: 100 } : body),
    },
    'the range is in miles': {
      ofMany: true,
      notice: 'pudos.range',
      on: 'POST /pudos',
      send: (body) => (body.range ? { ...body, range: body.range * 1.609 } : body),
    },
    'the address wins': {
      notice: 'pudos.coordinates-win',
      on: 'POST /pudos',
      send: ({ latitude, longitude, ...body }) => (body.city ? body : { latitude, longitude, ...body }),
    },
    'the location type is ignored': {
      notice: 'pudos.location-type',
      on: 'POST /pudos',
      send: ({ locationType, ...body }) => body,
    },
    'neither address nor coordinates is fine': {
      notice: 'pudos.neither',
      on: 'POST /pudos',
      answer: ({ body }) => (!body.city && !body.latitude ? { status: 200, body: [] } : undefined),
    },
    'a shipment without labels has an empty list': {
      notice: 'labels.unknown-id',
      on: 'GET /shipping_labels',
      status: (status) => (status === 404 ? 200 : status),
    },
    'labels are not found again': {
      notice: 'labels.get',
      writes: true,
      on: 'GET /shipping_labels',
      body: () => [],
    },
    'labels are no PDF': {
      notice: 'labels.pdf',
      writes: true,
      on: 'POST /shipping_labels',
      body: inText(/"base64":"[^"]{9}/g, '"base64":"AAAAAAAAA'),
    },
    'another shipment is answered': {
      notice: 'labels.create',
      writes: true,
      on: 'POST /shipping_labels',
      body: inText(/"clientShipmentId":"/g, '"clientShipmentId":"X'),
    },
    'one label for all parcels': {
      notice: 'labels.parcels',
      writes: true,
      on: 'POST /shipping_labels',
      send: (body) => ({ ...body, parcels: body.parcels?.slice(0, 1) }),
    },
    'label requests are idempotent': {
      notice: 'labels.twice',
      writes: true,
      on: 'GET /shipping_labels',
      body: (body) => (Array.isArray(body) ? body.slice(0, 1) : body),
    },
    'label updates are forgotten': {
      notice: 'labels.update-shown',
      writes: true,
      on: 'PUT /shipping_labels',
      answer: () => ACKNOWLEDGED,
    },
    'client references are not known': {
      notice: 'labels.update-client-reference',
      writes: true,
      on: 'PUT /shipping_labels',
      send: (body) => ({ ...body, shipmentIdType: 'RETURN_NAME' }),
    },
    'updates of nothing are fine': {
      notice: 'labels.update-unknown',
      writes: true,
      on: 'PUT /shipping_labels',
      status: () => 200,
    },
    'reports of nothing are fine': {
      notice: 'tracking.unknown-shipment',
      writes: true,
      on: 'POST /shipping_trackings',
      status: () => 200,
    },
    'reports are forgotten': {
      notice: 'tracking.applied',
      writes: true,
      on: 'POST /shipping_trackings',
      answer: () => ACKNOWLEDGED,
    },
    'reports are answered with nothing': {
      notice: 'tracking.answer',
      writes: true,
      on: 'POST /shipping_trackings',
      body: (body) => (body.errors ? body : {}),
    },
    'backward reports are taken': {
      notice: 'tracking.backward',
      writes: true,
      on: 'POST /shipping_trackings',
      status: () => 200,
    },
    'a repeated report is another event': {
      notice: 'tracking.repeated',
      writes: true,
      on: 'POST /shipping_trackings',
      send: (body) => ({ ...body, trackingNumber: `${Math.random()}` }),
    },
    'the list is closed to this token': {
      notice: 'auth.token',
      on: LIST,
      status: (status) => (status === 200 ? 403 : status),
    },
    'limit 501 gives 501 records': {
      notice: 'returns.limit-cap',
      on: LIST,
      answer: ({ params }) =>
        params.get('limit') === '501'
          ? {
              status: 200,
              body: { returns: Array(501).fill({}), pageInfo: { totalRecords: 900, totalPages: 2 } },
            }
          : undefined,
    },
    'a negative limit is ignored': {
      notice: 'returns.limit-negative',
      on: LIST,
      query: tolerated('limit', '-1', ''),
    },
    'half a record is rounded up': {
      notice: 'returns.limit-fraction',
      on: LIST,
      query: tolerated('limit', '1.5', '2'),
    },
    'updated_from is ignored': { notice: 'filter.updated-from', on: LIST, query: without('updated_from') },
    'updated_to is ignored': { notice: 'filter.updated-to', on: LIST, query: without('updated_to') },
    'base amounts are converted twice': {
      notice: 'record.base-currency',
      on: LIST,
      body: inRecords((record) => ({ ...record, baseTotalReturnAmount: record.baseTotalReturnAmount * 1.1 })),
    },
    'a base payment is a cent off, in a currency of its own': {
      notice: ['record.base-paid', 'record.line-currency'],
      on: LIST,
      body: inRecords((record) => ({
        ...record,
        returnLineItems: record.returnLineItems.map((line: Json) => ({
          ...line,
          basePaid: line.basePaid + 0.01,
          currency: 'XXX',
        })),
      })),
    },
    'dates with a T, of long ago': {
      notice: ['record.date-form', 'record.updated-after-created'],
      on: LIST,
      body: inRecords((record) => ({ ...record, updatedAt: '2001-01-01T00:00:00Z' })),
    },
    'another return is given': {
      notice: 'return.id',
      on: 'GET /returns/*',
      body: (body) => ({ ...body, id: '1' }),
    },
    'a second return has another name': {
      notice: 'record.name-number',
      on: LIST,
      body: inText(/(R#-[^"]*)-2"/g, '$1-II"'),
    },
    'a transportation is LOST': {
      notice: 'transportations.fields',
      on: 'GET /returns/*/transportations',
      body: inText(/"status":"[A-Z_]+"/g, '"status":"LOST"'),
    },
    'an unknown transportation is an empty one': {
      notice: 'transportations.unknown',
      on: 'GET /returns/*/transportations/*',
      status: () => 200,
    },
    'refunds of another return, executed all, without amount': {
      notice: ['refunds.fields', 'refunds.return', 'refunds.executed'],
      on: 'GET /returns/*/refunds',
      body: (body) => ({
        refunds: body.refunds?.map(({ amount, ...refund }: Json) => ({
          ...refund,
          returnId: '1',
          status: 'EXECUTED',
          executedAt: undefined,
        })),
      }),
    },
    'methods without a fee': {
      notice: 'methods.code',
      on: 'POST /return_methods',
      body: inText(/"returnFee":[\d.]+,/g, ''),
    },
    'a text will do for a request': {
      notice: 'methods.no-object',
      on: 'POST /return_methods',
      answer: ({ body }) =>
        typeof body === 'string' ? { status: 200, body: { returnMethods: [] } } : undefined,
    },
    'carriers and points without names': {
      notice: ['pudos.fields', 'pudos.points'],
      on: 'POST /pudos',
      body: inText(/"(carrierExternalCode|name)":"[^"]*",/g, ''),
    },
    'north is a degree off': {
      notice: 'pudos.coordinates',
      on: 'POST /pudos',
      send: (body) => (body.latitude ? { ...body, latitude: body.latitude + 1 } : body),
    },
    'the farthest points with a limit': {
      ofMany: true,
      notice: 'pudos.limit-nearest',
      on: 'POST /pudos',
      send: (body) => ({ ...body, limit: 20 }),
      body: (body, { sent }) =>
        Array.isArray(body)
          ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.slice(-(sent.limit ?? 20)) }))
          : body,
    },
    'any service will do': {
      notice: 'pudos.unknown-service',
      on: 'POST /pudos',
      send: (body) =>
        body.carrierServices?.[0].code.startsWith('CONF')
          ? { ...body, carrierServices: [{ code: 'SBX_STANDARD' }] }
          : body,
    },
    'an unknown town has no points': {
      notice: 'pudos.unknown-place',
      on: 'POST /pudos',
      answer: ({ body }) => (body.city?.startsWith('Conf') ? { status: 200, body: [] } : undefined),
    },
    'PU01 is another code': {
      notice: 'pudos.neither-code',
      on: 'POST /pudos',
      body: inText(/"PU01"/g, '"VA01"'),
    },
    'no id and any shop are fine': {
      notice: ['labels.no-id', 'labels.shop-foreign'],
      on: 'GET /shipping_labels',
      answer: ({ params }) =>
        params.has('client_shipment_id') && !params.get('shopCode')?.startsWith('CONF')
          ? undefined
          : { status: 200, body: [] },
    },
    'a label without an id, by any service': {
      notice: ['labels.refusal', 'labels.unknown-service'],
      writes: true,
      on: 'POST /shipping_labels',
      send: (body) => ({
        clientShipmentId: 'X1',
        ...body,
        ...(body.carrierServiceCode?.startsWith('CONF') && { carrierServiceCode: 'SBX_STANDARD' }),
      }),
    },
    'PATCH is fine': {
      notice: 'labels.patch',
      writes: true,
      on: 'PATCH /shipping_labels',
      answer: () => ACKNOWLEDGED,
    },
    'label updates go by the merchant alone': {
      notice: ['labels.update-return-name', 'labels.update-merchant-return-name'],
      writes: true,
      on: 'PUT /shipping_labels',
      answer: () => ({ status: 404, body: { errors: [] } }),
    },
    'tracking numbers are not kept, statuses not read': {
      notice: ['tracking.number', 'tracking.unknown-status'],
      writes: true,
      on: 'POST /shipping_trackings',
      send: ({ trackingNumber, ...body }) => ({
        ...body,
        trackingStatus: body.trackingStatus === 'CONFORMANCE' ? 'SHIPPING_IN_PROGRESS' : body.trackingStatus,
      }),
    },
    'returns do not follow their transports': {
      notice: 'tracking.return-follows',
      writes: true,
      on: LIST,
      body: inRecords((record) => ({ ...record, status: 'PENDING' })),
    },
    'older reports are dropped': {
      notice: 'tracking.older',
      writes: true,
      on: 'POST /shipping_trackings',
      answer: ({ body }) => (body.trackingStatus === 'REQUESTED' ? ACKNOWLEDGED : undefined),
    },
    'references name orders': {
      notice: 'record.one-transport',
      on: LIST,
      body: inText(/"clientReference":"[^"]*"/g, '"clientReference":"P#R#LUMLU1"'),
    },
    'labels do not say their format': {
      notice: 'labels.format',
      writes: true,
      on: 'POST /shipping_labels',
      body: inText(/"format":"[A-Z]+",/g, ''),
    },
    'labels are of no transport': {
      notice: ['labels.transport', 'labels.both-ids'],
      writes: true,
      on: 'POST /shipping_labels',
      send: (body) => ({ ...body, clientShipmentId: body.clientShipmentId?.replace(/-T\d+$/, '-X') }),
      body: inText(/-X"/g, '"'),
    },
    'the client reference finds nothing': {
      notice: 'labels.both-ids',
      writes: true,
      on: 'GET /shipping_labels',
      answer: ({ params }) =>
        params.get('client_shipment_id')?.startsWith('P#R#') ? { status: 200, body: [] } : undefined,
    },
    'only what was made is found': {
      notice: 'labels.update-newest',
      writes: true,
      on: 'GET /shipping_labels',
      body: (body) => (Array.isArray(body) ? body.filter((set: Json) => set.shippingLabels[0].base64) : body),
    },
    'what has ended is updated': {
      notice: 'labels.update-ended',
      writes: true,
      on: 'PUT /shipping_labels',
      answer: ({ body }) => (body.shipmentIdType === 'CLIENT_REFERENCE' ? ACKNOWLEDGED : undefined),
    },
    'what has ended is reported on': {
      notice: 'tracking.ended',
      writes: true,
      on: 'POST /shipping_trackings',
      status: (status) => (status === 400 ? 200 : status),
    },
    'every report is applied': {
      notice: ['tracking.repeated-code', 'tracking.older-code'],
      writes: true,
      on: 'POST /shipping_trackings',
      body: inText(/"(DUPLICATE|STALE)"/g, '"OK"'),
    },
    'the future is known': {
      notice: 'tracking.future',
      writes: true,
      on: 'POST /shipping_trackings',
      answer: ({ body }) =>
        Date.parse(body.trackingDate) > TEST_NOW + 30 * 3_600_000 ? ACKNOWLEDGED : undefined,
    },
    '405 is 404 on some paths': {
      notice: 'errors.methods',
      writes: true,
      on: 'PATCH /returns/*',
      status: (status) => (status === 405 ? 404 : status),
    },
    'error codes are lower case': { notice: 'auth.codes', body: inText(/"AU0/g, '"au0') },
    ...AUDITED,
    ...PLAUSIBLE,
    ...furtherMutations(token),
  }
}
