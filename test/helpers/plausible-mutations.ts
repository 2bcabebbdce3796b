import { typed } from './command-line.ts'
import type { Mutation } from './mutated-sandbox.ts'

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

const LIST = 'GET /returns'
const METHODS = 'POST /return_methods'
const PUDOS = 'POST /pudos'
const LABELS = 'POST /shipping_labels'
const SETS = 'GET /shipping_labels'
const UPDATE = 'PUT /shipping_labels'
const TRACKING = 'POST /shipping_trackings'

const ERRORS = { errors: [{ code: 'VA01', message: 'no' }] }
const REFUSAL = { status: 400, body: ERRORS }
const ACKNOWLEDGED = { status: 200, body: { statusCode: 'OK', description: 'x' } }

/** Another value wherever the body has that field. */
export const field = (name: string, bend: Bend) => (body: Json) =>
  JSON.parse(JSON.stringify(body), (key, value) => (key === name && value !== null ? bend(value) : value))
export const lost = (name: string) => field(name, () => undefined)
const inPageInfo = (bend: Bend) => (body: Json) =>
  body.pageInfo ? { ...body, pageInfo: { ...body.pageInfo, ...bend(body.pageInfo) } } : body
const inLabels = (bend: Bend) => (body: Json) =>
  body.shippingLabels ? { ...body, shippingLabels: body.shippingLabels.map(bend) } : body
/** Fills a field in that a request lacks, so that nobody refuses the request. */
export const filledIn = (path: string, value: unknown) => (body: Json) => {
  const copy = structuredClone(body)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  let inner = copy
  for (const step of steps) inner = inner?.[step]
  if (inner && typeof inner === 'object' && !(last in inner)) inner[last] = value
  return copy
}
/** Refuses requests of a kind. */
export const refusing = (fits: (body: Json) => boolean) => ({
  answer: ({ body }: { body: Json }) => (fits(body) ? REFUSAL : undefined),
})
const ADDRESS = { line1: 'A', city: 'Madrid', postalCode: '28001', countryCode: 'ES' }

const failing = (status: number) => (status === 401 ? 401 : 500)

/** Mutations that an independent audit found unnoticed. */
export const AUDITED: Record<string, Seeded> = {
  'quantities are text': { notice: 'record.fields', on: LIST, body: field('quantity', String) },
  'the number of pages is text': {
    notice: 'returns.container',
    on: LIST,
    body: inPageInfo(({ totalPages }) => ({ totalPages: String(totalPages) })),
  },
  'the latitude of a destination is a number': {
    notice: 'methods.fields',
    on: METHODS,
    body: field('latitude', Number),
  },
  'countries are named': { notice: 'record.country', on: LIST, body: field('countryCode', () => 'Spain') },
  'totals are those of all returns': {
    notice: 'filter.total',
    on: LIST,
    body: (body, { params }) =>
      params.has('status') || params.has('name')
        ? inPageInfo(() => ({ totalRecords: 50, totalPages: 1 }))(body)
        : body,
  },
  'updates lose the URL of the label': {
    notice: 'labels.update-url',
    writes: true,
    on: UPDATE,
    send: inLabels(({ url, ...label }) => label),
  },
  'updates lose additional tracking codes': {
    notice: 'labels.update-additional-codes',
    writes: true,
    on: UPDATE,
    send: inLabels(({ additionalTrackingCodes, ...label }) => label),
  },
  'reports lose the carrier': {
    notice: 'tracking.carrier',
    writes: true,
    on: TRACKING,
    send: lost('carrierName'),
  },
  'reports lose the tracking URL': {
    notice: 'tracking.url',
    writes: true,
    on: TRACKING,
    send: lost('trackingUrl'),
  },
  'reports lose the description': {
    notice: 'tracking.description',
    writes: true,
    on: TRACKING,
    send: lost('trackingStatusDescription'),
  },
  'ZPL is refused': {
    notice: 'labels.zpl',
    writes: true,
    on: LABELS,
    ...refusing((body) => body.labelFormat === 'ZPL'),
  },
  'tags are refused': { notice: 'labels.tags', writes: true, on: LABELS, ...refusing((body) => body.tags) },
  'carrierOptions are refused': {
    notice: 'labels.carrier-options',
    writes: true,
    on: LABELS,
    ...refusing((body) => body.carrierOptions),
  },
  'the tier of a client is optional': {
    notice: 'methods.refusal',
    on: METHODS,
    send: filledIn('client.tier', 'GOLD'),
  },
  'the country of an origin is optional': {
    notice: 'methods.refusal',
    on: METHODS,
    send: filledIn('originAddress.countryCode', 'ES'),
  },
  'the phone of an origin is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('origin.phone', '+34600000000'),
  },
  'the phone of a destination is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('destination.phone', '+34600000000'),
  },
  'the format of a label is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('labelFormat', 'PDF'),
  },
  'the country of a label address is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('destination.address.countryCode', 'ES'),
  },
  'methods need no shop': { notice: 'methods.shop', on: METHODS, send: filledIn('shopCode', 'LUMBRE-ES') },
  'points need no shop': { notice: 'pudos.shop', on: PUDOS, send: filledIn('shopCode', 'LUMBRE-ES') },
  'labels are found without a shop': {
    notice: 'labels.found-shop',
    writes: true,
    on: SETS,
    answer: ({ params }) => (params.has('shopCode') ? undefined : { status: 200, body: [] }),
  },
  'labels are made without a shop': {
    notice: 'labels.made-shop',
    writes: true,
    on: LABELS,
    answer: ({ body }) => (body.shopCode ? undefined : { status: 200, body: { shippingLabels: [] } }),
  },
  'updates need no shop': {
    notice: 'labels.update-shop',
    writes: true,
    on: UPDATE,
    answer: ({ body }) => (body.shopCode ? undefined : ACKNOWLEDGED),
  },
  'reports need no shop': {
    notice: 'tracking.shop',
    writes: true,
    on: TRACKING,
    answer: ({ body }) => (body.shopCode ? undefined : ACKNOWLEDGED),
  },
  'a single return has no zone': {
    notice: 'zone.return',
    on: 'GET /returns/*',
    query: (params) => params.delete('time_zone'),
  },
  'transportations have no zone': {
    notice: 'zone.transportations',
    on: 'GET /returns/*/transportations',
    query: (params) => params.delete('time_zone'),
  },
  'refunds have no zone': {
    notice: 'zone.refunds',
    ofMany: true,
    on: 'GET /returns/*/refunds',
    query: (params) => params.delete('time_zone'),
  },
  'revision 1.2.10 is refused': {
    notice: 'labels.old-revision',
    writes: true,
    on: LABELS,
    ...refusing((body) => body.customsInfo),
  },
  'revision 1.2.10 is refused by a platform of that revision': {
    notice: 'labels.customs-info',
    writes: true,
    flags: typed`--api-revision 1.2.10`,
    on: LABELS,
    ...refusing((body) => body.customsInfo),
  },
  'carriers say nothing of a refusal': {
    notice: 'labels.carrier-errors',
    writes: true,
    on: LABELS,
    body: lost('carrierErrors'),
  },
  'label-free shipments have no code': {
    notice: 'labels.label-free',
    writes: true,
    on: LABELS,
    body: lost('labelFreeCode'),
  },
  'label-free shipments are not known': {
    notice: 'labels.label-free',
    writes: true,
    on: LABELS,
    body: field('isLabelFree', () => false),
  },
}

/** Further ways in which a platform may plausibly be broken. */
export const PLAUSIBLE: Record<string, Seeded> = {
  'POST /pudos fails': { notice: 'pudos.fields', on: PUDOS, answer: () => ({ status: 500, body: {} }) },
  'POST /pudos refuses everything': { notice: 'pudos.fields', on: PUDOS, answer: () => REFUSAL },
  'POST /pudos finds nothing': {
    notice: 'pudos.fields',
    on: PUDOS,
    answer: () => ({ status: 200, body: [] }),
  },
  'POST /return_methods offers nothing': {
    notice: 'methods.fields',
    on: METHODS,
    answer: () => ({ status: 200, body: { returnMethods: [] } }),
  },
  'POST /return_methods fails': {
    notice: 'methods.fields',
    on: METHODS,
    answer: () => ({ status: 500, body: {} }),
  },
  'single returns fail': { notice: 'return.id', on: 'GET /returns/*', status: failing },
  'transportations fail': {
    notice: 'transportations.answer',
    on: 'GET /returns/*/transportations',
    status: failing,
  },
  'a transportation fails': {
    notice: 'transportations.one',
    on: 'GET /returns/*/transportations/*',
    status: failing,
  },
  'refunds fail': { notice: 'refunds.answer', on: 'GET /returns/*/refunds', status: failing },
  'GET /shipping_labels fails': { notice: 'labels.answer', on: SETS, status: failing },
  'totals are text': {
    notice: 'returns.container',
    on: LIST,
    body: inPageInfo(({ totalRecords }) => ({ totalRecords: String(totalRecords) })),
  },
  'totals are fractions': {
    notice: 'returns.container',
    on: LIST,
    body: inPageInfo(({ totalPages }) => ({ totalPages: totalPages + 0.5 })),
  },
  'amounts are text': { notice: 'record.fields', on: LIST, body: field('totalReturnFee', String) },
  'phones are numbers': { notice: 'record.fields', on: LIST, body: field('phone', () => 34600000000) },
  'postal codes are numbers': { notice: 'record.fields', on: LIST, body: field('postalCode', () => 28001) },
  'countries are in lower case': {
    notice: 'record.country',
    on: LIST,
    body: field('countryCode', (code) => code.toLowerCase()),
  },
  'currencies are signs': { notice: 'record.currency', on: LIST, body: field('currency', () => '€') },
  'links have no host': {
    notice: 'record.urls',
    on: LIST,
    body: field('carrierTrackingUrl', () => '/track/1'),
  },
  'items are counted below zero': { notice: 'record.quantity', on: LIST, body: field('quantity', (n) => -n) },
  'a later page forgets the filter': {
    notice: 'filter.pages',
    on: LIST,
    query: (params) => {
      if (params.get('page') === '2') params.delete('status')
    },
  },
  'pages are counted without the filter': {
    notice: 'filter.total',
    on: LIST,
    body: (body, { params }) =>
      params.has('shop_code') ? inPageInfo(({ totalPages }) => ({ totalPages: totalPages + 1 }))(body) : body,
  },
  'names match by their beginning': {
    notice: 'filter.name-exact',
    on: LIST,
    answer: ({ params }) => {
      const name = params.get('name') ?? ''
      const record = { id: '1', name: `${name}1` }
      return name.startsWith('R#-')
        ? { status: 200, body: { returns: [record], pageInfo: { totalRecords: 1, totalPages: 1 } } }
        : undefined
    },
  },
  'fees of methods are text': { notice: 'methods.fields', on: METHODS, body: field('returnFee', String) },
  'priorities are text': { notice: 'methods.fields', on: METHODS, body: field('priority', String) },
  'flags of methods are text': { notice: 'methods.fields', on: METHODS, body: field('isLabelFree', String) },
  'the quantity of an item is optional': {
    notice: 'methods.refusal',
    on: METHODS,
    send: filledIn('returnLineItems.0.quantity', 1),
  },
  'the id of an order is optional': {
    notice: 'methods.refusal',
    on: METHODS,
    send: filledIn('ecommerceOrder.id', '1'),
  },
  'the currency of a request is optional': {
    notice: 'methods.refusal',
    on: METHODS,
    send: filledIn('currencyCode', 'EUR'),
  },
  'the codes of carriers are numbers': {
    notice: 'pudos.fields',
    on: PUDOS,
    body: field('carrierCode', () => 7),
  },
  'ids of points are numbers': {
    notice: 'pudos.point-fields',
    on: PUDOS,
    body: field('pudoPoints', (points) => points.map(({ id, ...point }: Json) => ({ ...point, id: 1 }))),
  },
  'coordinates of points are text': {
    notice: 'pudos.point-fields',
    on: PUDOS,
    body: field('latitude', String),
  },
  'the description of a parcel is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('parcels.0.description', 'x'),
  },
  'the customs code of an item is optional': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    send: filledIn('parcels.0.items.0.hsCode', '610910'),
  },
  'the address of an origin is optional': {
    notice: 'labels.required-address',
    writes: true,
    on: LABELS,
    send: filledIn('origin.address', ADDRESS),
  },
  'any format of a label will do': {
    notice: 'labels.unknown-format',
    writes: true,
    on: LABELS,
    send: (body) => ({ ...body, labelFormat: body.labelFormat === 'ZPL' ? 'ZPL' : 'PDF' }),
  },
  'any type of shipment will do': {
    notice: 'labels.unknown-shipment-type',
    writes: true,
    on: LABELS,
    send: (body) => ({ ...body, shipmentType: 'RETURN' }),
  },
  'items of parcels are refused': {
    notice: 'labels.items',
    writes: true,
    on: LABELS,
    ...refusing((body) => body.parcels?.[0]?.items),
  },
  'ZPL is a PDF that calls itself ZPL': {
    notice: 'labels.zpl',
    writes: true,
    on: LABELS,
    send: (body) => ({ ...body, labelFormat: 'PDF' }),
    body: field('format', () => 'ZPL'),
  },
  'parcels share a tracking code': {
    notice: 'labels.parcels',
    writes: true,
    on: LABELS,
    body: field('carrierTrackingCode', () => 'SAME'),
  },
  'labels have no external code': {
    notice: 'labels.create',
    writes: true,
    on: LABELS,
    body: lost('carrierExternalCode'),
  },
  'the code of a label-free shipment has a format of its own': {
    notice: 'labels.label-free',
    writes: true,
    on: LABELS,
    body: field('format', () => 'QR'),
  },
  'carriers answer in texts': {
    notice: 'labels.carrier-errors-form',
    writes: true,
    on: LABELS,
    body: field('carrierErrors', () => ['no']),
  },
  'refusals of labels have codes of words': {
    notice: 'labels.refusal',
    writes: true,
    on: LABELS,
    body: (body) => (body.errors ? { ...body, errors: [{ code: 'MISSING', message: 'x' }] } : body),
  },
  'updates by a type that there is not are taken': {
    notice: 'labels.update-unknown-type',
    writes: true,
    on: UPDATE,
    send: (body) => ({
      ...body,
      shipmentIdType: body.shipmentIdType === 'CLIENT_REFERENCE' ? 'CLIENT_REFERENCE' : 'RETURN_NAME',
    }),
  },
  'the address of a destination is optional': {
    notice: 'labels.required-address',
    writes: true,
    on: LABELS,
    send: filledIn('destination.address', ADDRESS),
  },
  'updates take any address for a URL': {
    notice: 'labels.update-no-url',
    writes: true,
    on: UPDATE,
    send: inLabels(({ url, ...label }) => (/^http/.test(url) ? { url, ...label } : label)),
  },
  'updates lose the tracking URL': {
    notice: 'labels.update-tracking-url',
    writes: true,
    on: UPDATE,
    send: inLabels(({ carrierTrackingUrl, ...label }) => label),
  },
  'reports by a type that there is not are taken': {
    notice: 'tracking.unknown-type',
    writes: true,
    on: TRACKING,
    send: (body) => ({ ...body, shipmentIdType: 'RETURN_NAME' }),
  },
  'reports of long ago are taken': {
    notice: 'tracking.early',
    writes: true,
    on: TRACKING,
    answer: ({ body }) => (body.trackingDate < '2010' ? ACKNOWLEDGED : undefined),
  },
  'reports are dated by their arrival': {
    notice: 'tracking.date',
    writes: true,
    on: TRACKING,
    send: (body) => ({ ...body, trackingDate: new Date(Date.parse(body.trackingDate) - 1000).toISOString() }),
  },
  'the list shows reports late': {
    notice: 'tracking.applied',
    writes: true,
    on: LIST,
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
  'updates are answered with nothing': {
    notice: 'labels.update-answer',
    writes: true,
    on: UPDATE,
    body: (body) => (body.errors ? body : {}),
  },
  'updates lose the format of the label': {
    notice: 'labels.update-format',
    writes: true,
    on: UPDATE,
    send: inLabels((label) => ({ ...label, format: 'ZPL' })),
  },
  'the status of a report is answered as a number': {
    notice: 'tracking.forward',
    writes: true,
    on: TRACKING,
    body: field('statusCode', () => 200),
  },
  'two returns share a name': {
    notice: 'record.names',
    on: LIST,
    body: field('name', () => 'R#-LU1'),
  },
}
