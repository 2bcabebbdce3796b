import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import { labelSetListSchema, labelSetSchema, labelUpdateSchema } from '../../wire/labels.ts'
import { explainedMethodsSchema, methodsRequestSchema } from '../../wire/methods.ts'
import { pudosRequestSchema, pudosResponseSchema } from '../../wire/pudos.ts'
import { refundListSchema } from '../../wire/refunds.ts'
import { returnListSchema, returnSchema } from '../../wire/returns.ts'
import { acknowledgementSchema, errorBodySchema, trackingRequestSchema } from '../../wire/tracking.ts'
import { transportationListSchema, transportationSchema } from '../../wire/transportations.ts'
import { bothRevisionsSchema } from '../labels/request.ts'

export const SCHEMAS = {
  Error: errorBodySchema,
  ReturnList: returnListSchema,
  Return: returnSchema,
  TransportationList: transportationListSchema,
  Transportation: transportationSchema,
  RefundList: refundListSchema,
  ReturnMethodsRequest: methodsRequestSchema,
  ReturnMethods: explainedMethodsSchema,
  LabelSetList: labelSetListSchema,
  LabelRequest: bothRevisionsSchema,
  LabelSet: labelSetSchema,
  LabelUpdate: labelUpdateSchema,
  Acknowledgement: acknowledgementSchema,
  TrackingReport: trackingRequestSchema,
  PudosRequest: pudosRequestSchema,
  Pudos: pudosResponseSchema,
}
export type SchemaName = keyof typeof SCHEMAS

export interface Parameter {
  name: string
  in: 'query' | 'path'
  description: string
  required?: boolean
  schema: object
}

export interface DescribedOperation {
  method: 'GET' | 'POST' | 'PUT'
  path: string
  id: string
  tag: 'Returns' | 'Transportations'
  summary: string
  description?: string
  parameters?: readonly Parameter[]
  request?: SchemaName
  response: SchemaName
  /** Besides 401 and 500. */
  errors: readonly (400 | 404)[]
}

const TEXT = { type: 'string' }
const WALL_TIME = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$',
  examples: ['2026-03-01T10:00:00'],
}

function query(name: string, description: string, schema: object = TEXT, required = false): Parameter {
  return { name, in: 'query', description, schema, ...(required ? { required } : {}) }
}

function path(name: string, description: string): Parameter {
  return { name, in: 'path', description, schema: TEXT, required: true }
}

const SHOP_CODE = query('shop_code', 'One shop of the token; by default all of them')
const TIME_ZONE = query('time_zone', 'IANA zone in which dates are read and written; UTC by default')
const RETURN_ID = path('returnId', 'Id of the return')

function dateRange(name: string, of: string): Parameter[] {
  return [
    query(`${name}_from`, `From this ${of} date on, wall time in the zone`, WALL_TIME),
    query(`${name}_to`, `Up to this ${of} date, wall time in the zone, inclusive`, WALL_TIME),
  ]
}

const RETURN_READ = { method: 'GET', tag: 'Returns', errors: [400, 404] } as const
const TRANSPORT_POST = { method: 'POST', tag: 'Transportations', errors: [400] } as const

export const DESCRIBED_OPERATIONS: readonly DescribedOperation[] = [
  {
    ...RETURN_READ,
    path: '/returns',
    id: 'listReturns',
    summary: 'List return requests',
    description: 'Newest first by creation date, then by id. Without any parameter, the last 100 created.',
    parameters: [
      SHOP_CODE,
      query('name', 'RMA name, `R#-{ORDER_NAME}`'),
      query('status', 'Status of the return', { type: 'string', enum: RETURN_STATUSES }),
      query('ecommerce_order', 'Id or name of the order'),
      ...dateRange('created', 'creation'),
      ...dateRange('updated', 'update'),
      ...dateRange('refunded', 'executed refund'),
      query('limit', 'Records on a page', { type: 'integer', minimum: 1, maximum: 500, default: 100 }),
      query('page', 'Number of the page', { type: 'integer', minimum: 1, default: 1 }),
      TIME_ZONE,
    ],
    response: 'ReturnList',
  },
  {
    ...RETURN_READ,
    path: '/returns/:returnId',
    id: 'getReturn',
    summary: 'Get one return request',
    parameters: [RETURN_ID, SHOP_CODE, TIME_ZONE],
    response: 'Return',
  },
  {
    ...RETURN_READ,
    path: '/returns/:returnId/transportations',
    id: 'listTransportations',
    summary: 'List the transports of a return',
    description: 'Oldest first, each with its tracking events.',
    parameters: [RETURN_ID, SHOP_CODE, TIME_ZONE],
    response: 'TransportationList',
  },
  {
    ...RETURN_READ,
    path: '/returns/:returnId/transportations/:transportationId',
    id: 'getTransportation',
    summary: 'Get one transport of a return',
    parameters: [RETURN_ID, path('transportationId', 'Id of the transport'), SHOP_CODE, TIME_ZONE],
    response: 'Transportation',
  },
  {
    ...RETURN_READ,
    path: '/returns/:returnId/refunds',
    id: 'listRefunds',
    summary: 'List the refunds of a return',
    parameters: [RETURN_ID, SHOP_CODE, TIME_ZONE],
    response: 'RefundList',
  },
  {
    method: 'POST',
    path: '/return_methods',
    id: 'calculateReturnMethods',
    tag: 'Returns',
    summary: 'Calculate the return methods of an order',
    description: 'By priority, then by code. When no method fits, the list is empty.',
    parameters: [
      query('explain', "The sandbox's own: why each method is offered or not", { type: 'boolean' }),
    ],
    request: 'ReturnMethodsRequest',
    response: 'ReturnMethods',
    errors: [400],
  },
  {
    method: 'GET',
    path: '/shipping_labels',
    id: 'getShippingLabels',
    tag: 'Transportations',
    summary: 'Get the labels of a shipment',
    description: 'Every set of labels that was made for the shipment, oldest first.',
    parameters: [
      query('client_shipment_id', "The merchant's id of the shipment", TEXT, true),
      query('shopCode', 'Needed if the token covers several shops'),
    ],
    response: 'LabelSetList',
    errors: [400, 404],
  },
  {
    ...TRANSPORT_POST,
    path: '/shipping_labels',
    id: 'createShippingLabel',
    summary: 'Make a shipping label',
    description:
      'Not idempotent: every call makes, and charges, another label. The format may differ from the one asked for; each ' +
      'label says its own. An id that is the client reference of a transport, or `{return name}-T{transport id}`, makes it ' +
      'the label of that transport. `customsInfo` is of revision 1.2.10, and excludes `parcels[].items`.',
    request: 'LabelRequest',
    response: 'LabelSet',
  },
  {
    method: 'PUT',
    path: '/shipping_labels',
    id: 'updateShippingLabel',
    tag: 'Transportations',
    summary: 'Replace tracking codes and label of a transport',
    description:
      'Of the last active transport of all that the id names: what is not given is empty from then on. The former list ' +
      'stays in the history. `statusCode` is `OK`, or `DUPLICATE` if nothing changes.',
    request: 'LabelUpdate',
    response: 'Acknowledgement',
    errors: [400],
  },
  {
    ...TRANSPORT_POST,
    path: '/shipping_trackings',
    id: 'registerTracking',
    summary: 'Register where a parcel is',
    description:
      'The same shipment, status, date, number, URL and carrier again changes nothing. A report older than the last one ' +
      'applied to its transport, or of the same moment and backwards, is kept in the history, and the state stays. ' +
      '`statusCode` is `OK`, `DUPLICATE` or `STALE`. A date more than 24 hours ahead, or more than 30 days before the ' +
      'return was made, is refused.',
    request: 'TrackingReport',
    response: 'Acknowledgement',
  },
  {
    ...TRANSPORT_POST,
    path: '/pudos',
    id: 'searchPudos',
    summary: 'Find drop-off and pick-up points',
    description:
      'By coordinates, else by address. `range` is in kilometres (10 by default, 100 at most), `limit` for each carrier ' +
      'service (20 by default, 200 at most). Sorted by distance.',
    request: 'PudosRequest',
    response: 'Pudos',
  },
]
