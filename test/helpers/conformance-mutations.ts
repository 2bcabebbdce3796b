import { mutationsOf, requestMutations } from './request-mutations.ts'
import { pageOf } from './script-server.ts'
import { field, inText, letIn, type Seeded, writtenMutations } from './written-mutations.ts'

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
    'errors have one message and no list': {
      notice: 'errors.form',
      body: (body) => (body.errors ? { message: body.errors[0].message } : body),
    },
    'the status in the body is another': {
      notice: 'errors.status',
      body: (body) => (body.status ? { ...body, status: 200 } : body),
    },
    'the payload of a token may be changed': {
      notice: 'auth.payload',
      ask: letIn(token, (header) => {
        const payload = Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()
        return payload.startsWith('{"conformance"')
      }),
    },
    ...mutationsOf('GET /returns', {
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
      'the newest comes last': {
        notice: 'returns.order',
        body: (body) => ({ ...body, returns: body.returns?.concat(body.returns.splice(0, 1)) }),
      },
      'an unknown name is 404': {
        notice: 'filter.name-unknown',
        answer: ({ params }) =>
          params.get('name')?.includes('CONFORMANCE') ? { status: 404, body: { errors: [] } } : undefined,
      },
      'updated_* look at the creation': {
        notice: 'filter.updated-range',
        query: inPlaceOf('updated', 'created'),
      },
      'created_* look at the update': {
        notice: 'filter.created-range',
        query: inPlaceOf('created', 'updated'),
      },
      'of several filters one counts': {
        notice: 'filter.together',
        query: (params) => {
          if (params.has('status') && params.has('shop_code')) params.delete('status')
        },
      },
      'of several filters the date does not count': {
        notice: 'filter.together',
        query: (params) => {
          if (params.has('status')) params.delete('created_from')
        },
      },
      'a foreign shop is forbidden': {
        notice: 'filter.shop-foreign-400',
        answer: ({ params }) =>
          params.get('shop_code')?.startsWith('CONF') ? { status: 403, body: { errors: [] } } : undefined,
      },
      'shops are mixed up': {
        notice: 'filter.shop',
        query: (params) => {
          const code = params.get('shop_code')
          if (code?.includes('-') && !code.startsWith('CONFORMANCE'))
            params.set('shop_code', code === 'LUMBRE-ES' ? 'HARROW-UK' : 'LUMBRE-ES')
        },
      },
      'time_zone changes the offset alone': {
        notice: 'zone.asia-kolkata',
        query: (params) => params.delete('time_zone'),
        body: (body, { params }) => (params.has('time_zone') ? inText(/Z"/g, '+05:30"')(body) : body),
      },
      'ranges are meant in UTC': {
        notice: ['zone.filter', 'zone.filter-updated'],
        query: (params) => {
          if (/(created|updated)_/.test(params.toString())) params.delete('time_zone')
        },
      },
      'a required field has another name': {
        notice: 'record.fields',
        body: inRecords((record) => renamed(record, 'totalReturnFee', 'returnFee')),
      },
      'a number is an object': {
        notice: 'record.fields',
        body: inReturns((record) => ({ totalTax: { value: record.totalTax } })),
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
      'totals are those of all returns': {
        notice: 'filter.total',
        body: (body, { params }) =>
          params.has('status') || params.has('name')
            ? inPageInfo(() => ({ totalRecords: 50, totalPages: 1 }))(body)
            : body,
      },
      'countries are in lower case': {
        notice: 'record.country',
        body: field('countryCode', (code) => code.toLowerCase()),
      },
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
      'prices of exchanged items are text': {
        notice: 'record.fields',
        body: field('exchangeLineItems', (items) =>
          items.map((item: Json) => ({ ...item, price: String(item.price) })),
        ),
      },
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
      'another return is given': { notice: 'return.id', body: (body) => ({ ...body, id: '1' }) },
    }),
    ...mutationsOf('GET /returns/*/transportations', {}),
    ...mutationsOf('GET /returns/*/transportations/*', {
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
