import { joinParts, textOf } from '../../wire/raw.ts'
import type { Return, ReturnLineItem } from '../../wire/returns.ts'

export interface Goods {
  hsCode?: string
  originCountryCode?: string
  /** Kilograms of one piece. */
  weight?: number
}

interface FromReturnOptions {
  clientShipmentId: string
  carrierServiceCode: string
  /** Grams of the parcel. */
  weight?: number
  /** If an item has no customs code, the parcel lists no `items`. */
  goodsOf: (sku: string) => Goods
  withoutSku?: boolean
}

/** Builds an unchecked request for one parcel from customer to destination (spec §4.2). */
export function requestFromReturn(record: Return, options: FromReturnOptions): Record<string, unknown> {
  const { customer, origin, destination } = record
  const from = partyOf(origin, customer)
  const items = record.returnLineItems ?? []
  const weight = options.weight ?? gramsOf(items, options)
  return {
    shopCode: record.shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: options.clientShipmentId,
    clientShipmentName: record.name,
    carrierServiceCode: options.carrierServiceCode,
    shipper: from,
    origin: from,
    destination: partyOf(destination),
    parcels: [
      {
        clientParcelId: '1',
        description: described(items),
        weight,
        items:
          undeclaredSkus(record, options.goodsOf).length > 0 || items.length === 0
            ? undefined
            : items.map((item) => declared(item, record, options)),
      },
    ],
  }
}

function partyOf(party: Return['origin'] | undefined, other?: Return['customer']) {
  return {
    fullName: party?.fullName || other?.fullName,
    email: party?.email || other?.email,
    phone: textOf(party?.phone) ?? textOf(other?.phone),
    address: party?.address ?? other?.address,
  }
}

export function undeclaredSkus(record: Return, goodsOf: FromReturnOptions['goodsOf']): string[] {
  const skus = (record.returnLineItems ?? []).map(({ sku }) => sku)
  return [...new Set(skus)].filter((sku) => goodsOf(sku).hsCode === undefined)
}

function gramsOf(items: readonly ReturnLineItem[], { goodsOf }: Pick<FromReturnOptions, 'goodsOf'>) {
  let grams = 0
  for (const { sku, quantity } of items)
    grams += (goodsOf(sku).weight ?? Number.NaN) * Number(quantity) * 1000
  return grams > 0 ? Math.max(1, Math.round(grams)) : undefined
}

const MAX_DESCRIPTION = 100

function described(items: readonly ReturnLineItem[]) {
  const names = items.map((item) => `${item.quantity} × ${item.productName || item.sku}`)
  const whole = names.join(', ') || 'Returned goods'
  return whole.length <= MAX_DESCRIPTION ? whole : `${whole.slice(0, MAX_DESCRIPTION - 1)}…`
}

function declared(item: ReturnLineItem, record: Return, { withoutSku, goodsOf }: FromReturnOptions) {
  const { hsCode, originCountryCode, weight } = goodsOf(item.sku)
  return {
    ...(withoutSku ? {} : { sku: item.sku, barcode: item.barcode }),
    description: joinParts([item.productName, item.variantName]) || item.sku,
    hsCode,
    quantity: item.quantity,
    unitPrice: item.price,
    currencyCode: item.currency ?? record.currency,
    weight,
    originCountryCode,
  }
}
