import { field, filledIn, lost, refusing, type Seeded } from './plausible-mutations.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any

const LIST = 'GET /returns'
const METHODS = 'POST /return_methods'
const PUDOS = 'POST /pudos'
const LABELS = 'POST /shipping_labels'
const SETS = 'GET /shipping_labels'
const UPDATE = 'PUT /shipping_labels'
const TRACKING = 'POST /shipping_trackings'
const ACKNOWLEDGED = { status: 200, body: { statusCode: 'OK', description: 'x' } }
const REFUSAL = { status: 400, body: { errors: [{ code: 'VA01', message: 'no' }] } }

const inReturns = (bend: (record: Json) => Json) => (body: Json) =>
  body.returns
    ? { ...body, returns: body.returns.map((record: Json) => ({ ...record, ...bend(record) })) }
    : body

/** Moves a wall time by the nine hours between Tokyo and UTC, as a platform that takes it for UTC. */
const takenForUtc = (name: string) => (params: URLSearchParams) => {
  const at = params.get(name)
  if (!at || params.get('time_zone') !== 'Asia/Tokyo') return
  params.set(name, new Date(Date.parse(`${at}Z`) + 9 * 3_600_000).toISOString().slice(0, 19))
}

/** Found on no list of mutations that the checks were written for. `token` makes one that is accepted. */
export function furtherMutations(token: () => string): Record<string, Seeded> {
  const acceptIf = (fits: (authorization: string) => boolean) => (headers: Headers) => {
    if (fits(headers.get('authorization') ?? '')) headers.set('authorization', `Bearer ${token()}`)
  }
  return {
    'the tax of a return is that of its items twice': {
      notice: 'record.total-tax',
      on: LIST,
      body: inReturns(({ totalTax }) => ({ totalTax: totalTax * 2 })),
    },
    'the base amount of a return leaves one unit out': {
      notice: 'record.base-total-amount',
      on: LIST,
      body: inReturns(({ baseTotalReturnAmount, baseTotalRefund }) => ({
        baseTotalReturnAmount: baseTotalReturnAmount - 1,
        baseTotalRefund: baseTotalRefund - 1,
      })),
    },
    'return reasons have no additional information': {
      notice: 'record.fields',
      on: LIST,
      body: lost('additionalInfo'),
    },
    'items of the shop have no variant': { notice: 'record.fields', on: LIST, body: lost('variantId') },
    'prices of exchanged items are text': {
      notice: 'record.fields',
      on: LIST,
      body: field('exchangeLineItems', (items) =>
        items.map((item: Json) => ({ ...item, price: String(item.price) })),
      ),
    },
    'created_to is taken for UTC': {
      notice: 'zone.filter',
      on: LIST,
      query: takenForUtc('created_to'),
    },
    'updated_to is taken for UTC': {
      notice: 'zone.filter-updated',
      on: LIST,
      query: takenForUtc('updated_to'),
    },
    'refunded_from is ignored without refunded_to': {
      notice: 'filter.refunded-from',
      on: LIST,
      query: (params) => {
        if (!params.has('refunded_to')) params.delete('refunded_from')
      },
    },
    'refunded_to is ignored without refunded_from': {
      notice: 'filter.refunded-to',
      on: LIST,
      query: (params) => {
        if (!params.has('refunded_from')) params.delete('refunded_to')
      },
    },
    'orders match by their beginning': {
      notice: 'filter.order-exact',
      on: LIST,
      answer: ({ params }) => {
        const start = params.get('ecommerce_order')
        const record = { id: '1', name: 'R#-1', ecommerceOrder: { id: `${start}1` } }
        return start
          ? { status: 200, body: { returns: [record], pageInfo: { totalRecords: 1, totalPages: 1 } } }
          : undefined
      },
    },
    'unsigned tokens are accepted': {
      notice: 'auth.unsigned',
      ask: acceptIf((header) => /^Bearer [^.]+\.[^.]+\.$/.test(header)),
    },
    'the payload of a token may be changed': {
      notice: 'auth.payload',
      ask: acceptIf((header) => {
        const payload = Buffer.from(header.split('.')[1] ?? '', 'base64url').toString()
        return payload.startsWith('{"conformance"')
      }),
    },
    'an empty token is accepted': {
      notice: 'auth.empty',
      ask: acceptIf((header) => header.trim() === 'Bearer'),
    },
    'messages of errors are numbers': { notice: 'errors.form', body: field('message', () => 7) },
    'the status in the body is text': { notice: 'errors.status', body: field('status', String) },
    'every request has the same id': {
      notice: 'errors.request-id',
      headers: (headers) => headers.set('x-request-id', 'one'),
      body: field('requestId', () => 'one'),
    },
    'a transportation is found below any return': {
      notice: 'transportations.unknown',
      on: 'GET /returns/*/transportations/*',
      answer: ({ path }) => {
        const id = path.split('/').at(-1) ?? ''
        return id.includes('no-such') ? undefined : { status: 200, body: { id } }
      },
    },
    'refunds have a mode of their own': {
      notice: 'refunds.fields',
      ofMany: true,
      on: 'GET /returns/*/refunds',
      body: field('refundMode', () => 'SOME_DAY'),
    },
    'the fulfilment centre is optional': {
      notice: 'methods.refusal',
      on: METHODS,
      send: filledIn('ecommerceOrder.fulfillments.0.fulfillmentCenter', 'MAD'),
    },
    'payments of an order are refused': {
      notice: 'methods.optional',
      on: METHODS,
      ...refusing((body) => body.ecommerceOrder?.paymentMethods),
    },
    'the amount that a customer spent is refused': {
      notice: 'methods.optional',
      on: METHODS,
      ...refusing((body) => body.client?.totalAmountSpent !== undefined),
    },
    'methods need an order': {
      notice: 'methods.minimal',
      on: METHODS,
      ...refusing((body) => body.client && !body.ecommerceOrder),
    },
    'quantities may be words': {
      notice: 'methods.types',
      on: METHODS,
      send: (body) =>
        body.returnLineItems?.[0]?.quantity === 'many'
          ? { ...body, returnLineItems: [{ sku: '1', quantity: 1 }] }
          : body,
    },
    'only the first carrier is asked for points': {
      notice: 'pudos.services',
      on: PUDOS,
      send: (body) => ({ ...body, carrierServices: body.carrierServices?.slice(0, 1) }),
    },
    'points need a carrier': {
      notice: 'pudos.all-services',
      on: PUDOS,
      ...refusing((body) => body.latitude && !body.carrierServices),
    },
    'hours of points are of half a day': {
      notice: 'pudos.hours',
      on: PUDOS,
      body: field('opens', () => '9:00 AM'),
    },
    'labels are found without their documents': {
      notice: 'labels.get',
      writes: true,
      on: SETS,
      body: lost('base64'),
    },
    'documents are cut off': {
      notice: 'labels.pdf',
      writes: true,
      on: LABELS,
      body: field('base64', (text) => text.slice(0, 400)),
    },
    'tracking URLs of labels have no host': {
      notice: 'labels.create',
      writes: true,
      on: LABELS,
      body: field('carrierTrackingUrl', () => '/track/1'),
    },
    'deliveries are refused': {
      notice: 'labels.delivery',
      writes: true,
      on: LABELS,
      ...refusing((body) => body.shipmentType === 'DELIVERY'),
    },
    'a shipper is refused': {
      notice: 'labels.optional',
      writes: true,
      on: LABELS,
      ...refusing((body) => body.shipper),
    },
    'sizes of parcels are refused': {
      notice: 'labels.optional',
      writes: true,
      on: LABELS,
      ...refusing((body) => body.parcels?.[0]?.height),
    },
    'labels need parcels': {
      notice: 'labels.no-parcels',
      writes: true,
      on: LABELS,
      ...refusing((body) => body.shopCode && body.origin && !body.parcels),
    },
    'updates by client reference are forgotten': {
      notice: 'labels.update-by-reference',
      writes: true,
      on: UPDATE,
      answer: ({ body }) => (body.shipmentIdType === 'CLIENT_REFERENCE' ? ACKNOWLEDGED : undefined),
    },
    "updates by the merchant's own name are forgotten": {
      notice: 'labels.update-by-merchant',
      writes: true,
      on: UPDATE,
      answer: ({ body }) => (body.shipmentIdType === 'MERCHANT_RETURN_NAME' ? ACKNOWLEDGED : undefined),
    },
    'of several labels the first is kept': {
      notice: 'labels.update-all',
      writes: true,
      on: UPDATE,
      send: (body) => ({ ...body, shippingLabels: body.shippingLabels?.slice(0, 1) }),
    },
    'updates need no labels': {
      notice: 'labels.update-refusal',
      writes: true,
      on: UPDATE,
      answer: ({ body }) => (body.shopCode && !body.shippingLabels ? ACKNOWLEDGED : undefined),
    },
    'reports need no status': {
      notice: 'tracking.refusal',
      writes: true,
      on: TRACKING,
      answer: ({ body }) => (body.shopCode && !body.trackingStatus ? ACKNOWLEDGED : undefined),
    },
    'reports need a date': {
      notice: 'tracking.minimal',
      writes: true,
      on: TRACKING,
      answer: ({ body }) => (body.shopCode && !body.trackingDate ? REFUSAL : undefined),
    },
  }
}
