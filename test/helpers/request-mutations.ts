import { TEST_NOW } from './platform.ts'
import {
  ACKNOWLEDGED,
  type Bend,
  bends,
  field,
  inText,
  replaces,
  type Seeded,
  sends,
} from './written-mutations.ts'

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any

/** Mutations of one operation. */
export const mutationsOf = (on: string, mutations: Record<string, Seeded>, shared: Partial<Seeded> = {}) =>
  Object.fromEntries(
    Object.entries(mutations).map(([name, mutation]): [string, Seeded] => [
      name,
      { on, ...shared, ...mutation },
    ]),
  )

const inLabels = (bend: Bend) => (body: Json) =>
  body.shippingLabels ? { ...body, shippingLabels: body.shippingLabels.map(bend) } : body
/** Mutations of operations that have a request body. */
export const requestMutations: Record<string, Seeded> = {
  ...mutationsOf('POST /return_methods', {
    'methods in reverse': bends('methods.order', (body) => ({
      ...body,
      returnMethods: body.returnMethods?.reverse(),
    })),
    'a request without client is accepted': sends('methods.refusal', (body) =>
      typeof body === 'object' ? { client: { id: '1', tier: 'X' }, ...body } : body,
    ),
    'messages name no field': bends('methods.refusal-path', (body) => ({
      ...body,
      errors: body.errors?.map((e: Json) => ({ ...e, message: 'invalid' })),
    })),
    'a text will do for a request': replaces('methods.no-object', ({ body }) =>
      typeof body === 'string' ? { status: 200, body: { returnMethods: [] } } : undefined,
    ),
    'the latitude of a destination is a number': bends('methods.fields', field('latitude', Number)),
    'quantities may be words': sends('methods.types', (body) =>
      body.returnLineItems?.[0]?.quantity === 'many'
        ? { ...body, returnLineItems: [{ sku: '1', quantity: 1 }] }
        : body,
    ),
  }),
  ...mutationsOf('POST /pudos', {
    'points in any order': bends('pudos.order', (body) =>
      Array.isArray(body) ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.reverse() })) : body,
    ),
    'the range is ignored': sends('pudos.range', (body) => (body.range ? { ...body, range: 100 } : body)),
    'the range is in miles': {
      ofMany: true,
      notice: 'pudos.range',
      send: (body) => (body.range ? { ...body, range: body.range * 1.609 } : body),
    },
    'the address wins': sends('pudos.coordinates-win', ({ latitude, longitude, ...body }) =>
      body.city ? body : { latitude, longitude, ...body },
    ),
    'north is a degree off': sends('pudos.coordinates', (body) =>
      body.latitude ? { ...body, latitude: body.latitude + 1 } : body,
    ),
    'the farthest points with a limit': {
      ofMany: true,
      notice: 'pudos.limit-nearest',
      send: (body) => ({ ...body, limit: 20 }),
      body: (body, { sent }) =>
        Array.isArray(body)
          ? body.map((r: Json) => ({ ...r, pudoPoints: r.pudoPoints.slice(-(sent.limit ?? 20)) }))
          : body,
    },
    'any service will do': sends('pudos.unknown-service', (body) =>
      body.carrierServices?.[0].code.startsWith('CONF')
        ? { ...body, carrierServices: [{ code: 'SBX_STANDARD' }] }
        : body,
    ),
    'an unknown town has no points': replaces('pudos.unknown-place', ({ body }) =>
      body.city?.startsWith('Conf') ? { status: 200, body: [] } : undefined,
    ),
    'ids of points are numbers': bends(
      'pudos.point-fields',
      field('pudoPoints', (points) => points.map(({ id, ...point }: Json) => ({ ...point, id: 1 }))),
    ),
  }),
  ...mutationsOf('GET /shipping_labels', {
    'no id and any shop are fine': replaces(['labels.no-id', 'labels.shop-foreign'], ({ params }) =>
      params.has('client_shipment_id') && !params.get('shopCode')?.startsWith('CONF')
        ? undefined
        : { status: 200, body: [] },
    ),
  }),
  ...mutationsOf(
    'GET /shipping_labels',
    {
      'label requests are idempotent': bends('labels.twice', (body) =>
        Array.isArray(body) ? body.slice(0, 1) : body,
      ),
      'the client reference finds nothing': replaces('labels.both-ids', ({ params }) =>
        params.get('client_shipment_id')?.startsWith('P#R#') ? { status: 200, body: [] } : undefined,
      ),
      'only what was made is found': bends('labels.update-newest', (body) =>
        Array.isArray(body) ? body.filter((set: Json) => set.shippingLabels[0].base64) : body,
      ),
      'labels are found without a shop': replaces('labels.found-shop', ({ params }) =>
        params.has('shopCode') ? undefined : { status: 200, body: [] },
      ),
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_labels',
    {
      'a label without an id, by any service': sends(
        ['labels.refusal', 'labels.unknown-service'],
        (body) => ({
          clientShipmentId: 'X1',
          ...body,
          ...(body.carrierServiceCode?.startsWith('CONF') && { carrierServiceCode: 'SBX_STANDARD' }),
        }),
      ),
      'labels are of no transport': {
        notice: ['labels.transport', 'labels.both-ids'],
        send: (body) => ({ ...body, clientShipmentId: body.clientShipmentId?.replace(/-T\d+$/, '-X') }),
        body: inText(/-X"/g, '"'),
      },
      'any format of a label will do': sends('labels.unknown-format', (body) => ({
        ...body,
        labelFormat: body.labelFormat === 'ZPL' ? 'ZPL' : 'PDF',
      })),
      'refusals of labels have codes of words': bends('labels.refusal', (body) =>
        body.errors ? { ...body, errors: [{ code: 'MISSING', message: 'x' }] } : body,
      ),
      'documents are cut off': bends(
        'labels.pdf',
        field('base64', (text) => text.slice(0, 400)),
      ),
    },
    { writes: true },
  ),
  ...mutationsOf(
    'PUT /shipping_labels',
    {
      'updates by a type that there is not are taken': sends('labels.update-unknown-type', (body) => ({
        ...body,
        shipmentIdType: body.shipmentIdType === 'CLIENT_REFERENCE' ? 'CLIENT_REFERENCE' : 'RETURN_NAME',
      })),
      'updates take any address for a URL': sends(
        'labels.update-no-url',
        inLabels(({ url, ...label }) => (/^http/.test(url) ? { url, ...label } : label)),
      ),
      'updates are answered with nothing': bends('labels.update-answer', (body) => (body.errors ? body : {})),
      'updates lose the format of the label': sends(
        'labels.update-format',
        inLabels((label) => ({ ...label, format: 'ZPL' })),
      ),
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_trackings',
    {
      'reports are answered with nothing': bends('tracking.answer', (body) => (body.errors ? body : {})),
      'a repeated report is another event': sends('tracking.repeated', (body) => ({
        ...body,
        trackingNumber: `${Math.random()}`,
      })),
      'tracking numbers are not kept, statuses not read': sends(
        ['tracking.number', 'tracking.unknown-status'],
        ({ trackingNumber, ...body }) => ({
          ...body,
          trackingStatus:
            body.trackingStatus === 'CONFORMANCE' ? 'SHIPPING_IN_PROGRESS' : body.trackingStatus,
        }),
      ),
      'the future is known': replaces('tracking.future', ({ body }) =>
        Date.parse(body.trackingDate) > TEST_NOW + 30 * 3_600_000 ? ACKNOWLEDGED : undefined,
      ),
      'reports of long ago are taken': replaces('tracking.early', ({ body }) =>
        body.trackingDate < '2010' ? ACKNOWLEDGED : undefined,
      ),
      'reports are dated by their arrival': sends('tracking.date', (body) => ({
        ...body,
        trackingDate: new Date(Date.parse(body.trackingDate) - 1000).toISOString(),
      })),
    },
    { writes: true },
  ),
}
