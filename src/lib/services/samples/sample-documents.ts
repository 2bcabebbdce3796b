import type { Goods } from '../../labels/request/from-return.ts'
import type { Return } from '../../wire/returns.ts'

/** T-shirts, trousers, shoes and bags. */
const HS_CODES = ['610910', '620342', '640399', '420222']

/** Made-up customs data of the articles of these returns. */
export function goodsOf(returns: readonly Return[]): Map<string, Goods> {
  const skus = returns.flatMap(({ returnLineItems }) => (returnLineItems ?? []).map(({ sku }) => sku))
  const sorted = [...new Set(skus)].sort()
  return new Map(
    sorted.map((sku, index) => [
      sku,
      { hsCode: HS_CODES[index % HS_CODES.length], originCountryCode: 'PT', weight: 0.4 },
    ]),
  )
}

/** Body of `PUT /shipping_labels` (spec §4.4). */
export function labelUpdate(record: Return | undefined): object {
  return {
    shopCode: record?.shopCode,
    shipmentId: record?.name,
    shipmentIdType: 'RETURN_NAME',
    shippingLabels: [
      { carrierTrackingCode: 'ABC123', carrierTrackingUrl: 'https://carrier.example/track/ABC123' },
    ],
  }
}

/** Body of `POST /return_methods` (spec §4.6). */
export function methodsRequest(record: Return | undefined): object {
  const { postalCode, city, countryCode } = record?.customer?.address ?? {}
  return {
    shopCode: record?.shopCode,
    currencyCode: record?.currency,
    originAddress: { city, postalCode, countryCode },
    returnLineItems: (record?.returnLineItems ?? []).map(({ sku, quantity }) => ({ sku, quantity })),
    client: { id: record?.ecommerceOrder?.customerId, tier: 'GOLD' },
  }
}

export const FAULTS = [{ route: 'POST /shipping_trackings', kind: 'reset', rate: 0.05, seed: 7, count: 10 }]

export function scenarioOf(shop: string | undefined): object {
  return {
    title: 'Handed in, and delivered',
    steps: [
      { do: 'create', as: 'parcel', shop, orderName: 'TRIED', lines: [{ price: 20 }] },
      { do: 'track', return: 'parcel', trackingStatus: 'SHIPPING_IN_PROGRESS' },
      { do: 'advance', by: '2d' },
      { do: 'track', return: 'parcel', trackingStatus: 'SHIPPING_COMPLETED' },
      { do: 'expect', return: 'parcel', status: 'RECEPTION_COMPLETED' },
    ],
  }
}
