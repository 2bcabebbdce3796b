import type { Json } from './server.ts'

/** Type of a field, followed by `!` if required. A list of texts is an enumeration. */
type Type =
  | 'string'
  | 'string!'
  | 'number'
  | 'number!'
  | 'integer!'
  | 'boolean'
  | readonly string[]
  | Shape
  | List
interface List {
  list: Type
  required?: boolean
}
export interface Shape {
  fields: Record<string, Type>
  required?: boolean
}

const required = (shape: Shape): Shape => ({ ...shape, required: true })

/** Section 2.5. */
const ADDRESS: Shape = {
  fields: {
    line1: 'string!',
    line2: 'string',
    city: 'string!',
    postalCode: 'string!',
    region: 'string',
    countryCode: 'string!',
  },
}

const PARTY: Shape = {
  fields: { fullName: 'string', email: 'string', phone: 'string', address: ADDRESS },
}

export const REFUND_TYPES = ['ORIGINAL_PAYMENT_METHOD', 'STORE_CREDIT', 'EXCHANGE', 'GIFT_CARD']
export const REFUND_MODES = [
  'PRE_VALIDATION',
  'SHIPPING_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'POST_VALIDATION',
  'MANUAL',
  'INSTANT',
  'DROP_OFF',
]

/** Section 2.3. */
const EXCHANGE_ITEM: Shape = {
  fields: {
    id: 'string',
    productName: 'string!',
    variantName: 'string!',
    sku: 'string',
    price: 'number!',
    quantity: 'number!',
    vendor: 'string',
    ecommerceProductId: 'string!',
    ecommerceVariantId: 'string!',
  },
}

/** Section 2.2. */
const LINE_ITEM: Shape = {
  fields: {
    id: 'string',
    productName: 'string',
    variantName: 'string',
    sku: 'string!',
    barcode: 'string!',
    vendor: 'string',
    price: 'number!',
    discount: 'number',
    paid: 'number',
    tax: 'number',
    returnAmount: 'number',
    currency: 'string',
    basePrice: 'number',
    baseDiscount: 'number',
    basePaid: 'number',
    baseTax: 'number',
    baseReturnAmount: 'number',
    baseCurrency: 'string',
    quantity: 'number!',
    imageUrl: 'string',
    ecommerceLineItem: { fields: { lineItemId: 'string!', productId: 'string!', variantId: 'string!' } },
    returnReason: { fields: { code: 'string', reason: 'string', additionalInfo: 'string!' } },
    refundType: [...REFUND_TYPES, '!'],
    refundMode: [...REFUND_MODES, '!'],
    exchangeLineItems: { list: EXCHANGE_ITEM },
  },
}

/** Section 3.1. */
export const RETURN_STATES = [
  'PENDING',
  'RECEPTION_IN_PROGRESS',
  'RECEPTION_COMPLETED',
  'RECEIVED',
  'CHECKED',
  'CLOSED',
  'DISCARDED',
  'EXPIRED',
  'NEEDS_VALIDATION',
]

/** Section 2.4 and 3.2. */
export const TRANSPORTATION_STATES = [
  'REQUESTED',
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
  'PICK_UP_FAILED',
  'PICK_UP_CANCELLED',
  'SHIPPING_FAILED',
  'SHIPPING_CANCELLED',
]
const TRANSPORTATION: Shape = {
  fields: {
    id: 'string',
    createdAt: 'string',
    status: TRANSPORTATION_STATES,
    serviceMessage: 'string',
    serviceType: 'string',
    carrierCode: 'string',
    carrierServiceCode: 'string',
    carrierLabel: 'string',
    carrierTrackingUrl: 'string',
    carrierPickupReference: 'string',
    carrierReference: 'string',
    clientReference: 'string',
    pickupDate: 'string',
  },
}

/** Section 2.1, with the field name that `MERCHANT_RETURN_NAME` of section 4.4 means. */
export const RETURN: Shape = {
  fields: {
    id: 'string',
    shopCode: 'string!',
    name: 'string!',
    merchantReturnName: 'string',
    createdAt: 'string',
    updatedAt: 'string',
    cancelledAt: 'string',
    status: RETURN_STATES,
    totalReturnFee: 'number!',
    totalReturnAmount: 'number!',
    totalTax: 'number',
    totalRefund: 'number',
    currency: 'string!',
    customerIban: 'string',
    accountHolderName: 'string',
    baseTotalReturnFee: 'number',
    baseTotalReturnAmount: 'number',
    baseTotalTax: 'number',
    baseTotalRefund: 'number',
    baseCurrency: 'string',
    customer: required({
      fields: { fullName: 'string!', email: 'string!', phone: 'string', address: ADDRESS },
    }),
    ecommerceOrder: required({ fields: { id: 'string!', name: 'string', customerId: 'string' } }),
    origin: required(PARTY),
    destination: required(PARTY),
    returnLineItems: { list: LINE_ITEM, required: true },
    activeTransportation: TRANSPORTATION,
  },
}

export const RETURN_LIST: Shape = {
  fields: {
    returns: { list: RETURN, required: true },
    pageInfo: required({ fields: { totalRecords: 'integer!', totalPages: 'integer!' } }),
  },
}

/** Section 2.6, with the final format of section 4.2. */
const LABEL: Shape = {
  fields: {
    carrierTrackingCode: 'string',
    additionalTrackingCodes: { list: 'string' },
    carrierTrackingUrl: 'string',
    isLabelFree: 'boolean',
    format: ['PDF', 'ZPL', 'PNG'],
    labelFreeCode: { fields: { format: ['PDF', 'ZPL', 'PNG'], base64: 'string', url: 'string' } },
    base64: 'string',
    url: 'string',
  },
}

/** Answer of section 4.2 and element of the one of section 4.3. */
export const LABEL_SET: Shape = {
  fields: {
    carrierCode: 'string!',
    carrierExternalCode: 'string!',
    carrierServiceCode: 'string!',
    clientShipmentId: 'string!',
    shippingLabels: { list: LABEL, required: true },
  },
}

/** Section 2.7. */
export const METHODS: Shape = {
  fields: {
    returnMethods: {
      required: true,
      list: {
        fields: {
          code: 'string',
          serviceType: ['drop-off', 'pick-up', 'direct', 'do-it-yourself', 'drop-off-store'],
          currencyCode: 'string',
          isLabelFree: 'boolean',
          returnFee: 'number',
          priority: 'number',
          visible: 'boolean',
          carrierService: {
            fields: { code: 'string', carrierDisplayName: 'string', carrierExternalCode: 'string' },
          },
          destinationLocation: {
            fields: {
              code: 'string',
              fullName: 'string',
              line1: 'string',
              line2: 'string',
              city: 'string',
              postalCode: 'string',
              regionCode: 'string',
              countryCode: 'string',
              latitude: 'string',
              longitude: 'string',
              phone: 'string',
              email: 'string',
            },
          },
          promotions: {
            list: {
              fields: {
                promoType: ['DISCOUNT_COUPON_FIXED', 'DISCOUNT_COUPON_PERCENTAGE', 'PRIORITY_REFUND'],
                promoAmount: 'number',
              },
            },
          },
          refundMode: REFUND_MODES,
        },
      },
    },
  },
}

/** Answer of sections 4.1 and 4.4. */
export const ACKNOWLEDGEMENT: Shape = { fields: { statusCode: 'string!', description: 'string!' } }

/** Finds all deviations of a value from a shape, undocumented fields included. `met` collects the fields found. */
export function problemsOf(value: Json, type: Type, path: string, met = new Set<string>()): string[] {
  const [kind, isRequired] = kindOf(type)
  if (value === undefined || value === null) return isRequired ? [`${path} is missing`] : []
  met.add(path.replace(/\[\d+\]/g, '[]'))
  if (Array.isArray(type))
    return type.includes(value) ? [] : [`${path}: ${value} is not one of the enumeration`]
  if (typeof type === 'string')
    return isOf(value, kind) ? [] : [`${path}: ${JSON.stringify(value)} is no ${kind}`]
  if ('list' in type) {
    if (!Array.isArray(value)) return [`${path} is no list`]
    return value.flatMap((one, index) => problemsOf(one, type.list, `${path}[${index}]`, met))
  }
  if (typeof value !== 'object' || !('fields' in type)) return [`${path} is not an object`]
  const strangers = Object.keys(value).filter((key) => !(key in type.fields))
  return [
    ...strangers.map((key) => `${path}.${key} is not documented`),
    ...Object.entries(type.fields).flatMap(([key, field]) =>
      problemsOf(value[key], field, `${path}.${key}`, met),
    ),
  ]
}

/** Every documented path of a shape. */
export function pathsOf(type: Type, path: string): string[] {
  if (typeof type === 'string' || Array.isArray(type)) return [path]
  if ('list' in type) return [path, ...pathsOf(type.list, `${path}[]`)]
  if (!('fields' in type)) return [path]
  return [path, ...Object.entries(type.fields).flatMap(([key, field]) => pathsOf(field, `${path}.${key}`))]
}

function kindOf(type: Type): [string, boolean] {
  if (typeof type === 'string') return [type.replace('!', ''), type.endsWith('!')]
  if (Array.isArray(type)) return ['enumeration', type.includes('!')]
  return ['object', 'required' in type && type.required === true]
}

function isOf(value: Json, kind: string): boolean {
  return kind === 'integer' ? Number.isInteger(value) : typeof value === kind
}
