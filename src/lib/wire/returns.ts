import * as z from 'zod'
import { REFUND_MODES, REFUND_TYPES, RETURN_STATUSES } from './enumerations.ts'
import {
  addressSchema,
  integer,
  number,
  optionalNumber,
  optionalString,
  optionalText,
  partySchema,
} from './fields.ts'
import { activeTransportationSchema } from './transportations.ts'

const text = z.string()

/** Spec §2.3. */
const exchangeLineItemSchema = z.looseObject({
  id: optionalString,
  productName: text,
  variantName: text,
  sku: optionalString,
  price: number,
  quantity: number,
  vendor: optionalString,
  ecommerceProductId: text,
  ecommerceVariantId: text,
})

/** Spec §2.2. */
const returnLineItemSchema = z.looseObject({
  id: optionalString,
  productName: optionalString,
  variantName: optionalString,
  sku: text,
  barcode: text,
  vendor: optionalString,
  price: number,
  discount: optionalNumber,
  paid: optionalNumber,
  tax: optionalNumber,
  returnAmount: optionalNumber,
  currency: optionalString,
  basePrice: optionalNumber,
  baseDiscount: optionalNumber,
  basePaid: optionalNumber,
  baseTax: optionalNumber,
  baseReturnAmount: optionalNumber,
  baseCurrency: optionalString,
  quantity: number,
  imageUrl: optionalString,
  ecommerceLineItem: z.looseObject({ lineItemId: text, productId: text, variantId: text }).nullish(),
  returnReason: z
    .looseObject({ code: optionalString, reason: optionalString, additionalInfo: text })
    .nullish(),
  refundType: z.enum(REFUND_TYPES),
  refundMode: z.enum(REFUND_MODES),
  exchangeLineItems: z.array(exchangeLineItemSchema).nullish(),
})
export type ReturnLineItem = z.infer<typeof returnLineItemSchema>

/** Spec §2.1. Decided: `merchantReturnName` (spec §4.4). */
export const returnSchema = z.looseObject({
  id: optionalString,
  shopCode: text,
  name: text,
  merchantReturnName: optionalString,
  createdAt: optionalString,
  updatedAt: optionalString,
  cancelledAt: optionalString,
  status: z.enum(RETURN_STATUSES).nullish(),
  totalReturnFee: number,
  totalReturnAmount: number,
  totalTax: optionalNumber,
  totalRefund: optionalNumber,
  currency: text,
  customerIban: optionalString,
  accountHolderName: optionalString,
  baseTotalReturnFee: optionalNumber,
  baseTotalReturnAmount: optionalNumber,
  baseTotalTax: optionalNumber,
  baseTotalRefund: optionalNumber,
  baseCurrency: optionalString,
  customer: z.looseObject({
    fullName: text,
    email: text,
    phone: optionalText,
    address: addressSchema.nullish(),
  }),
  ecommerceOrder: z.looseObject({ id: text, name: optionalString, customerId: optionalString }),
  origin: partySchema,
  destination: partySchema,
  returnLineItems: z.array(returnLineItemSchema),
  activeTransportation: activeTransportationSchema.nullish(),
})
export type Return = z.infer<typeof returnSchema>

/** Spec §2.1. */
export const pageInfoSchema = z.looseObject({ totalRecords: integer, totalPages: integer })

/** Spec §4.7. */
export const returnListSchema = z.looseObject({ returns: z.array(returnSchema), pageInfo: pageInfoSchema })
export type ReturnList = z.infer<typeof returnListSchema>
