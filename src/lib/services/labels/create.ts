import pMap, { pMapIterable } from 'p-map'
import type { MadeLabels } from '../../api/labels.ts'
import { LOOKUPS } from '../../api/resource.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, isFailure, rewordError } from '../../errors.ts'
import type { PlannedRequest } from '../../output/result.ts'
import { counted } from '../../wire/counted.ts'
import { type ItemProgress, LabelBatch, type LabelFile } from './batch.ts'
import { OpenPurchases } from './open-purchases.ts'
import type { LabelTarget } from './output-target.ts'
import { openShipmentLock, PurchaseIntents } from './purchase-intents.ts'
import { enterCode, LabelNotes, type Registrar } from './register.ts'
import type { WantedLabel, WantedLabels } from './requests.ts'
import { type CreateFlags, codesOf, findLabel } from './return-parcel.ts'

/** Same as for downloads; retries keep to a rate limit. */
const CONCURRENCY = 8

interface LabelMaker extends Registrar {
  target: LabelTarget
  lock: Awaited<ReturnType<typeof openShipmentLock>>
  intents: PurchaseIntents
  purchases: OpenPurchases
}

/** Another label for what has ended may be a mistake. */
export async function confirmEnded(
  { questions }: Context,
  wanted: readonly WantedLabel[],
  flags: CreateFlags,
): Promise<void> {
  if (flags['even-if-ended'] || flags.yes) return
  for (const { parcel } of wanted) {
    if (parcel?.ended === undefined) continue
    const reason = `${parcel.record.name}: ${parcel.ended}`
    await questions.askToSend(`${reason}. Make another label all the same?`, reason, [
      '--even-if-ended makes another label all the same',
      '--dry-run shows what would be sent',
    ])
  }
}

/** @throws AppError that names every failure, in the end */
export async function buyLabels(
  { wanted, skipped }: WantedLabels,
  flags: CreateFlags,
  target: LabelTarget,
  context: Context,
): Promise<void> {
  const labels = await context.connection.labels()
  const registers = flags.register ?? (await context.settings()).registersLabels
  const lock = await openShipmentLock(context)
  const intents = await PurchaseIntents.open(context)
  const { another, 'buy-after-unknown': buysAfterUnknown } = flags
  const purchases = new OpenPurchases({ context, labels, intents, another, buysAfterUnknown })
  const notes = new LabelNotes(context, wanted.length)
  const maker = { context, target, labels, lock, notes, registers, intents, purchases }
  const batch = new LabelBatch(context, wanted, {
    doing: 'Making labels',
    concurrency: CONCURRENCY,
    idOf: ({ request }) => request.clientShipmentId,
    nameOf: ({ parcel }) => parcel?.record.name,
    work: (one, progress) => makeLabel(maker, one, progress),
    skipped,
  })
  context.io.interruptOnTermination()
  try {
    await purchases.settle(wanted)
    await batch.renderInto(target)
  } finally {
    await notes.close()
  }
}

async function makeLabel(
  maker: LabelMaker,
  wanted: WantedLabel,
  { beginSaving, report }: ItemProgress,
): Promise<LabelFile[]> {
  const { context } = maker
  const { request, parcel } = wanted
  const id = request.clientShipmentId
  let endPurchase: (() => void) | undefined
  try {
    const made = await maker.lock(id, () =>
      makeOrFind(maker, wanted, () => {
        endPurchase ??= context.beginPurchase()
      }),
    )
    const isExisting = made.outcome === 'existing'
    if (isExisting) await maker.notes.note('existing', existingNote(id, made))
    if (made.outcome === 'recovered') {
      await context.note(`${id}: no answer said so, but the label was made; it is taken, and not made again`)
    }
    beginSaving()
    const files = await saveMade(maker, wanted, made)
    const other = files.find(
      ({ format, source }) => source !== 'label-free' && format !== request.labelFormat,
    )
    if (other)
      await context.note(`${id}: ${request.labelFormat} was asked for, but the label is ${other.format}`)
    if (!isExisting) await warnOfTwins(maker, wanted, made)
    const entered = parcel && (await enterCode(maker, parcel, made, report))
    const outcome = { ...(isExisting && { source: 'existing' as const }), outcome: made.outcome }
    return files.map((file) => ({ ...file, ...outcome, ...entered }))
  } finally {
    endPurchase?.()
  }
}

/** `SHP-1 has a label already`, and what that means, or would mean. */
function existingNote(id: string, { set, sets }: MadeLabels, isDryRun = false): string {
  const which = sets > 1 ? `${sets} labels already; the newest` : 'a label already; that one'
  const codes = codesOf(set)
  const code = codes.length > 0 ? ` (${codes.join(', ')})` : ''
  const done = isDryRun ? 'would be saved, none would be made' : 'is saved, none was made'
  return `${id} has ${which}${code} ${done} (--another makes one more)`
}

/** Notes the purchase down before it is sent. Open ones are looked for by the next run. */
async function makeOrFind(
  { context, labels, target, intents, purchases }: LabelMaker,
  wanted: WantedLabel,
  begin: () => void,
): Promise<MadeLabels> {
  const { request } = wanted
  const id = request.clientShipmentId
  let isSent = false
  try {
    const made = await labels.create(request, {
      existing: (own) => purchases.existing(own, wanted),
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
    if (error.kind !== 'rejected' || !/customs/i.test(JSON.stringify(error.details))) throw error
    // Returns carry no customs codes, which requests at a customs border need.
    const hint =
      'declare the goods: --goods FILE, or --hs-code CODE --origin-country CODE, with --for, else items of the parcels'
    throw rewordError(error, error.message, { hints: [...error.hints, hint] })
  }
}

/** The label is paid for: an error that keeps it from the disk names the command that fetches it. */
async function saveMade({ context, target }: LabelMaker, { request }: WantedLabel, made: MadeLabels) {
  const { clientShipmentId: id, shopCode } = request
  try {
    return await target.save(made.set, id)
  } catch (error) {
    if (!isFailure(error)) throw error
    const { message, hints } = error
    const words = ['labels', 'download', id, '--out', 'FOLDER']
    const download = `get it without making another: ${await context.shellLine(words, shopCode)}`
    const is = made.outcome === 'existing' ? 'exists' : 'was made'
    throw rewordError(error, `${message} The label itself ${is}.`, {
      hints: made.sets > 0 ? [...hints, download] : hints,
    })
  }
}

/** Warns of labels that two machines made for one shipment. */
async function warnOfTwins(
  { context, labels }: LabelMaker,
  { request: { clientShipmentId: id, shopCode } }: WantedLabel,
  made: MadeLabels,
): Promise<void> {
  // The label exists even if this look-up fails.
  const sets = await labels.find(id, shopCode).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error
  })
  const twins = sets?.slice(made.sets - 1) ?? []
  if (twins.length < 2) return
  const codes = [...new Set([made.set, ...twins].flatMap(codesOf))]
  await context.warn(
    `${id}: ${twins.length} labels were made at once, ${codes.join(' and ')}: somebody else made one too. ` +
      'Cancel what is not needed with the carrier.',
  )
}

/** `47 exist, 8 are to be bought. Buy 8` */
export async function purchaseInWords(
  context: Context,
  wanted: readonly WantedLabel[],
  another: boolean,
): Promise<string> {
  context.progress.start('Looking for labels that exist')
  const look = another ? async () => undefined : lookUntilLost(context)
  const found = await pMap(wanted, look, LOOKUPS)
  const existing = found.filter((label) => label !== undefined).length
  const bought = wanted.length - existing
  if (existing === 0) return `Buy ${counted(bought, 'label')}`
  const exist = counted(existing, 'exists', 'exist')
  if (bought === 0) return `${exist}, none is to be bought. Save ${existing}`
  return `${exist}, ${bought} ${bought === 1 ? 'is' : 'are'} to be bought. Buy ${bought}`
}

export async function showRequests(
  context: Context,
  all: readonly WantedLabel[],
  another: boolean,
): Promise<void> {
  const planned: PlannedRequest[] = []
  const look = another ? async () => undefined : lookUntilLost(context)
  const open = new Set(await (await PurchaseIntents.open(context)).among(all))
  const found = pMapIterable(all, async (wanted) => ({ wanted, existing: await look(wanted) }), LOOKUPS)
  for await (const { wanted, existing } of found) {
    const { request } = wanted
    const id = request.clientShipmentId
    if (existing) await context.note(existingNote(id, existing, true))
    else planned.push({ method: 'POST', path: '/shipping_labels', body: request })
    if (existing || !open.has(wanted)) continue
    await context.warn(
      `${id}: another run may have bought a label. One that appears in time is taken; else it is bought after a yes, or with --buy-after-unknown`,
    )
  }
  await context.showRequests(planned)
}

/** Once a look has failed, the others are spared the wait. */
function lookUntilLost(context: Context) {
  let isLost = false
  return async (wanted: WantedLabel): Promise<MadeLabels | undefined> => {
    if (isLost) return undefined
    try {
      return await findLabel(wanted, context, await context.connection.labels())
    } catch (error) {
      if (!(error instanceof AppError) || ['usage', 'interrupted'].includes(error.kind)) throw error
      if (!isLost) await context.warn(`Whether there are labels already was not found out: ${error.message}`)
      isLost = true
      return undefined
    }
  }
}
