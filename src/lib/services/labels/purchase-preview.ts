import pMap, { pMapIterable } from 'p-map'
import type { MadeLabels } from '../../api/labels.ts'
import { LOOKUP_LIMITS } from '../../api/resource.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { hasFiles } from '../../labels/folder/served-labels.ts'
import type { PlannedRequest } from '../../output/result.ts'
import { counted } from '../../wire/counted.ts'
import { PurchaseIntents } from './purchase-intents.ts'
import { existingNote, onlyRegistered } from './register.ts'
import type { WantedLabel } from './requests.ts'
import { findLabel } from './return-parcel.ts'

/** `47 exist, 8 are to be bought. Buy 8` */
export async function purchaseInWords(context: Context, wanted: readonly WantedLabel[], another: boolean) {
  context.progress.start('Looking for labels that exist')
  const found = await pMap(wanted, lookUntilFailure(context, false), LOOKUP_LIMITS)
  const existing = found.filter((label) => label !== undefined).length
  const bought = another ? wanted.length : wanted.length - existing
  if (existing === 0) return `Buy ${counted(bought, 'label')}`
  const exist = counted(existing, 'exists', 'exist')
  if (bought === 0) return `${exist}, none is to be bought. Save ${existing}`
  const more = another ? 'more ' : ''
  return `${exist}, ${counted(bought, `${more}is`, `${more}are`)} to be bought. Buy ${bought}`
}

export async function showRequests(context: Context, all: readonly WantedLabel[], another: boolean) {
  const planned: PlannedRequest[] = []
  const look = lookUntilFailure(context, another)
  const intents = await PurchaseIntents.open(context)
  const found = pMapIterable(all, async (wanted) => ({ wanted, existing: await look(wanted) }), LOOKUP_LIMITS)
  for await (const { wanted, existing } of found) {
    const { request } = wanted
    const id = request.clientShipmentId
    const isBought = existing && intents.hasMade(request, existing.set, existing.sets)
    if (existing && all.length === 1 && !isBought && !hasFiles(existing.set))
      throw onlyRegistered(id, existing)
    if (existing) await context.note(existingNote(id, existing, true))
    else planned.push({ method: 'POST', path: '/shipping_labels', body: request })
    if (existing || !intents.read(request)) continue
    await context.warn(
      `${id}: another run may have bought a label. If it appears, it is saved. ` +
        'If not, rma asks before it buys one, or buys it with --buy-after-unknown',
    )
  }
  await context.showRequests(planned)
}

/** Looks for existing labels. After one failure it skips the others. */
function lookUntilFailure(context: Context, another: boolean) {
  let isSkipped = another
  return async (wanted: WantedLabel): Promise<MadeLabels | undefined> => {
    if (isSkipped) return undefined
    try {
      return await findLabel(wanted, context, await context.connection.labels())
    } catch (error) {
      if (!(error instanceof AppError) || ['usage', 'interrupted'].includes(error.kind)) throw error
      if (!isSkipped) await context.warn(`Existing labels could not be looked up: ${error.message}`)
      isSkipped = true
      return undefined
    }
  }
}
