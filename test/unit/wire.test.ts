import { LosslessNumber } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import {
  labelRequestSchema,
  labelSetListSchema,
  labelSetSchema,
  labelUpdateSchema,
  oldLabelRequestSchema,
} from '../../src/lib/wire/labels.ts'
import { methodsRequestSchema, methodsResponseSchema } from '../../src/lib/wire/methods.ts'
import { pudosRequestSchema, pudosResponseSchema } from '../../src/lib/wire/pudos.ts'
import { refundListSchema, refundSchema } from '../../src/lib/wire/refunds.ts'
import { returnListSchema, returnSchema } from '../../src/lib/wire/returns.ts'
import { acknowledgementSchema, errorBodySchema, trackingRequestSchema } from '../../src/lib/wire/tracking.ts'
import { transportationListSchema, transportationSchema } from '../../src/lib/wire/transportations.ts'
import { fixture } from '../helpers/fixture.ts'
import {
  REFUND_MODES,
  REFUND_TYPES,
  RETURN_STATES,
  TRANSPORTATION_STATES,
} from '../helpers/independent-client/shapes.ts'

/*
 * The fixtures and the tables below are written by hand from the specification, so that a mistake in a schema, which
 * client and sandbox share, meets something that was not derived from it. A fixture writes every field in the form of
 * its type: numbers as numbers, texts as strings.
 */
interface Expectation {
  schema: z.ZodType
  /** Name of `<fixture>.full.json`, with every field, and `<fixture>.minimal.json`, with the required ones alone. */
  fixture: string
  /** Paths that must be there; list positions are 0. */
  required: string[]
  /** Text fields that may arrive as a number. */
  bothWays?: string[]
  wholeNumbers?: string[]
  /** Text fields that must not be blank. */
  keys?: string[]
  enums?: Record<string, string[]>
}

const under = (prefix: string, paths: string[]) => paths.map((path) => `${prefix}.${path}`)
const keysUnder = <V>(prefix: string, values: Record<string, V>) =>
  Object.fromEntries(Object.entries(values).map(([path, value]) => [`${prefix}.${path}`, value]))

const ADDRESS = ['line1', 'city', 'postalCode', 'countryCode']

const RETURN = {
  required: [
    'shopCode',
    'name',
    'totalReturnFee',
    'totalReturnAmount',
    'currency',
    'customer',
    'customer.fullName',
    'customer.email',
    ...under('customer.address', ADDRESS),
    'ecommerceOrder',
    'ecommerceOrder.id',
    'origin',
    ...under('origin.address', ADDRESS),
    'destination',
    ...under('destination.address', ADDRESS),
    'returnLineItems',
    ...under('returnLineItems.0', [
      'sku',
      'barcode',
      'price',
      'quantity',
      'ecommerceLineItem.lineItemId',
      'ecommerceLineItem.productId',
      'ecommerceLineItem.variantId',
      'returnReason.additionalInfo',
      'refundType',
      'refundMode',
      ...under('exchangeLineItems.0', [
        'productName',
        'variantName',
        'price',
        'quantity',
        'ecommerceProductId',
        'ecommerceVariantId',
      ]),
    ]),
  ],
  bothWays: ['customer.phone', 'origin.phone', 'destination.phone'],
  enums: {
    status: RETURN_STATES,
    'returnLineItems.0.refundType': REFUND_TYPES,
    'returnLineItems.0.refundMode': REFUND_MODES,
    'activeTransportation.status': TRANSPORTATION_STATES,
  },
}
const REFUND_ENUMS = {
  refundType: REFUND_TYPES,
  refundMode: REFUND_MODES,
  status: ['PENDING', 'EXECUTED', 'FAILED'],
}
const PLAIN_LABEL_REQUEST = {
  required: [
    'shipmentType',
    'clientShipmentId',
    'carrierServiceCode',
    'labelFormat',
    ...under('shipper.address', ADDRESS),
    'origin',
    'origin.fullName',
    'origin.email',
    'origin.phone',
    ...under('origin.address', ADDRESS),
    'destination',
    'destination.fullName',
    'destination.email',
    'destination.phone',
    ...under('destination.address', ADDRESS),
    'parcels.0.clientParcelId',
    'parcels.0.description',
  ],
  bothWays: ['shipper.phone', 'origin.phone', 'destination.phone', 'parcels.0.description'],
  keys: ['clientShipmentId', 'carrierServiceCode', 'parcels.0.clientParcelId'],
  enums: { shipmentType: ['DELIVERY', 'RETURN'], labelFormat: ['PDF', 'ZPL'] },
}
const FINAL_FORMATS = {
  'shippingLabels.0.format': ['PDF', 'ZPL', 'PNG'],
  'shippingLabels.0.labelFreeCode.format': ['PDF', 'ZPL', 'PNG'],
}

const EXPECTATIONS: Expectation[] = [
  { schema: returnSchema, fixture: 'return', ...RETURN },
  {
    schema: returnListSchema,
    fixture: 'return-list',
    required: [
      'returns',
      ...under('returns.0', RETURN.required),
      'pageInfo',
      'pageInfo.totalRecords',
      'pageInfo.totalPages',
    ],
    bothWays: under('returns.0', RETURN.bothWays),
    wholeNumbers: ['pageInfo.totalRecords', 'pageInfo.totalPages'],
    enums: keysUnder('returns.0', RETURN.enums),
  },
  {
    schema: transportationSchema,
    fixture: 'transportation',
    required: [],
    enums: { status: TRANSPORTATION_STATES },
  },
  {
    schema: transportationListSchema,
    fixture: 'transportation-list',
    required: ['transportations'],
    enums: { 'transportations.0.status': TRANSPORTATION_STATES },
  },
  { schema: refundSchema, fixture: 'refund', required: [], enums: REFUND_ENUMS },
  {
    schema: refundListSchema,
    fixture: 'refund-list',
    required: ['refunds'],
    enums: keysUnder('refunds.0', REFUND_ENUMS),
  },
  {
    schema: labelRequestSchema,
    fixture: 'label-request',
    ...PLAIN_LABEL_REQUEST,
    required: [
      ...PLAIN_LABEL_REQUEST.required,
      ...under('parcels.0.items.0', ['description', 'hsCode', 'quantity', 'unitPrice']),
    ],
  },
  { schema: oldLabelRequestSchema, fixture: 'label-request-1.2.10', ...PLAIN_LABEL_REQUEST },
  {
    schema: labelSetSchema,
    fixture: 'label-set',
    required: ['shippingLabels'],
    enums: FINAL_FORMATS,
  },
  {
    schema: labelSetListSchema,
    fixture: 'label-set-list',
    required: ['0.shippingLabels'],
    enums: keysUnder('0', FINAL_FORMATS),
  },
  {
    schema: labelUpdateSchema,
    fixture: 'label-update',
    required: ['shipmentId', 'shippingLabels'],
    keys: ['shipmentId'],
    enums: { shipmentIdType: ['RETURN_NAME', 'CLIENT_REFERENCE', 'MERCHANT_RETURN_NAME'] },
  },
  {
    schema: trackingRequestSchema,
    fixture: 'tracking-request',
    required: ['shipmentId', 'trackingStatus'],
    keys: ['shipmentId', 'trackingStatus'],
    enums: { shipmentIdType: ['RETURN_NAME'] },
  },
  { schema: acknowledgementSchema, fixture: 'acknowledgement', required: ['statusCode', 'description'] },
  {
    schema: methodsRequestSchema,
    fixture: 'methods-request',
    required: [
      'currencyCode',
      'ecommerceOrder.id',
      'ecommerceOrder.fulfillments.0.fulfillmentCenter',
      'originAddress',
      'originAddress.postalCode',
      'originAddress.countryCode',
      'returnLineItems',
      'returnLineItems.0.sku',
      'returnLineItems.0.quantity',
      'client',
      'client.id',
      'client.tier',
    ],
    bothWays: ['originAddress.line1'],
    keys: ['currencyCode', 'ecommerceOrder.id', 'client.id'],
  },
  {
    schema: methodsResponseSchema,
    fixture: 'methods-response',
    required: ['returnMethods'],
    bothWays: [
      'returnMethods.0.carrierService.code',
      'returnMethods.0.destinationLocation.latitude',
      'returnMethods.0.destinationLocation.longitude',
      'returnMethods.0.destinationLocation.phone',
    ],
    enums: keysUnder('returnMethods.0', {
      serviceType: ['drop-off', 'pick-up', 'direct', 'do-it-yourself', 'drop-off-store'],
      'promotions.0.promoType': ['DISCOUNT_COUPON_FIXED', 'DISCOUNT_COUPON_PERCENTAGE', 'PRIORITY_REFUND'],
      refundMode: REFUND_MODES,
    }),
  },
  {
    schema: pudosRequestSchema,
    fixture: 'pudos-request',
    required: ['carrierServices.0.code'],
    bothWays: ['carrierServices.0.code'],
    wholeNumbers: ['limit'],
  },
  {
    schema: pudosResponseSchema,
    fixture: 'pudos-response',
    required: ['0.pudoPoints', ...under('0.pudoPoints.0.address', ADDRESS)],
    enums: keysUnder('0.pudoPoints.0', {
      locationType: ['SERVICE_POINT', 'LOCKER', 'POST_OFFICE', 'CARRIER_DEPOT'],
      'services.0': ['DROP_OFF', 'PICK_UP', 'LABEL_PRINT'],
      'services.1': ['DROP_OFF', 'PICK_UP', 'LABEL_PRINT'],
    }),
  },
  {
    schema: errorBodySchema,
    fixture: 'error-body',
    required: [],
    bothWays: [
      'errors.0.code',
      ...under('errors.0.carrierErrors.0', ['carrierName', 'carrierService', 'code']),
      'requestId',
    ],
  },
]

const cases = EXPECTATIONS.map((expectation): [string, Expectation] => [expectation.fixture, expectation])

describe.each(cases)('%s', (fixture, { schema, required, bothWays, wholeNumbers, keys, enums }) => {
  const full = load(`${fixture}.full`)
  const minimal = load(`${fixture}.minimal`)
  const leaves = pathsOf(full).filter((path) => !isContainer(at(full, path)))
  const accepts = (path: string, value: unknown) => schema.safeParse(withValue(full, path, value)).success

  test('both fixtures match the schema, and unknown fields survive', () => {
    expect(schema.safeParse(full)).toMatchObject({ success: true, data: full })
    expect(schema.safeParse(minimal)).toMatchObject({ success: true, data: minimal })
    const objects = pathsOf(full).filter(
      (path) => isContainer(at(full, path)) && !Array.isArray(at(full, path)),
    )
    for (const path of [
      ...objects.map((object) => `${object}.new`),
      ...(Array.isArray(full) ? [] : ['new']),
    ]) {
      const withNew = withValue(full, path, 1)
      expect(schema.parse(withNew)).toEqual(withNew)
    }
  })

  test('the schema declares exactly the fields of the full fixture', () => {
    expect(declaredPaths(schema)).toEqual(new Set(fieldsOf(full)))
  })

  test('only required fields must be present and not null', () => {
    const fields = pathsOf(full).filter((path) => !/(^|\.)\d+$/.test(path))
    for (const value of [undefined, null]) {
      expect(fields.filter((path) => !accepts(path, value)).sort()).toEqual([...required].sort())
    }
  })

  test('the minimal fixture has nothing but required fields', () => {
    const spare = fieldsOf(minimal).filter((path) => !required.map((field) => normal(field)).includes(path))
    expect(spare).toEqual([])
  })

  test('the schema refuses a value of another type', () => {
    const containers = pathsOf(full).filter((path) => isContainer(at(full, path)))
    expect(containers.filter((path) => accepts(path, 'text') || accepts(path, 7))).toEqual([])
    expect(leaves.filter((path) => accepts(path, { a: 1 }) || accepts(path, [7]))).toEqual([])
    const booleans = leaves.filter((path) => typeof at(full, path) === 'boolean')
    expect(leaves.filter((path) => accepts(path, true))).toEqual(booleans)
    expect(booleans.filter((path) => accepts(path, 'true'))).toEqual([])
  })

  test('numeric fields accept exact numbers and numeric text, and nothing else', () => {
    const numbers = leaves.filter((path) => typeof at(full, path) === 'number')
    const refused = ['', ' ', 'twelve', '12,50', '1.2.3', '0x10', '1e', 'NaN', Number.NaN]
    expect(numbers.filter((path) => !accepts(path, '12') || !accepts(path, '-3'))).toEqual([])
    expect(numbers.filter((path) => refused.some((value) => accepts(path, value)))).toEqual([])
    const whole = new LosslessNumber('12345678901234567890')
    expect(numbers.filter((path) => !accepts(path, whole))).toEqual([])
    for (const value of [12.5, '12.5', '1e-2', new LosslessNumber('0.12345678901234567890')]) {
      expect(numbers.filter((path) => !accepts(path, value))).toEqual(wholeNumbers ?? [])
    }
  })

  test('only the texts known to arrive both ways may be numbers', () => {
    const texts = leaves.filter((path) => typeof at(full, path) === 'string')
    for (const value of [34600123456, new LosslessNumber('12345678901234567890')]) {
      expect(texts.filter((path) => accepts(path, value)).sort()).toEqual([...(bothWays ?? [])].sort())
    }
    const choices = Object.keys(enums ?? {})
    expect(texts.filter((path) => !choices.includes(path) && !accepts(path, 'any text'))).toEqual([])
    expect(
      texts.filter((path) => !choices.includes(path) && (!accepts(path, '') || !accepts(path, ' '))).sort(),
    ).toEqual([...(keys ?? [])].sort())
  })

  test('an enum field has the values of the specification', () => {
    const texts = leaves.filter((path) => typeof at(full, path) === 'string')
    expect(texts.filter((path) => !accepts(path, 'ANOTHER_VALUE')).sort()).toEqual(
      Object.keys(enums ?? {}).sort(),
    )
    for (const [path, values] of Object.entries(enums ?? {})) {
      expect(values.filter((value) => !accepts(path, value))).toEqual([])
      expect(accepts(path, values.join('').toLowerCase())).toBe(false)
    }
  })
})

test('an enum knows no values beyond those of the specification', () => {
  const declared = new Set<string>()
  for (const { schema } of EXPECTATIONS)
    visit(schema, '', (_, part) => {
      if (part instanceof z.ZodEnum) for (const option of part.options) declared.add(String(option))
    })
  const specified = EXPECTATIONS.flatMap(({ enums }) => Object.values(enums ?? {}).flat())
  expect(declared).toEqual(new Set(specified))
})

function load(name: string) {
  return fixture(`wire/${name}.json`)
}

function isContainer(value: unknown) {
  return typeof value === 'object' && value !== null
}

function at(root: unknown, path: string) {
  return path.split('.').reduce((value, step) => Reflect.get(Object(value), step), root)
}

/** A copy with one value replaced; `undefined` drops it. */
function withValue(root: unknown, path: string, value: unknown) {
  const copy = structuredClone(root)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = Object(steps.length === 0 ? copy : at(copy, steps.join('.')))
  if (value === undefined) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
  return copy
}

/** Every path below a value, list positions included. */
function pathsOf(value: unknown, prefix = ''): string[] {
  if (!isContainer(value)) return []
  return Object.entries(value).flatMap(([step, child]) => [
    `${prefix}${step}`,
    ...pathsOf(child, `${prefix}${step}.`),
  ])
}

/** `a.0.b` as `a.b`, as the specification would speak of it. */
function normal(path: string) {
  return path
    .split('.')
    .filter((step) => !/^\d+$/.test(step))
    .join('.')
}

function fieldsOf(value: unknown) {
  return [...new Set(pathsOf(value).map(normal))].filter((path) => path !== '')
}

function declaredPaths(schema: z.ZodType) {
  const paths = new Set<string>()
  visit(schema, '', (path) => path !== '' && paths.add(path))
  return paths
}

function visit(schema: unknown, path: string, see: (path: string, schema: unknown) => void) {
  see(path, schema)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) visit(schema.unwrap(), path, see)
  if (schema instanceof z.ZodArray) visit(schema.element, path, see)
  if (schema instanceof z.ZodObject) {
    for (const [name, part] of Object.entries(schema.shape))
      visit(part, path === '' ? name : `${path}.${name}`, see)
  }
}
