import {
  failing,
  field,
  inText,
  lost,
  mutationsOf,
  requestMutations,
  type Seeded,
} from './request-mutations.ts'
import { pageOf } from './script-server.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any
const renamed = (record: object, from: string, to: string) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]))
export const inRecords = (change: (record: Json) => Json) => (body: Json) => ({
  ...body,
  ...(body.returns && { returns: body.returns.map((record: Json) => change(record) ?? record) }),
})
/** Other values of some fields of each return. */
const inReturns = (bend: (record: Json) => Json) => inRecords((record) => ({ ...record, ...bend(record) }))
const inPageInfo = (bend: (pageInfo: Json) => Json) => (body: Json) =>
  body.pageInfo ? { ...body, pageInfo: { ...body.pageInfo, ...bend(body.pageInfo) } } : body
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
/** Moves a wall time by the nine hours between Tokyo and UTC, as a platform that takes it for UTC. */
const takenForUtc = (name: string) => (params: URLSearchParams) => {
  if (params.get('time_zone') === 'Asia/Tokyo') shifted(name, 9 * 3600)(params)
}
/** In place of one that would be refused. */
const tolerated = (name: string, bad: string, good: string) => (params: URLSearchParams) => {
  if (params.get(name) === bad) params.set(name, good)
}

/** Every way in which the platform is bent. `token` makes one that is accepted. */
export function seededMutations(token: () => string): Record<string, Seeded> {
  const letIn = (fits: (authorization: string) => boolean) => (headers: Headers) => {
    if (fits(headers.get('authorization') ?? '')) headers.set('authorization', `Bearer ${token()}`)
  }

  return {
    'a token that is none is accepted': {
      notice: 'auth.garbage',
      ask: letIn((header) => header === 'Bearer not-a-token'),
    },
    'signatures are not looked at': {
      notice: 'auth.signature',
      ask: letIn((header) => /^Bearer .*\..*\./.test(header)),
    },
    'no token is needed': { notice: 'auth.no-token', ask: letIn((header) => header === '') },
    'any scheme will do': { notice: 'auth.scheme', ask: letIn((header) => /^Basic/.test(header)) },
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
    '405 is 404': { notice: 'methods.get', status: (status) => (status === 405 ? 404 : status) },
    'no Allow': { notice: 'methods.allow', headers: (headers) => headers.delete('allow') },
    'error codes are lower case': { notice: 'auth.codes', body: inText(/"AU0/g, '"au0') },
    'unsigned tokens are accepted': {
      notice: 'auth.unsigned',
      ask: letIn((header) => /^Bearer [^.]+\.[^.]+\.$/.test(header)),
    },
    'the payload of a token may be changed': {
      notice: 'auth.payload',
      ask: letIn((header) => {
        const payload = Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()
        return payload.startsWith('{"conformance"')
      }),
    },
    'an empty token is accepted': {
      notice: 'auth.empty',
      ask: letIn((header) => header.trim() === 'Bearer'),
    },
    'messages of errors are numbers': { notice: 'errors.form', body: field('message', () => 7) },
    'the status in the body is text': { notice: 'errors.status', body: field('status', String) },
    'every request has the same id': {
      notice: 'errors.request-id',
      headers: (headers) => headers.set('x-request-id', 'one'),
      body: field('requestId', () => 'one'),
    },
    'labels are made without a token': {
      notice: 'auth.no-token-writes',
      on: 'POST /shipping_labels',
      writes: true,
      ask: letIn((header) => header === ''),
    },
    'unknown paths are fine': {
      notice: 'errors.unknown-path',
      on: 'GET /*',
      status: (status) => (status === 404 ? 200 : status),
    },
    '405 is 404 on some paths': {
      notice: 'errors.methods',
      on: 'PATCH /returns/*',
      writes: true,
      status: (status) => (status === 405 ? 404 : status),
    },
    ...mutationsOf('GET /returns', {
      'limit below 500 only': { notice: 'returns.limit-max', query: tolerated('limit', '500', '501') },
      'limit 501 is accepted': { notice: 'returns.limit-over', query: tolerated('limit', '501', '500') },
      'limit 0 is accepted': { notice: 'returns.limit-zero', query: tolerated('limit', '0', '1') },
      'a limit that is no number is ignored': {
        notice: 'returns.limit-text',
        query: tolerated('limit', 'ten', ''),
      },
      'one record too few': {
        notice: 'returns.limit-min',
        body: (body) => (body.returns ? { ...body, returns: body.returns.slice(1) } : body),
      },
      '50 records by default': {
        ofMany: true,
        notice: 'returns.default-size',
        query: (params) => {
          if (!params.has('limit')) params.set('limit', '50')
        },
      },
      'the oldest by default': {
        ofMany: true,
        notice: 'returns.default-newest',
        query: (params) => {
          if (params.size === 0) params.set('page', '2')
        },
      },
      'no pageInfo': { notice: 'returns.container', body: ({ pageInfo, ...body }) => body },
      'another name of the list': {
        notice: 'returns.container',
        body: (body) => renamed(body, 'returns', 'items'),
      },
      'totalPages rounded down': {
        notice: 'returns.page-arithmetic',
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
        body: (body) => ({ ...body, pageInfo: { ...body.pageInfo, totalRecords: body.returns?.length } }),
      },
      'page 2 is page 1': { notice: 'returns.pages', query: tolerated('page', '2', '1') },
      'the last page is full': {
        ofMany: true,
        notice: 'returns.last-page',
        query: tolerated('page', '19', '18'),
      },
      'page 0 is page 1': { notice: 'returns.page-0', query: tolerated('page', '0', '1') },
      'pages after the last repeat it': {
        ofMany: true,
        notice: 'returns.beyond-last-page',
        query: tolerated('page', '20', '19'),
      },
      'oldest first': {
        notice: 'returns.order',
        body: (body) => ({ ...body, returns: body.returns?.reverse() }),
      },
      'status is ignored': { notice: 'filter.status', query: without('status') },
      'one status finds nothing': {
        notice: 'filter.status',
        query: tolerated('status', 'CLOSED', 'DISCARDED'),
      },
      'an unknown status is ignored': {
        notice: 'filter.status-unknown',
        query: tolerated('status', 'CONFORMANCE', ''),
      },
      'name is ignored': { notice: 'filter.name', query: without('name') },
      'an unknown name is 404': {
        notice: 'filter.name-unknown',
        answer: ({ params }) =>
          params.get('name')?.includes('CONFORMANCE') ? { status: 404, body: { errors: [] } } : undefined,
      },
      'ecommerce_order is ignored': {
        notice: ['filter.order', 'filter.order-name'],
        query: without('ecommerce_order'),
      },
      'created_from is ignored': { notice: 'filter.created-from', query: without('created_from') },
      'created_to is ignored': { notice: 'filter.created-to', query: without('created_to') },
      'created_from is exclusive': { notice: 'filter.created-inclusive', query: shifted('created_from', 1) },
      'created_to is exclusive': { notice: 'filter.created-inclusive', query: shifted('created_to', -1) },
      'updated_to is exclusive': { notice: 'filter.updated-inclusive', query: shifted('updated_to', -1) },
      'updated_* look at the creation': {
        notice: 'filter.updated-range',
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
        query: (params) => {
          if (params.has('status') && params.has('shop_code')) params.delete('status')
        },
      },
      'a foreign shop is forbidden': {
        notice: 'filter.shop-foreign-400',
        answer: ({ params }) =>
          params.get('shop_code')?.startsWith('CONF') ? { status: 403, body: { errors: [] } } : undefined,
      },
      'refunded_* are ignored': {
        notice: 'filter.refunded-range',
        query: without('refunded_from', 'refunded_to'),
      },
      'refunded_from is exclusive': {
        notice: 'filter.refunded-inclusive',
        query: shifted('refunded_from', 1),
      },
      'bad dates are ignored': {
        notice: 'filter.date-form',
        query: tolerated('created_from', 'yesterday', ''),
      },
      'shops are mixed up': {
        notice: 'filter.shop',
        query: (params) => {
          const code = params.get('shop_code')
          if (code?.includes('-') && !code.startsWith('CONFORMANCE'))
            params.set('shop_code', code === 'LUMBRE-ES' ? 'HARROW-UK' : 'LUMBRE-ES')
        },
      },
      'shop_code is ignored': { notice: 'filter.shop-foreign', query: without('shop_code') },
      'an offset is an hour off': { notice: 'zone.asia-tokyo', body: inText(/\+09:00/g, '+08:00') },
      'summer time is not known': { notice: 'zone.america-new-york', body: inText(/-04:00/g, '-05:00') },
      'time_zone changes the offset alone': {
        notice: 'zone.asia-kolkata',
        query: without('time_zone'),
        body: (body, { params }) => (params.has('time_zone') ? inText(/Z"/g, '+05:30"')(body) : body),
      },
      'ranges are meant in UTC': {
        notice: ['zone.filter', 'zone.filter-updated'],
        query: (params) => {
          if (/(created|updated)_/.test(params.toString())) params.delete('time_zone')
        },
      },
      'an unknown zone is UTC': {
        notice: 'zone.unknown',
        query: tolerated('time_zone', 'Mars/Olympus_Mons', 'UTC'),
      },
      'UTC is written as an offset': { notice: 'zone.default', body: inText(/Z"/g, '+00:00"') },
      'a required field has another name': {
        notice: 'record.fields',
        body: inRecords((record) => renamed(record, 'totalReturnFee', 'returnFee')),
      },
      'a number is an object': {
        notice: 'record.fields',
        body: inReturns((record) => ({ totalTax: { value: record.totalTax } })),
      },
      'a status of its own': { notice: 'record.enums', body: inText(/"EXPIRED"/g, '"TIMED_OUT"') },
      'a refund is a cent off': {
        notice: 'record.refund',
        body: inReturns((record) => ({ totalRefund: record.totalRefund + 0.01 })),
      },
      'a base refund is a cent off': {
        notice: 'record.base-refund',
        body: inReturns((record) => ({ baseTotalRefund: record.baseTotalRefund - 0.01 })),
      },
      'an item is not counted': {
        notice: 'record.total-amount',
        body: inReturns((record) => ({ returnLineItems: record.returnLineItems.slice(1) })),
      },
      'discounts are added': {
        notice: 'record.paid',
        body: inReturns((record) => ({
          returnLineItems: record.returnLineItems.map((line: Json) => ({
            ...line,
            paid: line.price + line.discount,
          })),
        })),
      },
      'names have another form': { notice: 'record.name', body: inText(/"R#-/g, '"RMA-') },
      'client references have another form': {
        notice: 'record.client-reference',
        body: inText(/"P#R#/g, '"P-R-'),
      },
      'every transport has a pickup date': {
        notice: 'record.pickup-date',
        body: inRecords((record) => {
          if (record.activeTransportation) record.activeTransportation.pickupDate = '2026-01-01'
        }),
      },
      'two returns share an id': {
        notice: 'record.ids',
        body: inReturns((record) => ({ id: record.id.slice(0, -1) })),
      },
      'the list is closed to this token': {
        notice: 'auth.token',
        status: (status) => (status === 200 ? 403 : status),
      },
      'limit 501 gives 501 records': {
        notice: 'returns.limit-cap',
        answer: ({ params }) =>
          params.get('limit') === '501'
            ? {
                status: 200,
                body: pageOf(Array(501).fill({}), 900),
              }
            : undefined,
      },
      'a negative limit is ignored': {
        notice: 'returns.limit-negative',
        query: tolerated('limit', '-1', ''),
      },
      'half a record is rounded up': {
        notice: 'returns.limit-fraction',
        query: tolerated('limit', '1.5', '2'),
      },
      'updated_from is ignored': { notice: 'filter.updated-from', query: without('updated_from') },
      'updated_to is ignored': { notice: 'filter.updated-to', query: without('updated_to') },
      'base amounts are converted twice': {
        notice: 'record.base-currency',
        body: inReturns((record) => ({ baseTotalReturnAmount: record.baseTotalReturnAmount * 1.1 })),
      },
      'a base payment is a cent off, in a currency of its own': {
        notice: ['record.base-paid', 'record.line-currency'],
        body: inReturns((record) => ({
          returnLineItems: record.returnLineItems.map((line: Json) => ({
            ...line,
            basePaid: line.basePaid + 0.01,
            currency: 'XXX',
          })),
        })),
      },
      'dates with a T, of long ago': {
        notice: ['record.date-form', 'record.updated-after-created'],
        body: inReturns(() => ({ updatedAt: '2001-01-01T00:00:00Z' })),
      },
      'a second return has another name': {
        notice: 'record.name-number',
        body: inText(/(R#-[^"]*)-2"/g, '$1-II"'),
      },
      'references name orders': {
        notice: 'record.one-transport',
        body: inText(/"clientReference":"[^"]*"/g, '"clientReference":"P#R#LUMLU1"'),
      },
      'quantities are text': { notice: 'record.fields', body: field('quantity', String) },
      'the number of pages is text': {
        notice: 'returns.container',
        body: inPageInfo(({ totalPages }) => ({ totalPages: String(totalPages) })),
      },
      'countries are named': { notice: 'record.country', body: field('countryCode', () => 'Spain') },
      'totals are those of all returns': {
        notice: 'filter.total',
        body: (body, { params }) =>
          params.has('status') || params.has('name')
            ? inPageInfo(() => ({ totalRecords: 50, totalPages: 1 }))(body)
            : body,
      },
      'totals are text': {
        notice: 'returns.container',
        body: inPageInfo(({ totalRecords }) => ({ totalRecords: String(totalRecords) })),
      },
      'totals are fractions': {
        notice: 'returns.container',
        body: inPageInfo(({ totalPages }) => ({ totalPages: totalPages + 0.5 })),
      },
      'amounts are text': { notice: 'record.fields', body: field('totalReturnFee', String) },
      'phones are numbers': { notice: 'record.fields', body: field('phone', () => 34600000000) },
      'postal codes are numbers': { notice: 'record.fields', body: field('postalCode', () => 28001) },
      'countries are in lower case': {
        notice: 'record.country',
        body: field('countryCode', (code) => code.toLowerCase()),
      },
      'currencies are signs': { notice: 'record.currency', body: field('currency', () => '€') },
      'links have no host': { notice: 'record.urls', body: field('carrierTrackingUrl', () => '/track/1') },
      'items are counted below zero': { notice: 'record.quantity', body: field('quantity', (n) => -n) },
      'a later page forgets the filter': {
        notice: 'filter.pages',
        query: (params) => {
          if (params.get('page') === '2') params.delete('status')
        },
      },
      'pages are counted without the filter': {
        notice: 'filter.total',
        body: (body, { params }) =>
          params.has('shop_code')
            ? inPageInfo(({ totalPages }) => ({ totalPages: totalPages + 1 }))(body)
            : body,
      },
      'names match by their beginning': {
        notice: 'filter.name-exact',
        answer: ({ params }) => {
          const name = params.get('name') ?? ''
          const record = { id: '1', name: `${name}1` }
          return name.startsWith('R#-') ? { status: 200, body: pageOf([record]) } : undefined
        },
      },
      'two returns share a name': { notice: 'record.names', body: field('name', () => 'R#-LU1') },
      'the tax of a return is that of its items twice': {
        notice: 'record.total-tax',
        body: inReturns(({ totalTax }) => ({ totalTax: totalTax * 2 })),
      },
      'the base amount of a return leaves one unit out': {
        notice: 'record.base-total-amount',
        body: inReturns(({ baseTotalReturnAmount, baseTotalRefund }) => ({
          baseTotalReturnAmount: baseTotalReturnAmount - 1,
          baseTotalRefund: baseTotalRefund - 1,
        })),
      },
      'return reasons have no additional information': {
        notice: 'record.fields',
        body: lost('additionalInfo'),
      },
      'items of the shop have no variant': { notice: 'record.fields', body: lost('variantId') },
      'prices of exchanged items are text': {
        notice: 'record.fields',
        body: field('exchangeLineItems', (items) =>
          items.map((item: Json) => ({ ...item, price: String(item.price) })),
        ),
      },
      'created_to is taken for UTC': { notice: 'zone.filter', query: takenForUtc('created_to') },
      'updated_to is taken for UTC': { notice: 'zone.filter-updated', query: takenForUtc('updated_to') },
      'refunded_from is ignored without refunded_to': {
        notice: 'filter.refunded-from',
        query: (params) => {
          if (!params.has('refunded_to')) params.delete('refunded_from')
        },
      },
      'refunded_to is ignored without refunded_from': {
        notice: 'filter.refunded-to',
        query: (params) => {
          if (!params.has('refunded_from')) params.delete('refunded_to')
        },
      },
      'orders match by their beginning': {
        notice: 'filter.order-exact',
        answer: ({ params }) => {
          const start = params.get('ecommerce_order')
          const record = { id: '1', name: 'R#-1', ecommerceOrder: { id: `${start}1` } }
          return start ? { status: 200, body: pageOf([record]) } : undefined
        },
      },
    }),
    ...mutationsOf('GET /returns/*', {
      'an unknown return is an empty one': {
        notice: 'return.unknown',
        status: (status) => (status === 404 ? 200 : status),
      },
      'a single return has other values': {
        notice: 'return.same',
        body: (body) => ({ ...body, totalRefund: 0 }),
      },
      'another return is given': { notice: 'return.id', body: (body) => ({ ...body, id: '1' }) },
      'a single return has no zone': { notice: 'zone.return', query: without('time_zone') },
      'single returns fail': { notice: 'return.id', status: failing },
    }),
    ...mutationsOf('GET /returns/*/transportations', {
      'the active transportation is not listed': {
        notice: 'transportations.active',
        body: () => ({ transportations: [] }),
      },
      'a transportation is LOST': {
        notice: 'transportations.fields',
        body: inText(/"status":"[A-Z_]+"/g, '"status":"LOST"'),
      },
      'transportations have no zone': { notice: 'zone.transportations', query: without('time_zone') },
      'transportations fail': { notice: 'transportations.answer', status: failing },
    }),
    ...mutationsOf('GET /returns/*/transportations/*', {
      'a single transportation lacks its events': {
        notice: 'transportations.single',
        body: ({ trackingEvents, ...body }) => body,
      },
      'an unknown transportation is an empty one': { notice: 'transportations.unknown', status: () => 200 },
      'a transportation fails': { notice: 'transportations.one', status: failing },
      'a transportation is found below any return': {
        notice: 'transportations.unknown',
        answer: ({ path }) => {
          const id = path.split('/').at(-1) ?? ''
          return id.includes('no-such') ? undefined : { status: 200, body: { id } }
        },
      },
    }),
    ...mutationsOf('GET /returns/*/refunds', {
      'a refund record is a cent off': {
        notice: 'refunds.amount',
        body: (body) => ({
          refunds: body.refunds?.map((refund: Json) => ({ ...refund, amount: refund.amount + 0.01 })),
        }),
      },
      'refunds of another return, executed all, without amount': {
        notice: ['refunds.fields', 'refunds.return', 'refunds.executed'],
        body: (body) => ({
          refunds: body.refunds?.map(({ amount, ...refund }: Json) => ({
            ...refund,
            returnId: '1',
            status: 'EXECUTED',
            executedAt: undefined,
          })),
        }),
      },
      'refunds have no zone': { notice: 'zone.refunds', ofMany: true, query: without('time_zone') },
      'refunds fail': { notice: 'refunds.answer', status: failing },
      'refunds have a mode of their own': {
        notice: 'refunds.fields',
        ofMany: true,
        body: field('refundMode', () => 'SOME_DAY'),
      },
    }),
    ...mutationsOf(
      'GET /returns',
      {
        'returns do not follow their transports': {
          notice: 'tracking.return-follows',
          body: inReturns(() => ({ status: 'PENDING' })),
        },
        'the list shows reports late': {
          notice: 'tracking.applied',
          body: (body) => ({
            ...body,
            returns: body.returns?.map((record: Json) => ({
              ...record,
              ...(record.activeTransportation && {
                activeTransportation: { ...record.activeTransportation, status: 'REQUESTED' },
              }),
            })),
          }),
        },
      },
      { writes: true },
    ),
    ...requestMutations,
  }
}
