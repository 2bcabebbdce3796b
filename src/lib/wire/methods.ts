import * as z from 'zod'
import { PROMOTION_TYPES, REFUND_MODES, SERVICE_TYPES } from './enumerations.ts'
import {
  key,
  number,
  optionalBoolean,
  optionalNumber,
  optionalString,
  optionalStrings,
  optionalText,
} from './fields.ts'

const text = z.string()

/** Spec §4.6. */
const orderLineItemSchema = z.looseObject({
  id: optionalString,
  name: optionalString,
  sku: optionalString,
  variantOptions: z.array(z.looseObject({ key: optionalString, value: optionalString })).nullish(),
  quantity: optionalNumber,
  originalUnitPrice: optionalNumber,
  lineTotalPrice: optionalNumber,
  lineTotalDiscount: optionalNumber,
  lineTotalPaid: optionalNumber,
  productTags: optionalStrings,
  primaryProductCategory: optionalString,
  productVendor: optionalString,
})

/** Spec §4.6; dates are `YYYY-MM-DD`. */
const fulfillmentSchema = z.looseObject({
  id: optionalString,
  fulfilledAt: optionalString,
  deliverAt: optionalString,
  fulfillmentCenter: text,
  fulfillmentCenterCountryCode: optionalString,
  shipmentCarrier: optionalString,
  shipmentServiceName: optionalString,
  // The specification's own spelling.
  fulfillmentLineItems: z
    .array(z.looseObject({ lineItemid: optionalString, quantity: optionalNumber }))
    .nullish(),
})

/** Spec §4.6. */
export const methodsRequestSchema = z.looseObject({
  shopCode: optionalString,
  currencyCode: key,
  ecommerceOrder: z
    .looseObject({
      id: key,
      orderType: optionalString,
      salesChannel: optionalString,
      status: optionalString,
      totalPaid: optionalNumber,
      totalDiscount: optionalNumber,
      totalShippingCost: optionalNumber,
      paymentMethods: z.array(z.looseObject({ method: optionalString, amount: optionalNumber })).nullish(),
      tags: optionalStrings,
      discountCodes: optionalStrings,
      lineItems: z.array(orderLineItemSchema).nullish(),
      fulfillments: z.array(fulfillmentSchema).nullish(),
    })
    .nullish(),
  originAddress: z.looseObject({
    firstName: optionalString,
    lastName: optionalString,
    line1: optionalText,
    line2: optionalString,
    city: optionalString,
    postalCode: text,
    regionCode: optionalString,
    countryCode: text,
  }),
  // Decided: a list, although it is declared as an object.
  returnLineItems: z.array(
    z.looseObject({
      id: optionalString,
      name: optionalString,
      sku: text,
      quantity: number,
      returnReasonCode: optionalString,
      refundTypeCode: optionalString,
      productTags: optionalStrings,
      primaryProductCategory: optionalString,
      productVendor: optionalString,
    }),
  ),
  client: z.looseObject({
    id: key,
    totalAmountSpent: optionalNumber,
    totalAmountReturned: optionalNumber,
    quantityPlacedOrders: optionalNumber,
    quantityReturns: optionalNumber,
    tier: text,
  }),
})
export type MethodsRequest = z.infer<typeof methodsRequestSchema>

/** Spec §2.7. */
export const returnMethodSchema = z.looseObject({
  code: optionalString,
  serviceType: z.enum(SERVICE_TYPES).nullish(),
  currencyCode: optionalString,
  isLabelFree: optionalBoolean,
  returnFee: optionalNumber,
  priority: optionalNumber,
  visible: optionalBoolean,
  carrierService: z
    .looseObject({
      code: optionalText,
      carrierDisplayName: optionalString,
      carrierExternalCode: optionalString,
    })
    .nullish(),
  destinationLocation: z
    .looseObject({
      code: optionalString,
      fullName: optionalString,
      line1: optionalString,
      line2: optionalString,
      city: optionalString,
      postalCode: optionalString,
      regionCode: optionalString,
      countryCode: optionalString,
      latitude: optionalText,
      longitude: optionalText,
      phone: optionalText,
      email: optionalString,
    })
    .nullish(),
  promotions: z
    .array(z.looseObject({ promoType: z.enum(PROMOTION_TYPES).nullish(), promoAmount: optionalNumber }))
    .nullish(),
  refundMode: z.enum(REFUND_MODES).nullish(),
})
export type ReturnMethod = z.infer<typeof returnMethodSchema>

/** Reasons that only the sandbox gives. */
export const methodExplanationSchema = z.looseObject({
  code: text,
  offered: z.boolean(),
  reasons: z.array(z.looseObject({ rule: optionalString, text })),
})
export type MethodExplanation = z.infer<typeof methodExplanationSchema>

/** Spec §4.6. */
export const methodsResponseSchema = z.looseObject({ returnMethods: z.array(returnMethodSchema) })

export const explainedMethodsSchema = methodsResponseSchema.extend({
  explanations: z.array(methodExplanationSchema).nullish(),
  rules: z.looseObject({ source: optionalString, problems: optionalStrings }).nullish(),
})
