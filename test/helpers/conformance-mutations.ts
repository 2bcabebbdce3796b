import { mutationsOf, requestMutations } from './request-mutations.ts'
import { pageOf } from './script-server.ts'
import {
  asks,
  bends,
  field,
  inText,
  letIn,
  replaces,
  type Seeded,
  writtenMutations,
} from './written-mutations.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any
const renamed = (record: object, from: string, to: string) =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key === from ? to : key, value]))
export const inRecords = (change: (record: Json) => Json) => (body: Json) => ({
  ...body,
  ...(body.returns && { returns: body.returns.map((record: Json) => change(record) ?? record) }),
})
/** Replaces some fields of each return. */
const inReturns = (bend: (record: Json) => Json) => inRecords((record) => ({ ...record, ...bend(record) }))
const inPageInfo = (bend: (pageInfo: Json) => Json) => (body: Json) =>
  body.pageInfo ? { ...body, pageInfo: { ...body.pageInfo, ...bend(body.pageInfo) } } : body
/** Filters by another date than the one asked for. */
const inPlaceOf = (asked: string, taken: string) => (params: URLSearchParams) => {
  for (const end of ['from', 'to']) {
    const at = params.get(`${asked}_${end}`)
    if (at) params.set(`${taken}_${end}`, at)
    params.delete(`${asked}_${end}`)
  }
}
/** All mutations of the platform. `token` makes a valid token. */
export function seededMutations(token: () => string): Record<string, Seeded> {
  return {
    ...writtenMutations(token),
    'errors have one message and no list': bends('errors.form', (body) =>
      body.errors ? { message: body.errors[0].message } : body,
    ),
    'the status in the body is another': bends('errors.status', (body) =>
      body.status ? { ...body, status: 200 } : body,
    ),
    'the payload of a token may be changed': {
      notice: 'auth.payload',
      ask: letIn(token, (header) => {
        const payload = Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()
        return payload.startsWith('{"conformance"')
      }),
    },
    ...mutationsOf('GET /returns', {
      'one record too few': bends('returns.limit-min', (body) =>
        body.returns ? { ...body, returns: body.returns.slice(1) } : body,
      ),
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
      'another name of the list': bends('returns.container', (body) => renamed(body, 'returns', 'items')),
      'totalPages rounded down': bends('returns.page-arithmetic', (body, { params }) => ({
        ...body,
        pageInfo: {
          ...body.pageInfo,
          totalPages: Math.floor(body.pageInfo?.totalRecords / Number(params.get('limit') ?? 100)),
        },
      })),
      'totalRecords is that of the page': bends('returns.total', (body) => ({
        ...body,
        pageInfo: { ...body.pageInfo, totalRecords: body.returns?.length },
      })),
      'the newest comes last': bends('returns.order', (body) => ({
        ...body,
        returns: body.returns?.concat(body.returns.splice(0, 1)),
      })),
      'an unknown name is 404': replaces('filter.name-unknown', ({ params }) =>
        params.get('name')?.includes('CONFORMANCE') ? { status: 404, body: { errors: [] } } : undefined,
      ),
      'updated_* look at the creation': asks('filter.updated-range', inPlaceOf('updated', 'created')),
      'created_* look at the update': asks('filter.created-range', inPlaceOf('created', 'updated')),
      'of several filters one counts': asks('filter.together', (params) => {
        if (params.has('status') && params.has('shop_code')) params.delete('status')
      }),
      'of several filters the date does not count': asks('filter.together', (params) => {
        if (params.has('status')) params.delete('created_from')
      }),
      'a foreign shop is forbidden': replaces('filter.shop-foreign-400', ({ params }) =>
        params.get('shop_code')?.startsWith('CONF') ? { status: 403, body: { errors: [] } } : undefined,
      ),
      'shops are mixed up': asks('filter.shop', (params) => {
        const code = params.get('shop_code')
        if (code?.includes('-') && !code.startsWith('CONFORMANCE'))
          params.set('shop_code', code === 'LUMBRE-ES' ? 'HARROW-UK' : 'LUMBRE-ES')
      }),
      'time_zone changes the offset alone': {
        notice: 'zone.asia-kolkata',
        query: (params) => params.delete('time_zone'),
        body: (body, { params }) => (params.has('time_zone') ? inText(/Z"/g, '+05:30"')(body) : body),
      },
      'ranges are meant in UTC': asks(['zone.filter', 'zone.filter-updated'], (params) => {
        if (/(created|updated)_/.test(params.toString())) params.delete('time_zone')
      }),
      'a required field has another name': bends(
        'record.fields',
        inRecords((record) => renamed(record, 'totalReturnFee', 'returnFee')),
      ),
      'a number is an object': bends(
        'record.fields',
        inReturns((record) => ({ totalTax: { value: record.totalTax } })),
      ),
      'an item is not counted': bends(
        'record.total-amount',
        inReturns((record) => ({ returnLineItems: record.returnLineItems.slice(1) })),
      ),
      'discounts are added': bends(
        'record.paid',
        inReturns((record) => ({
          returnLineItems: record.returnLineItems.map((line: Json) => ({
            ...line,
            paid: line.price + line.discount,
          })),
        })),
      ),
      'every transport has a pickup date': bends(
        'record.pickup-date',
        inRecords((record) => {
          if (record.activeTransportation) record.activeTransportation.pickupDate = '2026-01-01'
        }),
      ),
      'two returns share an id': bends(
        'record.ids',
        inReturns((record) => ({ id: record.id.slice(0, -1) })),
      ),
      'limit 501 gives 501 records': replaces('returns.limit-cap', ({ params }) =>
        params.get('limit') === '501'
          ? {
              status: 200,
              body: pageOf(Array(501).fill({}), 900),
            }
          : undefined,
      ),
      'a base payment is a cent off, in a currency of its own': bends(
        ['record.base-paid', 'record.line-currency'],
        inReturns((record) => ({
          returnLineItems: record.returnLineItems.map((line: Json) => ({
            ...line,
            basePaid: line.basePaid + 0.01,
            currency: 'XXX',
          })),
        })),
      ),
      'totals are those of all returns': bends('filter.total', (body, { params }) =>
        params.has('status') || params.has('name')
          ? inPageInfo(() => ({ totalRecords: 50, totalPages: 1 }))(body)
          : body,
      ),
      'countries are in lower case': bends(
        'record.country',
        field('countryCode', (code) => code.toLowerCase()),
      ),
      'a later page forgets the filter': asks('filter.pages', (params) => {
        if (params.get('page') === '2') params.delete('status')
      }),
      'pages are counted without the filter': bends('filter.total', (body, { params }) =>
        params.has('shop_code')
          ? inPageInfo(({ totalPages }) => ({ totalPages: totalPages + 1 }))(body)
          : body,
      ),
      'names match by their beginning': replaces('filter.name-exact', ({ params }) => {
        const name = params.get('name') ?? ''
        const record = { id: '1', name: `${name}1` }
        return name.startsWith('R#-') ? { status: 200, body: pageOf([record]) } : undefined
      }),
      'prices of exchanged items are text': bends(
        'record.fields',
        field('exchangeLineItems', (items) =>
          items.map((item: Json) => ({ ...item, price: String(item.price) })),
        ),
      ),
      'refunded_from is ignored without refunded_to': asks('filter.refunded-from', (params) => {
        if (!params.has('refunded_to')) params.delete('refunded_from')
      }),
      'refunded_to is ignored without refunded_from': asks('filter.refunded-to', (params) => {
        if (!params.has('refunded_from')) params.delete('refunded_to')
      }),
      'orders match by their beginning': replaces('filter.order-exact', ({ params }) => {
        const start = params.get('ecommerce_order')
        const record = { id: '1', name: 'R#-1', ecommerceOrder: { id: `${start}1` } }
        return start ? { status: 200, body: pageOf([record]) } : undefined
      }),
    }),
    ...mutationsOf('GET /returns/*', {
      'another return is given': bends('return.id', (body) => ({ ...body, id: '1' })),
    }),
    ...mutationsOf('GET /returns/*/transportations', {}),
    ...mutationsOf('GET /returns/*/transportations/*', {
      'a transportation is found below any return': replaces('transportations.unknown', ({ path }) => {
        const id = path.split('/').at(-1) ?? ''
        return id.includes('no-such') ? undefined : { status: 200, body: { id } }
      }),
    }),
    ...mutationsOf('GET /returns/*/refunds', {
      'a refund record is a cent off': bends('refunds.amount', (body) => ({
        refunds: body.refunds?.map((refund: Json) => ({ ...refund, amount: refund.amount + 0.01 })),
      })),
      'refunds of another return, executed all, without amount': bends(
        ['refunds.fields', 'refunds.return', 'refunds.executed'],
        (body) => ({
          refunds: body.refunds?.map(({ amount, ...refund }: Json) => ({
            ...refund,
            returnId: '1',
            status: 'EXECUTED',
            executedAt: undefined,
          })),
        }),
      ),
    }),
    ...mutationsOf(
      'GET /returns',
      {
        'returns do not follow their transports': bends(
          'tracking.return-follows',
          inReturns(() => ({ status: 'PENDING' })),
        ),
        'the list shows reports late': bends('tracking.applied', (body) => ({
          ...body,
          returns: body.returns?.map((record: Json) => ({
            ...record,
            ...(record.activeTransportation && {
              activeTransportation: { ...record.activeTransportation, status: 'REQUESTED' },
            }),
          })),
        })),
      },
      { writes: true },
    ),
    ...requestMutations,
  }
}
