import { typed } from './command-line.ts'
import type { Mutation } from './mutated-sandbox.ts'
import { TEST_NOW } from './platform.ts'

export interface Seeded extends Mutation {
  /** The checks that must notice it. */
  notice: string | readonly string[]
  writes?: boolean
  /** Shown by more returns than a page holds, or by what is rare among them. */
  ofMany?: boolean
  /** Flags of the run. */
  flags?: readonly string[]
}

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any
type Bend = (value: Json) => Json

/** Mutations of one operation. */
export const mutationsOf = (on: string, mutations: Record<string, Seeded>, shared: Partial<Seeded> = {}) =>
  Object.fromEntries(
    Object.entries(mutations).map(([name, mutation]): [string, Seeded] => [
      name,
      { on, ...shared, ...mutation },
    ]),
  )

/** Another value wherever the body has that field. */
export const field = (name: string, bend: Bend) => (body: Json) =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === name && value !== null ? bend(value) : value))
export const lost = (name: string) => field(name, () => undefined)
export const inText = (pattern: RegExp, text: string) => (body: Json) =>
  JSON.parse(JSON.stringify(body).replace(pattern, text))
const inLabels = (bend: Bend) => (body: Json) =>
  body.shippingLabels ? { ...body, shippingLabels: body.shippingLabels.map(bend) } : body
/** Fills a field in that a request lacks, so that nobody refuses the request. */
const filledIn = (path: string, value: unknown) => (body: Json) => {
  const copy = structuredClone(body)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inner = copy
  for (const step of steps) inner = inner?.[step]
  if (inner && typeof inner === 'object' && !(last in inner)) inner[last] = value
  return copy
}
const ACKNOWLEDGED = { status: 200, body: { statusCode: 'OK', description: 'x' } }
const REFUSAL = { status: 400, body: { errors: [{ code: 'VA01', message: 'no' }] } }
/** Answers requests of a kind by itself. */
const answering = (answer: { status: number; body: Json }) => (fits: (body: Json) => boolean) => ({
  answer: ({ body }: { body: Json }) => (fits(body) ? answer : undefined),
})
const refusing = answering(REFUSAL)
const acknowledging = answering(ACKNOWLEDGED)
const ADDRESS = { line1: 'A', city: 'Madrid', postalCode: '28001', countryCode: 'ES' }

export const failing = (status: number) => (status === 401 ? 401 : 500)

/** Ways in which the platform bends operations that have a body. */
export const requestMutations: Record<string, Seeded> = {
  'PATCH is fine': {
    notice: 'labels.patch',
    on: 'PATCH /shipping_labels',
    writes: true,
    answer: () => ACKNOWLEDGED,
  },
  ...mutationsOf('POST /return_methods', {
    'methods in euros always': {
      notice: 'methods.currency',
      body: inText(/"currencyCode":"[A-Z]{3}"/g, '"currencyCode":"EUR"'),
    },
    'methods in reverse': {
      notice: 'methods.order',
      body: (body) => ({ ...body, returnMethods: body.returnMethods?.reverse() }),
    },
    'a service type of its own': { notice: 'methods.fields', body: inText(/"drop-off"/g, '"DROP_OFF"') },
    'no method is an error': {
      notice: 'methods.none',
      answer: ({ body }) => (body.currencyCode === 'XTS' ? { status: 404, body: { errors: [] } } : undefined),
    },
    'a request without client is accepted': {
      notice: 'methods.refusal',
      send: (body) => (typeof body === 'object' ? { client: { id: '1', tier: 'X' }, ...body } : body),
    },
    'messages name no field': {
      notice: 'methods.refusal-path',
      body: (body) => ({ ...body, errors: body.errors?.map((e: Json) => ({ ...e, message: 'invalid' })) }),
    },
    'methods without a fee': { notice: 'methods.code', body: inText(/"returnFee":[\d.]+,/g, '') },
    'a text will do for a request': {
      notice: 'methods.no-object',
      answer: ({ body }) =>
        typeof body === 'string' ? { status: 200, body: { returnMethods: [] } } : undefined,
    },
    'the latitude of a destination is a number': {
      notice: 'methods.fields',
      body: field('latitude', Number),
    },
    'the tier of a client is optional': { notice: 'methods.refusal', send: filledIn('client.tier', 'GOLD') },
    'the country of an origin is optional': {
      notice: 'methods.refusal',
      send: filledIn('originAddress.countryCode', 'ES'),
    },
    'methods need no shop': { notice: 'methods.shop', send: filledIn('shopCode', 'LUMBRE-ES') },
    'POST /return_methods offers nothing': {
      notice: 'methods.fields',
      answer: () => ({ status: 200, body: { returnMethods: [] } }),
    },
    'POST /return_methods fails': { notice: 'methods.fields', answer: () => ({ status: 500, body: {} }) },
    'fees of methods are text': { notice: 'methods.fields', body: field('returnFee', String) },
    'priorities are text': { notice: 'methods.fields', body: field('priority', String) },
    'flags of methods are text': { notice: 'methods.fields', body: field('isLabelFree', String) },
    'the quantity of an item is optional': {
      notice: 'methods.refusal',
      send: filledIn('returnLineItems.0.quantity', 1),
    },
    'the id of an order is optional': { notice: 'methods.refusal', send: filledIn('ecommerceOrder.id', '1') },
    'the currency of a request is optional': {
      notice: 'methods.refusal',
      send: filledIn('currencyCode', 'EUR'),
    },
    'the fulfilment centre is optional': {
      notice: 'methods.refusal',
      send: filledIn('ecommerceOrder.fulfillments.0.fulfillmentCenter', 'MAD'),
    },
    'payments of an order are refused': {
      notice: 'methods.optional',
      ...refusing((body) => body.ecommerceOrder?.paymentMethods),
    },
    'the amount that a customer spent is refused': {
      notice: 'methods.optional',
      ...refusing((body) => body.client?.totalAmountSpent !== undefined),
    },
    'methods need an order': {
      notice: 'methods.minimal',
      ...refusing((body) => body.client && !body.ecommerceOrder),
    },
    'quantities may be words': {
      notice: 'methods.types',
      send: (body) =>
        body.returnLineItems?.[0]?.quantity === 'many'
          ? { ...body, returnLineItems: [{ sku: '1', quantity: 1 }] }
          : body,
    },
  }),
  ...mutationsOf('POST /pudos', {
    'points in any order': {
      notice: 'pudos.order',
      body: (body) =>
        Array.isArray(body) ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.reverse() })) : body,
    },
    'distances in metres': {
      notice: 'pudos.distance',
      body: (body) => JSON.parse(JSON.stringify(body), (key, v) => (key === 'distance' ? v * 1000 : v)),
    },
    'the limit of points is ignored': { notice: 'pudos.limit', send: ({ limit, ...body }) => body },
    'the range is ignored': {
      notice: 'pudos.range',
      send: (body) => (body.range ? { ...body, range: 100 } : body),
    },
    'the range is in miles': {
      ofMany: true,
      notice: 'pudos.range',
      send: (body) => (body.range ? { ...body, range: body.range * 1.609 } : body),
    },
    'the address wins': {
      notice: 'pudos.coordinates-win',
      send: ({ latitude, longitude, ...body }) => (body.city ? body : { latitude, longitude, ...body }),
    },
    'the location type is ignored': {
      notice: 'pudos.location-type',
      send: ({ locationType, ...body }) => body,
    },
    'neither address nor coordinates is fine': {
      notice: 'pudos.neither',
      answer: ({ body }) => (!body.city && !body.latitude ? { status: 200, body: [] } : undefined),
    },
    'carriers and points without names': {
      notice: ['pudos.fields', 'pudos.points'],
      body: inText(/"(carrierExternalCode|name)":"[^"]*",/g, ''),
    },
    'north is a degree off': {
      notice: 'pudos.coordinates',
      send: (body) => (body.latitude ? { ...body, latitude: body.latitude + 1 } : body),
    },
    'the farthest points with a limit': {
      ofMany: true,
      notice: 'pudos.limit-nearest',
      send: (body) => ({ ...body, limit: 20 }),
      body: (body, { sent }) =>
        Array.isArray(body)
          ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.slice(-(sent.limit ?? 20)) }))
          : body,
    },
    'any service will do': {
      notice: 'pudos.unknown-service',
      send: (body) =>
        body.carrierServices?.[0].code.startsWith('CONF')
          ? { ...body, carrierServices: [{ code: 'SBX_STANDARD' }] }
          : body,
    },
    'an unknown town has no points': {
      notice: 'pudos.unknown-place',
      answer: ({ body }) => (body.city?.startsWith('Conf') ? { status: 200, body: [] } : undefined),
    },
    'PU01 is another code': { notice: 'pudos.neither-code', body: inText(/"PU01"/g, '"VA01"') },
    'points need no shop': { notice: 'pudos.shop', send: filledIn('shopCode', 'LUMBRE-ES') },
    'POST /pudos fails': { notice: 'pudos.fields', answer: () => ({ status: 500, body: {} }) },
    'POST /pudos refuses everything': { notice: 'pudos.fields', answer: () => REFUSAL },
    'POST /pudos finds nothing': { notice: 'pudos.fields', answer: () => ({ status: 200, body: [] }) },
    'the codes of carriers are numbers': { notice: 'pudos.fields', body: field('carrierCode', () => 7) },
    'ids of points are numbers': {
      notice: 'pudos.point-fields',
      body: field('pudoPoints', (points) => points.map(({ id, ...point }: Json) => ({ ...point, id: 1 }))),
    },
    'coordinates of points are text': { notice: 'pudos.point-fields', body: field('latitude', String) },
    'only the first carrier is asked for points': {
      notice: 'pudos.services',
      send: (body) => ({ ...body, carrierServices: body.carrierServices?.slice(0, 1) }),
    },
    'points need a carrier': {
      notice: 'pudos.all-services',
      ...refusing((body) => body.latitude && !body.carrierServices),
    },
    'hours of points are of half a day': { notice: 'pudos.hours', body: field('opens', () => '9:00 AM') },
  }),
  ...mutationsOf('GET /shipping_labels', {
    'a shipment without labels has an empty list': {
      notice: 'labels.unknown-id',
      status: (status) => (status === 404 ? 200 : status),
    },
    'no id and any shop are fine': {
      notice: ['labels.no-id', 'labels.shop-foreign'],
      answer: ({ params }) =>
        params.has('client_shipment_id') && !params.get('shopCode')?.startsWith('CONF')
          ? undefined
          : { status: 200, body: [] },
    },
    'GET /shipping_labels fails': { notice: 'labels.answer', status: failing },
  }),
  ...mutationsOf(
    'GET /shipping_labels',
    {
      'labels are not found again': { notice: 'labels.get', body: () => [] },
      'label requests are idempotent': {
        notice: 'labels.twice',
        body: (body) => (Array.isArray(body) ? body.slice(0, 1) : body),
      },
      'the client reference finds nothing': {
        notice: 'labels.both-ids',
        answer: ({ params }) =>
          params.get('client_shipment_id')?.startsWith('P#R#') ? { status: 200, body: [] } : undefined,
      },
      'only what was made is found': {
        notice: 'labels.update-newest',
        body: (body) =>
          Array.isArray(body) ? body.filter((set: Json) => set.shippingLabels[0].base64) : body,
      },
      'labels are found without a shop': {
        notice: 'labels.found-shop',
        answer: ({ params }) => (params.has('shopCode') ? undefined : { status: 200, body: [] }),
      },
      'labels are found without their documents': { notice: 'labels.get', body: lost('base64') },
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_labels',
    {
      'labels are no PDF': {
        notice: 'labels.pdf',
        body: inText(/"base64":"[^"]{9}/g, '"base64":"AAAAAAAAA'),
      },
      'another shipment is answered': {
        notice: 'labels.create',
        body: inText(/"clientShipmentId":"/g, '"clientShipmentId":"X'),
      },
      'one label for all parcels': {
        notice: 'labels.parcels',
        send: (body) => ({ ...body, parcels: body.parcels?.slice(0, 1) }),
      },
      'a label without an id, by any service': {
        notice: ['labels.refusal', 'labels.unknown-service'],
        send: (body) => ({
          clientShipmentId: 'X1',
          ...body,
          ...(body.carrierServiceCode?.startsWith('CONF') && { carrierServiceCode: 'SBX_STANDARD' }),
        }),
      },
      'labels do not say their format': { notice: 'labels.format', body: inText(/"format":"[A-Z]+",/g, '') },
      'labels are of no transport': {
        notice: ['labels.transport', 'labels.both-ids'],
        send: (body) => ({ ...body, clientShipmentId: body.clientShipmentId?.replace(/-T\d+$/, '-X') }),
        body: inText(/-X"/g, '"'),
      },
      'ZPL is refused': { notice: 'labels.zpl', ...refusing((body) => body.labelFormat === 'ZPL') },
      'tags are refused': { notice: 'labels.tags', ...refusing((body) => body.tags) },
      'carrierOptions are refused': {
        notice: 'labels.carrier-options',
        ...refusing((body) => body.carrierOptions),
      },
      'the phone of an origin is optional': {
        notice: 'labels.refusal',
        send: filledIn('origin.phone', '+34600000000'),
      },
      'the phone of a destination is optional': {
        notice: 'labels.refusal',
        send: filledIn('destination.phone', '+34600000000'),
      },
      'the format of a label is optional': { notice: 'labels.refusal', send: filledIn('labelFormat', 'PDF') },
      'the country of a label address is optional': {
        notice: 'labels.refusal',
        send: filledIn('destination.address.countryCode', 'ES'),
      },
      'labels are made without a shop': {
        notice: 'labels.made-shop',
        answer: ({ body }) => (body.shopCode ? undefined : { status: 200, body: { shippingLabels: [] } }),
      },
      'revision 1.2.10 is refused': {
        notice: 'labels.old-revision',
        ...refusing((body) => body.customsInfo),
      },
      'revision 1.2.10 is refused by a platform of that revision': {
        notice: 'labels.customs-info',
        flags: typed`--api-revision 1.2.10`,
        ...refusing((body) => body.customsInfo),
      },
      'carriers say nothing of a refusal': { notice: 'labels.carrier-errors', body: lost('carrierErrors') },
      'label-free shipments have no code': { notice: 'labels.label-free', body: lost('labelFreeCode') },
      'label-free shipments are not known': {
        notice: 'labels.label-free',
        body: field('isLabelFree', () => false),
      },
      'the description of a parcel is optional': {
        notice: 'labels.refusal',
        send: filledIn('parcels.0.description', 'x'),
      },
      'the customs code of an item is optional': {
        notice: 'labels.refusal',
        send: filledIn('parcels.0.items.0.hsCode', '610910'),
      },
      'the address of an origin is optional': {
        notice: 'labels.required-address',
        send: filledIn('origin.address', ADDRESS),
      },
      'any format of a label will do': {
        notice: 'labels.unknown-format',
        send: (body) => ({ ...body, labelFormat: body.labelFormat === 'ZPL' ? 'ZPL' : 'PDF' }),
      },
      'any type of shipment will do': {
        notice: 'labels.unknown-shipment-type',
        send: (body) => ({ ...body, shipmentType: 'RETURN' }),
      },
      'items of parcels are refused': {
        notice: 'labels.items',
        ...refusing((body) => body.parcels?.[0]?.items),
      },
      'ZPL is a PDF that calls itself ZPL': {
        notice: 'labels.zpl',
        send: (body) => ({ ...body, labelFormat: 'PDF' }),
        body: field('format', () => 'ZPL'),
      },
      'parcels share a tracking code': {
        notice: 'labels.parcels',
        body: field('carrierTrackingCode', () => 'SAME'),
      },
      'labels have no external code': { notice: 'labels.create', body: lost('carrierExternalCode') },
      'the code of a label-free shipment has a format of its own': {
        notice: 'labels.label-free',
        body: field('format', () => 'QR'),
      },
      'carriers answer in texts': {
        notice: 'labels.carrier-errors-form',
        body: field('carrierErrors', () => ['no']),
      },
      'refusals of labels have codes of words': {
        notice: 'labels.refusal',
        body: (body) => (body.errors ? { ...body, errors: [{ code: 'MISSING', message: 'x' }] } : body),
      },
      'the address of a destination is optional': {
        notice: 'labels.required-address',
        send: filledIn('destination.address', ADDRESS),
      },
      'documents are cut off': { notice: 'labels.pdf', body: field('base64', (text) => text.slice(0, 400)) },
      'tracking URLs of labels have no host': {
        notice: 'labels.create',
        body: field('carrierTrackingUrl', () => '/track/1'),
      },
      'deliveries are refused': {
        notice: 'labels.delivery',
        ...refusing((body) => body.shipmentType === 'DELIVERY'),
      },
      'a shipper is refused': { notice: 'labels.optional', ...refusing((body) => body.shipper) },
      'sizes of parcels are refused': {
        notice: 'labels.optional',
        ...refusing((body) => body.parcels?.[0]?.height),
      },
      'labels need parcels': {
        notice: 'labels.no-parcels',
        ...refusing((body) => body.shopCode && body.origin && !body.parcels),
      },
    },
    { writes: true },
  ),
  ...mutationsOf(
    'PUT /shipping_labels',
    {
      'label updates are forgotten': { notice: 'labels.update-shown', answer: () => ACKNOWLEDGED },
      'client references are not known': {
        notice: 'labels.update-client-reference',
        send: (body) => ({ ...body, shipmentIdType: 'RETURN_NAME' }),
      },
      'updates of nothing are fine': { notice: 'labels.update-unknown', status: () => 200 },
      'label updates go by the merchant alone': {
        notice: ['labels.update-return-name', 'labels.update-merchant-return-name'],
        answer: () => ({ status: 404, body: { errors: [] } }),
      },
      'what has ended is updated': {
        notice: 'labels.update-ended',
        ...acknowledging((body) => body.shipmentIdType === 'CLIENT_REFERENCE'),
      },
      'updates lose the URL of the label': {
        notice: 'labels.update-url',
        send: inLabels(({ url, ...label }) => label),
      },
      'updates lose additional tracking codes': {
        notice: 'labels.update-additional-codes',
        send: inLabels(({ additionalTrackingCodes, ...label }) => label),
      },
      'updates need no shop': {
        notice: 'labels.update-shop',
        answer: ({ body }) => (body.shopCode ? undefined : ACKNOWLEDGED),
      },
      'updates by a type that there is not are taken': {
        notice: 'labels.update-unknown-type',
        send: (body) => ({
          ...body,
          shipmentIdType: body.shipmentIdType === 'CLIENT_REFERENCE' ? 'CLIENT_REFERENCE' : 'RETURN_NAME',
        }),
      },
      'updates take any address for a URL': {
        notice: 'labels.update-no-url',
        send: inLabels(({ url, ...label }) => (/^http/.test(url) ? { url, ...label } : label)),
      },
      'updates lose the tracking URL': {
        notice: 'labels.update-tracking-url',
        send: inLabels(({ carrierTrackingUrl, ...label }) => label),
      },
      'updates are answered with nothing': {
        notice: 'labels.update-answer',
        body: (body) => (body.errors ? body : {}),
      },
      'updates lose the format of the label': {
        notice: 'labels.update-format',
        send: inLabels((label) => ({ ...label, format: 'ZPL' })),
      },
      'updates by client reference are forgotten': {
        notice: 'labels.update-by-reference',
        ...acknowledging((body) => body.shipmentIdType === 'CLIENT_REFERENCE'),
      },
      "updates by the merchant's own name are forgotten": {
        notice: 'labels.update-by-merchant',
        ...acknowledging((body) => body.shipmentIdType === 'MERCHANT_RETURN_NAME'),
      },
      'of several labels the first is kept': {
        notice: 'labels.update-all',
        send: (body) => ({ ...body, shippingLabels: body.shippingLabels?.slice(0, 1) }),
      },
      'updates need no labels': {
        notice: 'labels.update-refusal',
        ...acknowledging((body) => body.shopCode && !body.shippingLabels),
      },
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_trackings',
    {
      'reports of nothing are fine': { notice: 'tracking.unknown-shipment', status: () => 200 },
      'reports are forgotten': { notice: 'tracking.applied', answer: () => ACKNOWLEDGED },
      'reports are answered with nothing': {
        notice: 'tracking.answer',
        body: (body) => (body.errors ? body : {}),
      },
      'backward reports are taken': { notice: 'tracking.backward', status: () => 200 },
      'a repeated report is another event': {
        notice: 'tracking.repeated',
        send: (body) => ({ ...body, trackingNumber: `${Math.random()}` }),
      },
      'tracking numbers are not kept, statuses not read': {
        notice: ['tracking.number', 'tracking.unknown-status'],
        send: ({ trackingNumber, ...body }) => ({
          ...body,
          trackingStatus:
            body.trackingStatus === 'CONFORMANCE' ? 'SHIPPING_IN_PROGRESS' : body.trackingStatus,
        }),
      },
      'older reports are dropped': {
        notice: 'tracking.older',
        ...acknowledging((body) => body.trackingStatus === 'REQUESTED'),
      },
      'what has ended is reported on': {
        notice: 'tracking.ended',
        status: (status) => (status === 400 ? 200 : status),
      },
      'every report is applied': {
        notice: ['tracking.repeated-code', 'tracking.older-code'],
        body: inText(/"(DUPLICATE|STALE)"/g, '"OK"'),
      },
      'the future is known': {
        notice: 'tracking.future',
        ...acknowledging((body) => Date.parse(body.trackingDate) > TEST_NOW + 30 * 3_600_000),
      },
      'reports lose the carrier': { notice: 'tracking.carrier', send: lost('carrierName') },
      'reports lose the tracking URL': { notice: 'tracking.url', send: lost('trackingUrl') },
      'reports lose the description': {
        notice: 'tracking.description',
        send: lost('trackingStatusDescription'),
      },
      'reports need no shop': {
        notice: 'tracking.shop',
        answer: ({ body }) => (body.shopCode ? undefined : ACKNOWLEDGED),
      },
      'reports by a type that there is not are taken': {
        notice: 'tracking.unknown-type',
        send: (body) => ({ ...body, shipmentIdType: 'RETURN_NAME' }),
      },
      'reports of long ago are taken': {
        notice: 'tracking.early',
        ...acknowledging((body) => body.trackingDate < '2010'),
      },
      'reports are dated by their arrival': {
        notice: 'tracking.date',
        send: (body) => ({
          ...body,
          trackingDate: new Date(Date.parse(body.trackingDate) - 1000).toISOString(),
        }),
      },
      'the status of a report is answered as a number': {
        notice: 'tracking.forward',
        body: field('statusCode', () => 200),
      },
      'reports need no status': {
        notice: 'tracking.refusal',
        ...acknowledging((body) => body.shopCode && !body.trackingStatus),
      },
      'reports need a date': {
        notice: 'tracking.minimal',
        ...refusing((body) => body.shopCode && !body.trackingDate),
      },
    },
    { writes: true },
  ),
}
