import { pMapIterable } from 'p-map'
import type { MadeLabels } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/resource.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import type { PlannedRequest } from '../../output/result.ts'
import { existingNote } from './create.ts'
import { findLabel } from './find-label.ts'
import { PurchaseIntents } from './purchase-intents.ts'
import type { LabelOrder } from './requests.ts'

/** Prints the requests that would be sent, also without a service: what can't be looked up is said. */
export async function showLabelOrders(
  context: Context,
  connection: Pick<Connection, 'labels'>,
  orders: readonly LabelOrder[],
  another: boolean,
): Promise<void> {
  const planned: PlannedRequest[] = []
  const look = another ? async () => undefined : lookUntilLost(context, connection)
  const open = new Set(
    await (await PurchaseIntents.open(context)).among(orders, ({ request }) => request.clientShipmentId),
  )
  const found = pMapIterable(orders, async (order) => ({ order, existing: await look(order) }), LOOKUPS)
  for await (const { order, existing } of found) {
    const { request } = order
    if (existing) await context.note(existingNote(request.clientShipmentId, existing, true))
    else planned.push({ method: 'POST', path: '/shipping_labels', body: request })
    if (!existing && open.has(order)) await context.warn(openNote(request.clientShipmentId))
  }
  await context.showRequests(planned)
}

function openNote(id: string): string {
  return `${id}: another run may have bought a label. One that appears in time is taken; else it is bought after a yes, or with --buy-after-unknown`
}

/** Once a look has failed, the others are spared the wait. */
function lookUntilLost(
  context: Context,
  connection: Pick<Connection, 'labels'>,
): (order: LabelOrder) => Promise<MadeLabels | undefined> {
  let isLost = false
  return async (order) => {
    if (isLost) return undefined
    try {
      return await findLabel(order, context, await connection.labels())
    } catch (error) {
      if (!(error instanceof AppError) || ['usage', 'interrupted'].includes(error.kind)) throw error
      if (!isLost) await context.warn(`Whether there are labels already was not found out: ${error.message}`)
      isLost = true
      return undefined
    }
  }
}
