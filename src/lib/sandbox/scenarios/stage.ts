import { AppError } from '../../errors.ts'
import { type Return, returnListSchema, returnSchema } from '../../wire/returns.ts'
import type { SandboxActions } from '../actions/sandbox-actions.ts'
import type { StepOf } from './scenario.ts'

export interface Stage {
  world: SandboxActions
  /** The platform's time, ms since the epoch. */
  now(): number
  /** Answers to a token of that moment for all shops. Paths come after the API's prefix. */
  request(method: 'GET' | 'POST', path: string, body?: object): Promise<{ status: number; body: unknown }>
}

/** A return by id or RMA name. @throws AppError `not-found`, or `rejected` for a name in several shops */
export async function findReturn(stage: Stage, returnRef: string): Promise<Return> {
  if (/^\d+$/.test(returnRef)) {
    const { status, body } = await stage.request('GET', `/returns/${returnRef}`)
    if (status === 200) return returnSchema.parse(body)
    throw new AppError('not-found', `There is no return ${returnRef}`)
  }
  const { body } = await stage.request('GET', `/returns?${new URLSearchParams({ name: returnRef })}`)
  const [found, another] = returnListSchema.parse(body).returns
  if (found === undefined) throw new AppError('not-found', `There is no return ${returnRef}`)
  if (another === undefined) return found
  throw new AppError('rejected', `Several returns have the name ${returnRef}; name one by its id`)
}

export function idOf({ id, name }: Return): string {
  return id ?? name
}

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
