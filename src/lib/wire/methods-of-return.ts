import type { Return } from './returns.ts'

/** Makes an unchecked request (spec §4.6) of what a return's record has. Names of people are not split. */
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

/** Removes undefined values at any depth. Exact numbers are class instances. */
export function withoutUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUnknown)
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined && field !== null)
      .map(([name, field]) => [name, withoutUnknown(field)]),
  )
}
