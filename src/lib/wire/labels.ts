import * as z from 'zod'
import { FINAL_LABEL_FORMATS, LABEL_FORMATS, LABEL_SHIPMENT_ID_TYPES } from './enumerations.ts'
import {
  addressSchema,
  key,
  number,
  optionalBoolean,
  optionalNumber,
  optionalString,
  optionalStrings,
  partySchema,
  text,
} from './fields.ts'
import { registeredLabelSchema } from './transportations.ts'

/** Spec §4.2. */
const SHIPMENT_TYPES = ['DELIVERY', 'RETURN'] as const
const labelPartySchema = z.looseObject({
  fullName: z.string(),
  code: optionalString,
  email: z.string(),
  phone: text,
  address: addressSchema.nullish(),
})

/** Spec §4.2; `weight` in kilograms, unlike a parcel's. */
const parcelItemSchema = z.looseObject({
  sku: optionalString,
  barcode: optionalString,
  description: z.string(),
  hsCode: z.string(),
  weight: optionalNumber,
  quantity: number,
  unitPrice: number,
  currencyCode: optionalString,
  originCountryCode: optionalString,
})

/** Revision 1.2.10 (spec §4.2); grams and centimetres. */
const plainParcelSchema = z.looseObject({
  clientParcelId: key,
  description: text,
  weight: optionalNumber,
  height: optionalNumber,
  length: optionalNumber,
  width: optionalNumber,
})

/** Spec §4.2, both revisions. */
const plainLabelRequestSchema = z.looseObject({
  shopCode: optionalString,
  shipmentType: z.enum(SHIPMENT_TYPES),
  clientShipmentId: key,
  clientShipmentName: optionalString,
  carrierServiceCode: key,
  labelFormat: z.enum(LABEL_FORMATS),
  shipper: partySchema.nullish(),
  origin: labelPartySchema,
  destination: labelPartySchema,
  parcels: z.array(plainParcelSchema).nullish(),
})

/** Spec §4.2, revision 1.4. */
export const labelRequestSchema = plainLabelRequestSchema.extend({
  carrierOptions: z
    .looseObject({
      customsOptions: z.looseObject({ exportTrackingNumber: optionalString }).nullish(),
      pudoOptions: z
        .looseObject({ pudoEnabled: optionalBoolean, pudoCode: optionalString, pudoName: optionalString })
        .nullish(),
    })
    .nullish(),
  tags: optionalStrings,
  parcels: z.array(plainParcelSchema.extend({ items: z.array(parcelItemSchema).nullish() })).nullish(),
})

export type LabelRequest = z.infer<typeof labelRequestSchema>

/** Spec §4.2, revision 1.2.10: the items of all parcels are in one list. */
export const oldLabelRequestSchema = plainLabelRequestSchema.extend({
  customsInfo: z
    .array(
      z.looseObject({
        description: optionalString,
        hsCode: optionalString,
        weight: optionalNumber,
        quantity: optionalNumber,
        unitPrice: optionalNumber,
        currencyCode: optionalString,
        originCountryCode: optionalString,
      }),
    )
    .nullish(),
})

export type OldLabelRequest = z.infer<typeof oldLabelRequestSchema>

/** Spec §2.6. Decided: `format`, which spec §4.2 promises without a field. */
const shippingLabelSchema = z.looseObject({
  carrierTrackingCode: optionalString,
  additionalTrackingCodes: optionalStrings,
  carrierTrackingUrl: optionalString,
  isLabelFree: optionalBoolean,
  format: z.enum(FINAL_LABEL_FORMATS).nullish(),
  labelFreeCode: z
    .looseObject({
      format: z.enum(FINAL_LABEL_FORMATS).nullish(),
      base64: optionalString,
      url: optionalString,
    })
    .nullish(),
  base64: optionalString,
  url: optionalString,
})

/** Spec §4.2. */
export const labelSetSchema = z.looseObject({
  carrierCode: optionalString,
  carrierExternalCode: optionalString,
  carrierServiceCode: optionalString,
  clientShipmentId: optionalString,
  shippingLabels: z.array(shippingLabelSchema),
})

export type LabelSet = z.infer<typeof labelSetSchema>

/** Spec §4.3. */
export const labelSetListSchema = z.array(labelSetSchema)

/** Spec §4.4. Decided: shipment and labels are needed. */
export const labelUpdateSchema = z.looseObject({
  shopCode: optionalString,
  shipmentId: key,
  shipmentIdType: z.enum(LABEL_SHIPMENT_ID_TYPES).nullish(),
  shippingLabels: z.array(registeredLabelSchema),
})
export type LabelUpdate = z.infer<typeof labelUpdateSchema>
