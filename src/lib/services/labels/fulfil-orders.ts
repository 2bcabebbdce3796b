import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { LabelBatch } from './batch.ts'
import { makeLabel } from './create.ts'
import { LabelNotes } from './label-notes.ts'
import { labelFilesView } from './labels.result.ts'
import { OpenPurchases } from './open-purchases.ts'
import type { LabelTarget } from './output-target.ts'
import { PurchaseIntents } from './purchase-intents.ts'
import type { LabelOrders } from './requests.ts'
import { openShipmentLock } from './shipment-lock.ts'

/** Same as for downloads; retries keep to a rate limit. */
const CONCURRENCY = 8

export interface MakingFlags {
  another: boolean
  register?: boolean | undefined
  'buy-after-unknown'?: boolean | undefined
}

/** Makes or finds all labels, and prints them. @throws AppError that names every failure, in the end */
export async function fulfilOrders(
  { orders, skipped }: LabelOrders,
  { another, register, 'buy-after-unknown': buysAfterUnknown = false }: MakingFlags,
  target: LabelTarget,
  { context, connection }: { context: Context; connection: Pick<Connection, 'returns' | 'labels'> },
): Promise<void> {
  const labels = await connection.labels()
  const registers = register ?? (await context.settings()).registersLabels
  const lock = await openShipmentLock(context)
  const intents = await PurchaseIntents.open(context)
  const purchases = new OpenPurchases({ context, labels, intents, another, buysAfterUnknown })
  const notes = new LabelNotes(context, orders.length)
  const maker = { context, connection, target, labels, lock, notes, registers, intents, purchases }
  const batch = new LabelBatch(context, orders, {
    doing: 'Making labels',
    concurrency: CONCURRENCY,
    idOf: ({ request }) => request.clientShipmentId,
    nameOf: ({ parcel }) => parcel?.record.name,
    work: (order, progress) => makeLabel(maker, order, progress),
    skipped,
  })
  context.io.interruptOnTermination()
  try {
    await purchases.settle(orders)
    await batch.renderInto(target, labelFilesView)
  } finally {
    await notes.close()
  }
}
