import { stringify } from 'lossless-json'
import { parseJson } from './json.ts'
import type { Return } from './returns.ts'

/** Makes an unchecked request (spec §4.6) from a return. Leaves out names: full ones can't be split. */
export function methodsRequestOf(record: Return) {
  const { line1, line2, city, postalCode, region, countryCode } =
    record.origin?.address ?? record.customer?.address ?? {}
  return {
    shopCode: record.shopCode,
    currencyCode: record.currency,
    ecommerceOrder: record.ecommerceOrder?.id ? { id: record.ecommerceOrder.id } : undefined,
    originAddress: { line1, line2, city, postalCode, regionCode: region, countryCode },
    returnLineItems: (record.returnLineItems ?? []).map((item) => ({
      id: item.ecommerceLineItem?.lineItemId,
      name: item.productName,
      sku: item.sku,
      quantity: item.quantity,
      returnReasonCode: item.returnReason?.code,
      refundTypeCode: item.refundType,
      productVendor: item.vendor,
    })),
    client: { id: record.ecommerceOrder?.customerId },
  }
}

/** Removes undefined and null fields at any depth. Numbers stay as sent. */
export function withoutUnknown(value: unknown): unknown {
  return parseJson(stringify(value, (_name, field) => field ?? undefined) ?? 'null')
}
