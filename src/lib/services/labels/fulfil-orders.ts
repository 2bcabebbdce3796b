import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { LabelBatch } from './batch.ts'
import { makeLabel } from './create.ts'
import { LabelNotes } from './label-notes.ts'
import { labelFilesView } from './labels.result.ts'
import type { LabelTarget } from './output-target.ts'
import type { LabelOrders } from './requests.ts'
import { openShipmentLock } from './shipment-lock.ts'

/** As many as downloads; a rate limit is kept to by the retries. */
const CONCURRENCY = 8

export interface MakingFlags {
  another: boolean
  register?: boolean | undefined
}

/** Makes or finds all labels, and prints them. @throws AppError that names every failure, in the end */
export async function fulfilOrders(
  { orders, skipped }: LabelOrders,
  { another, register }: MakingFlags,
  target: LabelTarget,
  { context, connection }: { context: Context; connection: Pick<Connection, 'returns' | 'labels'> },
): Promise<void> {
  const labels = await connection.labels()
  const registers = register ?? (await context.settings()).registersLabels
  const lock = await openShipmentLock(context)
  const notes = new LabelNotes(context, orders.length)
  const maker = { context, connection, target, labels, lock, notes, another, registers }
  const batch = new LabelBatch(context, orders, {
    doing: 'Making labels',
    concurrency: CONCURRENCY,
    idOf: ({ request }) => request.clientShipmentId,
    nameOf: ({ parcel }) => parcel?.record.name,
    work: (order, progress) => makeLabel(maker, order, progress),
    skipped,
  })
  try {
    await batch.renderInto(target, labelFilesView)
  } finally {
    await notes.close()
  }
}
