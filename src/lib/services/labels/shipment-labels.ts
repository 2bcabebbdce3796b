import { asksForShop } from '../../api/http/error-map.ts'
import type { LabelsApi } from '../../api/labels.ts'
import type { ReturnLookup } from '../../api/return-lookup.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, rewordError } from '../../errors.ts'
import type { LabelSet } from '../../wire/labels.ts'
import type { Return } from '../../wire/returns.ts'
import { activeTransport, codesOf, said } from './return-parcel.ts'

/** The labels of one shipment, oldest first, and the id that they are under. */
export interface ShipmentLabels {
  id: string
  sets: LabelSet[]
}

/**
 * Labels by the id that they were made with, else those of the return, or returns, that a text names.
 *
 * @throws AppError `not-found` that says what can be done
 */
export async function shipmentLabels(
  text: string,
  labels: LabelsApi,
  lookup: ReturnLookup,
  context: Pick<Context, 'shellLine'>,
): Promise<ShipmentLabels[]> {
  try {
    return [{ id: text, sets: await labels.get(text) }]
  } catch (error) {
    // A token for several shops is refused until the return tells which one it is.
    if (!(error instanceof AppError) || !['not-found', 'rejected'].includes(error.kind)) throw error
    const found = await lookup.find(text)
    const ofReturns: ShipmentLabels[] = []
    for (const record of found) ofReturns.push(...(await labelsOfReturn(record, text, labels)))
    if (ofReturns.length > 0) return ofReturns
    const [first] = found
    if (first && (error.kind === 'not-found' || asksForShop(error))) {
      throw new AppError('not-found', `${first.name} has no label`, {
        hints: [await context.shellLine(['labels', 'create', '--for', first.name], undefined)],
        cause: error,
      })
    }
    const search = await context.shellLine(['search', text], undefined)
    throw rewordError(error, error.message, { hints: [...error.hints, search] })
  }
}

/** Labels of a return's active transport: others of the order may share the client reference, but not the code. */
async function labelsOfReturn(record: Return, text: string, labels: LabelsApi): Promise<ShipmentLabels[]> {
  const transport = activeTransport(record)
  if (!transport) return []
  for (const id of new Set([text, `${record.name}-T${transport.id}`])) {
    const own = await labels.find(id, record.shopCode)
    if (own.length > 0) return [{ id, sets: own }]
  }
  const reference = said(transport.clientReference)
  const code = said(transport.carrierReference)
  if (reference === undefined || code === undefined) return []
  const sets = await labels.find(reference, record.shopCode)
  const matching = sets.filter((set) => codesOf(set).includes(code))
  return matching.length > 0 ? [{ id: reference, sets: matching }] : []
}
