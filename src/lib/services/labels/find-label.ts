import type { LabelsApi, MadeLabels } from '../../api/labels.ts'
import type { Context } from '../../cli/context.ts'
import { newestLabels } from '../../labels/folder/served-labels.ts'
import type { LabelRequest, LabelSet } from '../../wire/labels.ts'
import { carriedLabel, type ReturnParcel } from './return-parcel.ts'

/** The shipment that a label is sought of. */
interface SoughtLabel {
  request: Pick<LabelRequest, 'clientShipmentId' | 'shopCode'>
  parcel?: ReturnParcel | undefined
}

/** Finds the label that a shipment has already. @throws AppError as `existingSet` does */
export async function findLabel(
  order: SoughtLabel,
  context: Pick<Context, 'shellLine'>,
  labels: LabelsApi,
): Promise<MadeLabels | undefined> {
  const { clientShipmentId, shopCode } = order.request
  const own = await labels.find(clientShipmentId, shopCode)
  const set = await existingSet(own, order, context, labels)
  return set && { set, outcome: 'existing', sets: own.length }
}

/** The label under the shipment's id, or elsewhere. @throws AppError `usage` if one may or may not be this shipment's */
export async function existingSet(
  own: readonly LabelSet[],
  { parcel }: SoughtLabel,
  context: Pick<Context, 'shellLine'>,
  labels: LabelsApi,
): Promise<LabelSet | undefined> {
  return newestLabels(own) ?? (parcel && carriedLabel(parcel, context, labels))
}
