import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import {
  type LabelPart,
  labelDifferences,
  leadingTo,
  type RegisteredLabel,
} from '../../labels/request/registered-label.ts'
import { PART_NAMES } from './labels.result.ts'
import { type PresentLabels, presentOf } from './present-values.ts'
import { findUndo, type LabelUndo, undoLine } from './undo.ts'
import type { NamedUpdate } from './update-request.ts'

interface UndoingChange {
  body: NamedUpdate
  present: PresentLabels
}

/** @throws AppError `usage` if the active transport, or what is registered of it, is not what the update left */
export async function undoingChange(
  undo: LabelUndo,
  context: Pick<Context, 'paths' | 'progress' | 'warn'>,
  connection: Pick<Connection, 'returns' | 'labels' | 'http'>,
): Promise<UndoingChange> {
  const { shipmentId, shipmentIdType, shopCode, former, left, unread } = undo
  context.progress.start('Reading what the label has now')
  const present = await presentOf(await (await connection.returns()).get(undo.returnId), connection)
  if (present?.transportId !== undo.transportId) {
    const now = present ? `${present.transportId} is` : 'none is'
    throw refused(shipmentId, `that was transport ${undo.transportId}, and ${now} active now`)
  }
  const since = labelDifferences(present.labels, left, present.unread)
  if (since.length > 0) {
    const isThere = labelDifferences(present.labels, former, [...present.unread, ...unread]).length === 0
    const why = isThere ? 'it has its former values already' : 'its label has changed since'
    const details = since.map(({ parcel, field, one, other }) => ({
      path: `parcel ${parcel}, ${PART_NAMES[field]}`,
      message: `${one || 'nothing'} now, ${other || 'nothing'} after that update`,
    }))
    throw refused(
      shipmentId,
      why,
      isThere ? [] : details,
      isThere ? undefined : await findUndo(present, context.paths, connection),
    )
  }
  if (unread.length > 0) {
    await context.warn(
      `Not put back, since it could not be read then: ${unread.map((part) => PART_NAMES[part]).join(', ')}`,
    )
  }
  const known = left.map((label) => withoutUnread(label, unread))
  const shippingLabels = leadingTo(former, known)
  return { body: { ...(shopCode && { shopCode }), shipmentId, shipmentIdType, shippingLabels }, present }
}

function refused(
  shipment: string,
  why: string,
  details: { path: string; message: string }[] = [],
  later?: string,
): AppError {
  const hints = later === undefined ? [] : [`undo the later update first: ${undoLine(later)}`]
  const message = `The update of ${shipment} is not undone, nothing was sent: ${why}.`
  return new AppError('usage', message, { details, hints })
}

function withoutUnread(label: RegisteredLabel, unread: readonly LabelPart[]): RegisteredLabel {
  return Object.fromEntries(Object.entries(label).filter(([name]) => !unread.some((part) => part === name)))
}
