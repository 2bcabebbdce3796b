import type { Return, ReturnLineItem } from '../../wire/returns.ts'

export interface FromReturnOptions {
  clientShipmentId: string
  carrierServiceCode: string
  /** Grams of the parcel. */
  weight?: number | undefined
  /** Customs code of the items; without one they can't be declared, and the parcel goes without `items`. */
  hsCode?: string | undefined
  /** Country of origin of the goods. */
  originCountryCode?: string | undefined
  /** Revision 1.2.10 has no place for these. */
  withoutSku?: boolean | undefined
}

/** A request for the label of a return (spec §4.2), in one parcel from the customer to the destination. Not checked. */
export function requestFromReturn(record: Return, options: FromReturnOptions): Record<string, unknown> {
  const { customer, origin, destination } = record
  const from = {
    fullName: origin?.fullName || customer?.fullName,
    email: origin?.email || customer?.email,
    phone: textOf(origin?.phone) || textOf(customer?.phone),
    address: origin?.address ?? customer?.address,
  }
  const items = record.returnLineItems ?? []
  const { hsCode } = options
  return {
    shopCode: record.shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: options.clientShipmentId,
    clientShipmentName: record.name,
    carrierServiceCode: options.carrierServiceCode,
    shipper: from,
    origin: from,
    destination: {
      fullName: destination?.fullName,
      email: destination?.email,
      phone: textOf(destination?.phone),
      address: destination?.address,
    },
    parcels: [
      {
        clientParcelId: '1',
        description: described(items),
        ...(options.weight === undefined ? {} : { weight: options.weight }),
        ...(hsCode === undefined
          ? {}
          : { items: items.map((item) => declared(item, record, hsCode, options)) }),
      },
    ],
  }
}

const MAX_DESCRIPTION = 100

function described(items: readonly ReturnLineItem[]): string {
  const names = items.map((item) => `${item.quantity} × ${item.productName || item.sku}`)
  const whole = names.join(', ') || 'Returned goods'
  return whole.length <= MAX_DESCRIPTION ? whole : `${whole.slice(0, MAX_DESCRIPTION - 1)}…`
}

function declared(item: ReturnLineItem, record: Return, hsCode: string, options: FromReturnOptions) {
  const { withoutSku, originCountryCode } = options
  return {
    ...(withoutSku ? {} : { sku: item.sku, barcode: item.barcode }),
    description: [item.productName, item.variantName].filter(Boolean).join(', ') || item.sku,
    hsCode,
    quantity: item.quantity,
    unitPrice: item.price,
    currencyCode: item.currency ?? record.currency,
    ...(originCountryCode === undefined ? {} : { originCountryCode }),
  }
}

function textOf(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value)
}
