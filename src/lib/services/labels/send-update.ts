import { rm } from 'node:fs/promises'
import type { Context } from '../../cli/context.ts'
import {
  isOfKind,
  quotedWord,
  rethrowBug,
  rethrowUnless,
  rewordError,
  usageError,
  withHints,
} from '../../errors.ts'
import { labelDifferences, registeredLabels, withGivenFields } from '../../labels/request/registered-label.ts'
import type { LookupResult } from '../../wire/tracking/history.ts'
import { PART_NAMES } from './labels.result.ts'
import { type LabelChange, type PresentLabels, presentOfReturn } from './present-labels.ts'
import { keepUndo, platformOf, rewriteUndo, undoLine } from './undo.ts'

/** Writes the undo file first, as the process may be killed at any moment. */
export async function sendUpdate(change: LabelChange, context: Context) {
  const { body, present } = change
  context.progress.start('Updating the label')
  if (!present) {
    await context.warn('What the label had is not known, so that this update can not be undone from here')
    const answer = await put(change, context)
    return { ...answer, former: null, unread: null, undo: null }
  }
  const { transportId, returnId, labels: former, unread } = present
  const { shopCode, shipmentId, shipmentIdType, shippingLabels } = body
  const { profile, baseUrl } = await context.settings()
  const undo = {
    profile: profile?.value,
    platform: await platformOf(context),
    shopCode: shopCode ?? undefined,
    shipmentId,
    shipmentIdType,
    returnId,
    transportId,
    former,
    unread,
    left: registeredLabels(shippingLabels),
  }
  const path = await keepUndo(context, undo)
  // The file names profile and shop.
  const targetFlags = baseUrl?.source === 'flag' ? ` --base-url ${quotedWord(baseUrl.value)}` : ''
  const line = `${undoLine(path)}${targetFlags}`
  try {
    const answer = await put(change, context)
    const left = await leftBy(body, present, context)
    const isChanged = answer.reason !== 'duplicate' && labelDifferences(former, left, unread).length > 0
    if (isChanged)
      await rewriteUndo(path, context, { ...undo, left }).catch(async (error: unknown) => {
        rethrowBug(error)
        await context.warn(`The update was made, but its undo may be refused: ${error.message}`)
      })
    else await rm(path, { force: true })
    return { ...answer, former, unread, undo: isChanged ? line : null }
  } catch (error) {
    rethrowBug(error)
    // These errors mean that nothing has changed.
    if (isOfKind(error, 'rejected', 'not-found', 'auth', 'config', 'usage')) await rm(path, { force: true })
    rethrowUnless(error, 'unknown', 'interrupted')
    throw withHints(error, `if it was carried out, this undoes it: ${line}`)
  }
}

/**
 * Refuses if the label or its transport has changed during a question or between two attempts.
 * @throws AppError `usage`
 */
export async function refuseMoved({ present, body }: LabelChange, context: Context) {
  if (!present) return
  const now = await presentOfReturn(present.returnId, context)
  const isSame = now?.transportId === present.transportId
  if (isSame && labelDifferences(now.labels, present.labels, present.unread).length === 0) return
  const what = isSame ? 'The label' : 'The active transport'
  const { shipmentId, shopCode = present.shopCode } = body
  const look = await context.shellLine(['returns', 'transportations', shipmentId], shopCode)
  throw usageError(
    `${what} of ${shipmentId} is another one by now; nothing was sent.`,
    `see what is there now: ${look}`,
    'then run the same command again',
  )
}

async function put(change: LabelChange, context: Context) {
  const labels = await context.connection.labels()
  context.io.interruptOnTermination()
  const { acknowledgement, ...ending } = await labels
    .update(
      change.body,
      () => lookUpChange(change, context),
      () => refuseMoved(change, context),
    )
    .catch((error: unknown) => {
      // The platform may still carry out the pending attempt.
      if (!isOfKind(error, 'interrupted') || error.hints.length > 0) throw error
      throw rewordError(error, `Interrupted: the label of ${change.body.shipmentId} may have been updated.`)
    })
  if (ending.outcome === 'recovered')
    await context.warn('The answer got lost; the return shows that the update was made')
  return { ...acknowledgement, ...ending }
}

/** @returns `happened` only if the return shows all that was sent */
async function lookUpChange({ body, present }: LabelChange, context: Context): Promise<LookupResult> {
  const shown = present && (await presentOfReturn(present.returnId, context))
  if (!(present && shown) || shown.transportId !== present.transportId) return 'open'
  const sent = registeredLabels(withGivenFields(shown.labels, body.shippingLabels))
  const isAsSent = labelDifferences(shown.labels, sent, shown.unread).length === 0
  const unread = [...present.unread, ...shown.unread]
  const isAsBefore = labelDifferences(shown.labels, present.labels, unread).length === 0
  if (isAsSent !== isAsBefore) return isAsSent ? 'happened' : 'not-happened'
  // The update asked for present values, or changes fields that can't be read.
  return isAsSent && unread.length === 0 ? 'happened' : 'open'
}

async function leftBy(
  { shippingLabels }: LabelChange['body'],
  { returnId, transportId }: PresentLabels,
  context: Context,
) {
  const shown = await presentOfReturn(returnId, context).catch(rethrowBug)
  if (shown?.transportId !== transportId) return registeredLabels(shippingLabels)
  const left = registeredLabels(withGivenFields(shown.labels, shippingLabels))
  const [wrong] = labelDifferences(shown.labels, left, shown.unread)
  if (wrong) {
    const { field, one, other } = wrong
    await context.warn(`The platform shows ${one || 'nothing'} as ${PART_NAMES[field]}, and not ${other}`)
  }
  return left
}
