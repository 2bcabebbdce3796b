import { TRACKING_PATH } from '../../api/tracking.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { isOfKind, rethrowUnless, rewordError, usageError } from '../../errors.ts'
import { isTransportStatus } from '../../wire/enumerations.ts'
import { canonicalName, isPlainName } from '../../wire/return-names.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import { fullCode } from '../mirror/mirror-file.ts'
import { fileFlags, type OneFlags, oneFlags } from './push-flags.ts'
import { destinationOf, rulesOf } from './push-job.ts'
import { NOT_APPLIED, trackingPushDetails, trackingPushView } from './tracking.result.ts'
import { type UpdateFields, updateFromFlags } from './update.ts'

/** Refuses flags that would do nothing. */
export function assertFits(shipment: string | undefined, flags: object) {
  const others = Object.keys(shipment === undefined ? oneFlags : fileFlags)
  const given = Object.entries(flags)
    .filter(([flag, value]) => others.includes(flag) && value !== undefined)
    .map(([flag]) => `--${flag}`)
  if (given.length === 0) return
  const what = shipment === undefined ? 'goes with a shipment' : 'does not go with a shipment'
  throw usageError(
    `${given.join(', ')} ${what}.`,
    "one update: rma tracking push 'R#-1001' --status SHIPPING_IN_PROGRESS",
    'a file of them: rma tracking push --file updates.csv',
  )
}

/** Dates the update by the platform's clock where that matters. */
async function datedUpdate(context: Context, fields: UpdateFields, flags: OneFlags) {
  const rules = await rulesOf(context, flags)
  let doubt: string | undefined
  const onLocalTime = (note: string | undefined) => {
    rules.onLocalTime?.(note)
    doubt = note
  }
  const options = { ...rules, onLocalTime }
  const { timing } = updateFromFlags(fields, { ...options, allowsFuture: true })
  const asks = timing === 'future' || (timing === 'undated' && !flags['dry-run'])
  const { sandboxNow = options.now } = asks ? await destinationOf(context)() : {}
  const { update } = updateFromFlags(fields, { ...options, now: sandboxNow })
  if (doubt !== undefined) await context.warn(doubt)
  return update
}

/**
 * Finds the return's name, which names a shipment (spec §4.1), and its shop. A plain name is looked up only if the
 * token is for several shops.
 */
async function shipmentOf(text: string, isDryRun: boolean | undefined, context: Context) {
  const settings = await context.settingsWithToken()
  const { isSandbox, shop } = settings
  const { shops } = merchantOf(settings)
  const isPlain = isPlainName(text.trim())
  // The token of the built-in sandbox is for all of its shops.
  const isOneShop = shops.length === 1 || (shops.length === 0 && !isSandbox)
  if (isPlain && isOneShop) return { named: { shipmentId: text.trim() } }
  try {
    const { record, transportId } = await (await context.connection.lookup()).oneToUpdate(text)
    return {
      named: { shipmentId: record.name, shopCode: record.shopCode || shop?.value },
      transportId,
    }
  } catch (error) {
    // A dry run can show a request without its shop.
    const isLost = isOfKind(error, 'not-found', 'unavailable')
    if (isPlain && isDryRun && isLost) return { named: { shipmentId: text.trim() } }
    throw error
  }
}

/** Pushes; after Ctrl-C the platform may still apply the request. */
async function pushed(
  request: TrackingRequest,
  transportId: string | undefined,
  find: () => Promise<unknown>,
  context: Context,
) {
  const tracking = await context.connection.tracking()
  context.io.interruptOnTermination()
  try {
    // The transport may end while a question is open, or between two attempts.
    return await tracking.push(request, transportId, transportId === undefined ? undefined : find)
  } catch (error) {
    rethrowUnless(error, 'interrupted')
    const look = await context.shellLine(['returns', 'transportations', request.shipmentId], request.shopCode)
    throw rewordError(error, `Interrupted: the update of ${request.shipmentId} may have been applied.`, {
      hints: [`see what the platform has: ${look}`],
    })
  }
}

/** @throws AppError `usage` with everything that is wrong; `unknown` if the outcome can't be found out */
export async function pushOne(context: Context, shipment: string, flags: OneFlags) {
  await context.checkOutput(trackingPushView)
  const fields: UpdateFields = {
    shipmentId: canonicalName(shipment),
    trackingStatus: flags.status,
    carrierName: flags.carrier && (await fullCode('--carrier', flags.carrier, context)),
    trackingNumber: flags.number,
    trackingUrl: flags.url,
    trackingStatusDescription: flags.description,
    trackingDate: flags.date,
  }
  const checked = await datedUpdate(context, fields, flags)
  const find = () => shipmentOf(shipment, flags['dry-run'], context)
  const { named, transportId } = await find()
  const request = { ...checked, ...named }
  if (!isTransportStatus(request.trackingStatus)) {
    await context.warn(`The specification does not know the status ${request.trackingStatus}`)
  }
  if (flags['dry-run']) return context.showRequests([{ method: 'POST', path: TRACKING_PATH, body: request }])
  await context.questions.confirmWrite(`Send ${request.trackingStatus} for ${request.shipmentId}`, flags.yes)
  context.progress.start('Sending')
  const { acknowledgement, ...ending } = await pushed(request, transportId, find, context)
  if (ending.outcome === 'recovered')
    await context.warn('The answer got lost; the return shows that the update was applied')
  const record = { ...acknowledgement, ...ending, request }
  await context.render({ kind: 'record', record, view: trackingPushView, details: trackingPushDetails })
  const { trackingStatus, shipmentId } = request
  await context.done(
    ending.reason
      ? `nothing changed: ${NOT_APPLIED[ending.reason]}`
      : `${trackingStatus} is sent for ${shipmentId}`,
  )
}
