import type { Return } from '../../wire/returns.ts'
import type { StepOf } from './scenario.ts'

/** Worn clothing, whatever the shop sells. */
const HS_CODE = '630900'

export function shipmentIdOf({ name }: Return, transportId: string | null | undefined): string {
  return transportId ? `${name}-T${transportId}` : name
}

/** Body of `POST /shipping_labels` (spec §4.2) that becomes the label of the return's transport. */
export function labelRequestOf(
  record: Return,
  { carrierServiceCode, labelFormat = 'PDF' }: StepOf<'label'>,
): object {
  return {
    shopCode: record.shopCode,
    shipmentType: 'RETURN',
    clientShipmentId: shipmentIdOf(record, record.activeTransportation?.id),
    carrierServiceCode:
      carrierServiceCode ?? record.activeTransportation?.carrierServiceCode ?? 'SBX_STANDARD',
    labelFormat,
    origin: record.origin,
    destination: record.destination,
    parcels: [
      {
        clientParcelId: '1',
        description: 'Returned items',
        items: record.returnLineItems.map(({ sku, productName, quantity, price, currency }) => ({
          sku,
          description: productName ?? sku,
          hsCode: HS_CODE,
          quantity,
          unitPrice: price,
          currencyCode: currency ?? record.currency,
        })),
      },
    ],
  }
}
