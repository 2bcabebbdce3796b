import type { Connection } from '../../cli/connection.ts'
import { AppError } from '../../errors.ts'
import {
  type LabelPart,
  type RegisteredLabel,
  registeredLabels,
} from '../../labels/request/registered-label.ts'
import type { LabelSet, LabelUpdate } from '../../wire/labels.ts'
import { fitted } from '../../wire/read.ts'
import type { Return } from '../../wire/returns.ts'
import { labelSetShape, transportationShape } from '../../wire/shapes.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'

/** Values that a label update would change, as far as the platform shows them. */
export interface PresentLabels {
  shopCode: string | undefined
  returnId: string
  transportId: string
  labels: RegisteredLabel[]
  unread: LabelPart[]
}

/** Reads present values, or returns undefined if the platform does not show which transport the id names (spec §4.4). */
export async function readPresent(
  { shipmentId, shipmentIdType }: Pick<LabelUpdate, 'shipmentId' | 'shipmentIdType'>,
  connection: Pick<Connection, 'returns' | 'lookup' | 'labels'>,
): Promise<PresentLabels | undefined> {
  const lookup = await connection.lookup()
  if (shipmentIdType === 'CLIENT_REFERENCE') {
    return presentOf(await optional(lookup.byClientReference(shipmentId)), connection)
  }
  if (shipmentIdType === 'MERCHANT_RETURN_NAME') {
    return presentOf(await optional(lookup.byMerchantName(shipmentId)), connection)
  }
  return presentOf(await lookup.named(shipmentId), connection)
}

export async function presentOf(
  record: Return | undefined,
  connection: Pick<Connection, 'returns' | 'labels'>,
): Promise<PresentLabels | undefined> {
  const transport = record?.activeTransportation
  if (!(record?.id && transport?.id)) return undefined
  const shopCode = record.shopCode || undefined
  const ids = { shopCode, returnId: record.id, transportId: transport.id }
  const sent = await optional((await connection.returns()).transportation(ids.returnId, ids.transportId))
  const listed = sent && fitted(transportationShape, sent)
  if (Array.isArray(listed?.shippingLabels)) {
    return { ...ids, labels: registeredLabels(listed.shippingLabels), unread: [] }
  }
  const set = await madeFor(record, transport, connection)
  return { ...ids, ...combined(transport, set) }
}

/** Joins the transport's values with those its label was made with, which alone cover other parcels (spec §2.4, §2.6). */
function combined(
  { carrierReference, carrierTrackingUrl, carrierLabel }: ActiveTransportation,
  set: LabelSet | undefined,
): Pick<PresentLabels, 'labels' | 'unread'> {
  const [own] = registeredLabels([
    { carrierTrackingCode: carrierReference, carrierTrackingUrl, url: carrierLabel },
  ])
  const [first, ...others] = set?.shippingLabels ?? []
  const isTold = (field: string) => first !== undefined && Reflect.get(first, field) !== undefined
  const unread: LabelPart[] = [
    ...(['additionalTrackingCodes', 'format'] as const).filter((field) => !isTold(field)),
    ...(set ? [] : ['otherParcels' as const]),
  ]
  return { labels: registeredLabels([{ ...first, ...own }, ...others]), unread }
}

/** The newest set that shows the transport's own code: an id alone may stand for other parcels of the order, too. */
async function madeFor(
  { name, shopCode }: Return,
  { id, clientReference, carrierReference }: ActiveTransportation,
  connection: Pick<Connection, 'returns' | 'labels'>,
): Promise<LabelSet | undefined> {
  const labels = await connection.labels()
  if (!carrierReference) return undefined
  for (const shipment of [`${name}-T${id}`, clientReference]) {
    if (!shipment) continue
    const sets = await optional(labels.get(shipment, shopCode))
    const own = sets
      ?.map((set) => fitted(labelSetShape, set))
      .findLast(({ shippingLabels: [first] }) => first?.carrierTrackingCode === carrierReference)
    if (own) return own
  }
  return undefined
}

/** Turns failures of a platform that lacks a resource into undefined. */
export async function optional<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading
  } catch (error) {
    if (error instanceof AppError && ['not-found', 'rejected', 'contract'].includes(error.kind))
      return undefined
    throw error
  }
}
