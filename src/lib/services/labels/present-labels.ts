import type { Context } from '../../cli/context.ts'
import { unless } from '../../errors.ts'
import {
  type LabelPart,
  type RegisteredLabel,
  registeredLabels,
} from '../../labels/request/registered-label.ts'
import type { LABEL_SHIPMENT_ID_TYPES } from '../../wire/enumerations.ts'
import type { LabelUpdate } from '../../wire/labels.ts'
import { fitted } from '../../wire/read.ts'
import { labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { labelSetShape, transportationShape } from '../../wire/shapes.ts'
import type { ActiveTransportation } from '../../wire/transportations.ts'

export type NamedUpdate = LabelUpdate & { shipmentIdType: (typeof LABEL_SHIPMENT_ID_TYPES)[number] }

export interface LabelChange {
  body: NamedUpdate
  present: PresentLabels | undefined
  mayEmpty: readonly LabelPart[]
}

export interface PresentLabels {
  shopCode: string | undefined
  returnId: string
  transportId: string
  labels: RegisteredLabel[]
  unread: LabelPart[]
}

/** Returns undefined if the platform doesn't show the id's transport (spec §4.4). */
export async function presentLabels(
  { shipmentId, shipmentIdType }: NamedUpdate,
  context: Context,
): Promise<PresentLabels | undefined> {
  const lookup = await context.connection.lookup()
  if (shipmentIdType === 'RETURN_NAME') return presentOf(await lookup.named(shipmentId), context)
  const isReference = shipmentIdType === 'CLIENT_REFERENCE'
  const found = isReference ? lookup.byClientReference(shipmentId) : lookup.byMerchantName(shipmentId)
  return presentOf(await optional(found), context)
}

export async function presentOfReturn(returnId: string, context: Context) {
  return presentOf(await (await context.connection.returns()).get(returnId), context)
}

async function presentOf(record: Return | undefined, context: Context): Promise<PresentLabels | undefined> {
  const transport = record?.activeTransportation
  if (!(record?.id && transport?.id)) return undefined
  const ids = { shopCode: record.shopCode || undefined, returnId: record.id, transportId: transport.id }
  const sent = await optional((await context.connection.returns()).transportation(record.id, transport.id))
  const listed = sent && fitted(transportationShape, sent).shippingLabels
  if (Array.isArray(listed)) return { ...ids, labels: registeredLabels(listed), unread: [] }
  // Only the bought label set shows other parcels (spec §2.4, §2.6).
  const { carrierReference, carrierTrackingUrl, carrierLabel } = transport
  const set = await boughtFor(record, transport, context)
  const [first, ...others] = set?.shippingLabels ?? []
  const [own] = registeredLabels([
    { carrierTrackingCode: carrierReference, carrierTrackingUrl, url: carrierLabel },
  ])
  const unread: LabelPart[] = (['additionalTrackingCodes', 'format'] as const).filter(
    (field) => first?.[field] === undefined,
  )
  if (!set) unread.push('otherParcels')
  return { ...ids, labels: registeredLabels([{ ...first, ...own }, ...others]), unread }
}

/** Finds the set with the transport's code, as an id may also name the order's other parcels. */
async function boughtFor(
  { name, shopCode }: Return,
  { id, clientReference, carrierReference }: ActiveTransportation,
  context: Context,
) {
  const labels = await context.connection.labels()
  for (const shipment of [labelIdFor(name, id), clientReference]) {
    if (!(shipment && carrierReference)) continue
    const sets = await optional(labels.get(shipment, shopCode))
    const own = sets
      ?.map((set) => fitted(labelSetShape, set))
      .findLast(({ shippingLabels: [first] }) => first?.carrierTrackingCode === carrierReference)
    if (own) return own
  }
  return undefined
}

/** Returns undefined if the platform lacks the resource. */
export function optional<T>(reading: Promise<T>): Promise<T | undefined> {
  return unless(reading, 'not-found', 'rejected', 'contract')
}
