import type { LabelsApi, MadeLabels } from '../../api/labels.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, rewordError } from '../../errors.ts'
import type { ItemProgress, LabelFile } from './batch.ts'
import type { LabelNotes } from './label-notes.ts'
import type { OpenPurchases } from './open-purchases.ts'
import type { LabelTarget } from './output-target.ts'
import type { PurchaseIntents } from './purchase-intents.ts'
import { enterCode } from './register.ts'
import type { LabelOrder } from './requests.ts'
import { codesOf } from './return-parcel.ts'
import type { ShipmentLock } from './shipment-lock.ts'

export interface LabelMaker {
  context: Context
  connection: Pick<Connection, 'returns' | 'labels'>
  labels: LabelsApi
  target: LabelTarget
  lock: ShipmentLock
  notes: LabelNotes
  registers: boolean
  intents: PurchaseIntents
  purchases: OpenPurchases
}

/** Makes or finds one label, saves it, and sees that its return shows it; a failure of that last step is reported. */
export async function makeLabel(
  maker: LabelMaker,
  order: LabelOrder,
  progress: ItemProgress,
): Promise<LabelFile[]> {
  let end: (() => void) | undefined
  const begin = () => {
    end ??= maker.context.beginPurchase()
  }
  try {
    return await makeAndSave(maker, order, progress, begin)
  } finally {
    end?.()
  }
}

async function makeAndSave(
  maker: LabelMaker,
  order: LabelOrder,
  { beginSaving, report }: ItemProgress,
  begin: () => void,
): Promise<LabelFile[]> {
  const { context } = maker
  const { request, parcel } = order
  const id = request.clientShipmentId
  const made = await maker.lock(id, () => makeOrFind(maker, order, begin))
  const isExisting = made.outcome === 'existing'
  if (isExisting) await maker.notes.note('existing', existingNote(id, made))
  if (made.outcome === 'recovered') {
    await context.note(`${id}: no answer said so, but the label was made; it is taken, and not made again`)
  }
  beginSaving()
  const files = await saveMade(maker, order, made)
  const other = files.find(({ format, source }) => source !== 'label-free' && format !== request.labelFormat)
  if (other)
    await context.note(`${id}: ${request.labelFormat} was asked for, but the label is ${other.format}`)
  if (!isExisting) await tellOfTwins(maker, order, made)
  const entered = parcel && (await enterCode(maker, parcel, made, report))
  return files.map((file) => ({
    ...file,
    ...(isExisting ? { source: 'existing' } : {}),
    outcome: made.outcome,
    ...entered,
  }))
}

/** `SHP-1 has a label already`, and what that means, or would mean. */
export function existingNote(id: string, { set, sets }: MadeLabels, isDryRun = false): string {
  const which = sets > 1 ? `${sets} labels already; the newest` : 'a label already; that one'
  const codes = codesOf(set)
  const code = codes.length > 0 ? ` (${codes.join(', ')})` : ''
  const done = isDryRun ? 'would be saved, none would be made' : 'is saved, none was made'
  return `${id} has ${which}${code} ${done} (--another makes one more)`
}

/** Notes the purchase down before it is sent; what stays noted down is open, and looked for by the next run. */
async function makeOrFind(
  { context, labels, target, intents, purchases }: LabelMaker,
  order: LabelOrder,
  begin: () => void,
): Promise<MadeLabels> {
  const { request } = order
  const id = request.clientShipmentId
  let isSent = false
  try {
    const made = await labels.create(request, {
      existing: (own) => purchases.existing(own, order),
      beforeSend: async (sets) => {
        await target.checkFree(id)
        begin()
        await intents.write(id, sets)
        isSent = true
      },
      noRepeat: context.io.interrupt,
    })
    if (isSent) intents.remove(id)
    return made
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (isSent && error.kind === 'unknown') intents.markUnknown(id)
    if (isSent && !['unknown', 'interrupted'].includes(error.kind)) intents.remove(id)
    if (error.kind === 'unavailable') context.assertNotInterrupted()
    throw withCustomsHint(error)
  }
}

/** Returns carry no customs codes, so that a request made of one lacks them at a customs border. */
function withCustomsHint(error: AppError): AppError {
  if (error.kind !== 'rejected') return error
  if (!/customs/i.test(JSON.stringify(error.details))) return error
  const hint =
    'declare the goods: --goods FILE, or --hs-code CODE --origin-country CODE, with --for, else items of the parcels'
  return rewordError(error, error.message, { hints: [...error.hints, hint] })
}

/** The label is paid for by now: whatever keeps it from the disk, the way to it is told. */
async function saveMade(
  { context, target }: LabelMaker,
  { request: { clientShipmentId: id, shopCode } }: LabelOrder,
  made: MadeLabels,
) {
  try {
    return await target.save(made.set, id)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
    const { message, hints } = error
    const isExisting = made.outcome === 'existing'
    const words = ['labels', 'download', id, '--out', 'FOLDER']
    const download = `get it without making another: ${await context.shellLine(words, shopCode ?? undefined)}`
    throw rewordError(error, `${message} The label itself ${isExisting ? 'exists' : 'was made'}.`, {
      hints: made.sets > 0 ? [...hints, download] : hints,
    })
  }
}

/** Warns of labels that two machines made for one shipment, so that one of them can be cancelled. */
async function tellOfTwins(
  { context, labels }: LabelMaker,
  { request: { clientShipmentId: id, shopCode } }: LabelOrder,
  made: MadeLabels,
): Promise<void> {
  // The label is there whether or not this can be told.
  const sets = await labels.find(id, shopCode).catch(appErrorOnly)
  const twins = sets?.slice(made.sets - 1) ?? []
  if (twins.length < 2) return
  const codes = [...new Set([made.set, ...twins].flatMap(codesOf))]
  await context.warn(
    `${id}: ${twins.length} labels were made at once, ${codes.join(' and ')}: somebody else made one too. ` +
      'Cancel what is not needed with the carrier.',
  )
}

function appErrorOnly(error: unknown): undefined {
  if (!(error instanceof AppError)) throw error
}
