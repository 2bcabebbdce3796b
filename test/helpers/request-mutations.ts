import { TEST_NOW } from './platform.ts'
import { ACKNOWLEDGED, type Bend, field, inText, type Seeded } from './written-mutations.ts'

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
    'methods in reverse': {
      notice: 'methods.order',
      body: (body) => ({ ...body, returnMethods: body.returnMethods?.reverse() }),
    },
    'a request without client is accepted': {
      notice: 'methods.refusal',
      send: (body) => (typeof body === 'object' ? { client: { id: '1', tier: 'X' }, ...body } : body),
    },
    'messages name no field': {
      notice: 'methods.refusal-path',
      body: (body) => ({ ...body, errors: body.errors?.map((e: Json) => ({ ...e, message: 'invalid' })) }),
    },
    'a text will do for a request': {
      notice: 'methods.no-object',
      answer: ({ body }) =>
        typeof body === 'string' ? { status: 200, body: { returnMethods: [] } } : undefined,
    },
    'the latitude of a destination is a number': {
      notice: 'methods.fields',
      body: field('latitude', Number),
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
    'ids of points are numbers': {
      notice: 'pudos.point-fields',
      body: field('pudoPoints', (points) => points.map(({ id, ...point }: Json) => ({ ...point, id: 1 }))),
    },
  }),
  ...mutationsOf('GET /shipping_labels', {
    'no id and any shop are fine': {
      notice: ['labels.no-id', 'labels.shop-foreign'],
      answer: ({ params }) =>
        params.has('client_shipment_id') && !params.get('shopCode')?.startsWith('CONF')
          ? undefined
          : { status: 200, body: [] },
    },
  }),
  ...mutationsOf(
    'GET /shipping_labels',
    {
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
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_labels',
    {
      'a label without an id, by any service': {
        notice: ['labels.refusal', 'labels.unknown-service'],
        send: (body) => ({
          clientShipmentId: 'X1',
          ...body,
          ...(body.carrierServiceCode?.startsWith('CONF') && { carrierServiceCode: 'SBX_STANDARD' }),
        }),
      },
      'labels are of no transport': {
        notice: ['labels.transport', 'labels.both-ids'],
        send: (body) => ({ ...body, clientShipmentId: body.clientShipmentId?.replace(/-T\d+$/, '-X') }),
        body: inText(/-X"/g, '"'),
      },
      'any format of a label will do': {
        notice: 'labels.unknown-format',
        send: (body) => ({ ...body, labelFormat: body.labelFormat === 'ZPL' ? 'ZPL' : 'PDF' }),
      },
      'refusals of labels have codes of words': {
        notice: 'labels.refusal',
        body: (body) => (body.errors ? { ...body, errors: [{ code: 'MISSING', message: 'x' }] } : body),
      },
      'documents are cut off': { notice: 'labels.pdf', body: field('base64', (text) => text.slice(0, 400)) },
    },
    { writes: true },
  ),
  ...mutationsOf(
    'PUT /shipping_labels',
    {
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
      'updates are answered with nothing': {
        notice: 'labels.update-answer',
        body: (body) => (body.errors ? body : {}),
      },
      'updates lose the format of the label': {
        notice: 'labels.update-format',
        send: inLabels((label) => ({ ...label, format: 'ZPL' })),
      },
    },
    { writes: true },
  ),
  ...mutationsOf(
    'POST /shipping_trackings',
    {
      'reports are answered with nothing': {
        notice: 'tracking.answer',
        body: (body) => (body.errors ? body : {}),
      },
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
      'the future is known': {
        notice: 'tracking.future',
        answer: ({ body }) =>
          Date.parse(body.trackingDate) > TEST_NOW + 30 * 3_600_000 ? ACKNOWLEDGED : undefined,
      },
      'reports of long ago are taken': {
        notice: 'tracking.early',
        answer: ({ body }) => (body.trackingDate < '2010' ? ACKNOWLEDGED : undefined),
      },
      'reports are dated by their arrival': {
        notice: 'tracking.date',
        send: (body) => ({
          ...body,
          trackingDate: new Date(Date.parse(body.trackingDate) - 1000).toISOString(),
        }),
      },
    },
    { writes: true },
  ),
}
