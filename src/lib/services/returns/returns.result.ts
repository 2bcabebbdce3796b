import { lazySchema, type View } from '../../output/view.ts'
import { asNumber, objectsIn } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'

export const oneOrMoreSchema = lazySchema(async (z) => {
  const { returnSchema } = await import('../../wire/returns.ts')
  return z.union([returnSchema, z.array(returnSchema).describe('With more than one RETURN, or -')])
})

/** Columns of returns (spec §2.1). The default ones are what support asks first. */
export const returnsView: View<Return> = {
  columns: [
    'name',
    { name: 'status', kind: 'status', words: 'returnStatus' },
    { name: 'created', path: 'createdAt' },
    { name: 'customer', path: 'customer.fullName', flexible: true },
    { name: 'items', value: unitCount },
    { name: 'refund', path: 'totalRefund', kind: 'money' },
    {
      name: 'transport',
      path: 'activeTransportation.status',
      kind: 'status',
      words: 'transportStatus',
    },
    { name: 'carrier', path: 'activeTransportation.carrierCode' },
  ],
  extra: [
    'currency',
    { name: 'amount', path: 'totalReturnAmount', kind: 'money' },
    { name: 'fee', path: 'totalReturnFee', kind: 'money' },
    { name: 'tax', path: 'totalTax', kind: 'money' },
    'id',
    { name: 'shop', path: 'shopCode' },
    { name: 'order', value: (r) => r.ecommerceOrder?.name ?? r.ecommerceOrder?.id },
    { name: 'email', header: 'E-MAIL', path: 'customer.email', flexible: true },
    { name: 'country', path: 'origin.address.countryCode' },
    { name: 'updated', path: 'updatedAt' },
    { name: 'cancelled', path: 'cancelledAt' },
    {
      name: 'service',
      path: 'activeTransportation.serviceMessage',
      flexible: true,
    },
    { name: 'tracking', path: 'activeTransportation.carrierReference' },
    {
      name: 'tracking-url',
      path: 'activeTransportation.carrierTrackingUrl',
    },
    { name: 'reference', path: 'activeTransportation.clientReference' },
  ],
  leastImportant: ['items', 'carrier', 'transport', 'created'],
  schema: async () => (await import('../../wire/returns.ts')).returnSchema,
  empty: 'No returns match',
}

export function lineItems(r: Return): Return['returnLineItems'] {
  return objectsIn(r.returnLineItems)
}

/** Counts units rather than lines, as they will be in the parcel. */
export function unitCount(r: Return): number | undefined {
  const units = lineItems(r).reduce((sum, item) => sum + (asNumber(item.quantity ?? 1) ?? Number.NaN), 0)
  return Number.isFinite(units) ? units : undefined
}
