import type { MethodsRequest } from '../../src/lib/wire/methods.ts'

type Item = MethodsRequest['returnLineItems'][number]

export interface RequestParts {
  shopCode?: string
  currency?: string
  country?: string
  postalCode?: string
  tier?: string
  spent?: number | string
  paid?: number | string
  deliveredAt?: string
  center?: string
  items?: Partial<Item>[]
}

/** A request of a customer in Madrid with one shirt, overridden by `parts`. */
export function methodsRequest(parts: RequestParts = {}): MethodsRequest {
  const { center = 'GETAFE', deliveredAt } = parts
  return {
    shopCode: parts.shopCode ?? 'LUMBRE-ES',
    currencyCode: parts.currency ?? 'EUR',
    ecommerceOrder: {
      id: '1',
      totalPaid: parts.paid,
      fulfillments: deliveredAt === undefined ? [] : [{ deliverAt: deliveredAt, fulfillmentCenter: center }],
    },
    originAddress: { postalCode: parts.postalCode ?? '28013', countryCode: parts.country ?? 'ES' },
    returnLineItems: (parts.items ?? [{}]).map((item) => ({ sku: 'SHIRT', quantity: 1, ...item })),
    client: { id: 'c1', tier: parts.tier ?? 'basic', totalAmountSpent: parts.spent },
  }
}
