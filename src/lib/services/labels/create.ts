import { codesOf, type MadeLabels } from '../../api/labels.ts'
import type { Context } from '../../cli/context.ts'
import { rethrowBug, rethrowInterruption, rewordError, withHints } from '../../errors.ts'
import { hasFiles } from '../../labels/folder/served-labels.ts'
import { counted } from '../../wire/counted.ts'
import { type ItemProgress, LabelBatch, type LabelFile } from './batch.ts'
import { OpenPurchases } from './open-purchases.ts'
import type { LabelTarget } from './output-target.ts'
import { openShipmentLock, PurchaseIntents } from './purchase-intents.ts'
import { codesNote, enterCode, existingNote, LabelNotes, onlyRegistered, type Registrar } from './register.ts'
import type { WantedLabel, WantedLabels } from './requests.ts'
import { assertUnderWay, type CreateFlags } from './return-parcel.ts'

/** Like downloads. Retries obey the rate limit. */
const CONCURRENCY = 8

interface LabelMaker extends Registrar {
  another: boolean
  evenIfEnded: boolean
  target: LabelTarget
  lock: Awaited<ReturnType<typeof openShipmentLock>>
  intents: PurchaseIntents
  purchases: OpenPurchases
}

/** @throws AppError at the end, naming every failure */
export async function buyLabels(
  { wanted, skipped }: WantedLabels,
  flags: CreateFlags,
  target: LabelTarget,
  context: Context,
) {
  const labels = await context.connection.labels()
  const registers = flags.register ?? (await context.settings()).registersLabels
  const lock = await openShipmentLock(context)
  const intents = await PurchaseIntents.open(context)
  const { another, 'buy-after-unknown': buysAfterUnknown } = flags
  const purchases = new OpenPurchases({ context, labels, intents, another, buysAfterUnknown })
  const notes = new LabelNotes(context, wanted.length)
  const evenIfEnded = another || flags['even-if-ended']
  const maker = { another, evenIfEnded, context, target, labels, lock, notes, registers, intents, purchases }
  const batch = new LabelBatch(context, wanted, {
    doing: 'Making labels',
    concurrency: CONCURRENCY,
    idOf: ({ request }) => request.clientShipmentId,
    nameOf: ({ parcel }) => parcel?.record.name,
    work: (one, progress) => makeLabel(maker, one, progress),
    skipped,
    ...(another &&
      flags.force && { goOn: 'run it again without --force: it buys only where there is no file yet' }),
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
    // Held until the label is saved, or another run would think this one was killed.
    const { made, files } = await maker.lock(id, async () => {
      const made = await makeOrFind(maker, wanted, () => {
        endPurchase ??= context.beginPurchase()
      })
      await noteRetriedPurchase(maker, request, made)
      beginSaving()
      return { made, files: await saveMade(maker, wanted, made) }
    })
    const isExisting = made.outcome === 'existing'
    if (isExisting) {
      const bought = `${id}: the label${codesNote(made.set)} that an earlier run bought is saved, none was made`
      await maker.notes.note('existing', maker.another ? bought : existingNote(id, made))
    }
    const other = files.find(
      ({ format, source }) => source !== 'label-free' && format !== request.labelFormat,
    )
    if (other)
      await context.note(`${id}: ${request.labelFormat} was asked for, but the label is ${other.format}`)
    const [asked, got] = [request.parcels?.length ?? 1, made.set.shippingLabels.length]
    if (!isExisting && got < asked)
      await context.warn(`${id}: ${asked} parcels were sent, and ${counted(got, 'label')} came back`)
    if (!isExisting) await warnOfTwins(maker, wanted, made)
    const entered = parcel && (await enterCode(maker, parcel, made, report))
    const outcome = { ...(isExisting && { source: 'existing' as const }), outcome: made.outcome }
    return files.map((file) => ({ ...file, ...outcome, ...entered }))
  } finally {
    endPurchase?.()
  }
}

async function noteRetriedPurchase(
  { context }: LabelMaker,
  { clientShipmentId: id, shopCode }: WantedLabel['request'],
  { isRepeated, outcome }: MadeLabels,
) {
  if (isRepeated) {
    const get = await context.shellLine(['labels', 'get', id], shopCode)
    return context.warn(
      `${id}: the label was asked for again after a 503, and both requests may have made one. See in a minute: ${get}`,
    )
  }
  if (outcome === 'recovered')
    await context.note(`${id}: the answer got lost, but the label was made, and is not made again`)
}

/** Writes the purchase intent before sending: after a crash the next run looks for the label. */
async function makeOrFind(
  { context, labels, target, intents, purchases, evenIfEnded }: LabelMaker,
  wanted: WantedLabel,
  begin: () => void,
) {
  const { request, parcel } = wanted
  let isSent = false
  try {
    return await labels.create(request, {
      existing: (own) => purchases.existing(own, wanted),
      beforeSend: async (known) => {
        if (parcel && !evenIfEnded) await assertUnderWay(parcel, context)
        await target.checkFree(request)
        begin()
        await intents.write(request, known)
        isSent = true
      },
      noRepeat: context.io.interrupt,
    })
  } catch (error) {
    rethrowBug(error)
    if (isSent && !['unknown', 'interrupted'].includes(error.kind)) await intents.remove(request)
    if (error.kind === 'unavailable') context.assertNotInterrupted()
    if (error.kind !== 'rejected' || !/customs/i.test(JSON.stringify(error.details))) throw error
    // Returns lack the codes that customs require.
    const hint =
      'declare the goods: --goods FILE, or --hs-code CODE --origin-country CODE, with --for, else items of the parcels'
    throw withHints(error, hint)
  }
}

/** Saves a paid label. A failure names the command that fetches it. */
async function saveMade(maker: LabelMaker, wanted: WantedLabel, made: MadeLabels) {
  const { another, context, target, purchases } = maker
  const { clientShipmentId: id, shopCode } = wanted.request
  try {
    const files = await target.save(made.set, id, shopCode)
    await purchases.endSaved(wanted, made)
    return files
  } catch (error) {
    rethrowInterruption(error)
    const line = await context.shellLine(['labels', 'download', id, '--out', 'FOLDER'], shopCode)
    const { message, hints } = error
    const isExisting = made.outcome === 'existing'
    const [isBought, isFileThere] = [purchases.isBought(wanted, made), hasFiles(made.set)]
    if (!isBought && !isFileThere) throw onlyRegistered(id, made, ...hints)
    const isGivenUp = isExisting && isFileThere && another && error.kind === 'contract'
    if (isGivenUp) await purchases.endSaved(wanted, made)
    throw rewordError(error, `${message} The label itself ${isExisting ? 'exists' : 'was made'}.`, {
      // Other kinds would mean that no label was made.
      kind: isExisting && isFileThere ? error.kind : 'partial',
      hints: [
        ...(isGivenUp ? ['the same once more buys another'] : hints),
        ...(isExisting && another && !isFileThere ? [GIVE_UP] : []),
        ...(made.sets > 0 ? [`get it without making another: ${line}`] : []),
      ],
    })
  }
}

const GIVE_UP = 'if the carrier has none: --another --buy-after-unknown buys one more'

/** Warns if two machines bought labels for one shipment. */
async function warnOfTwins(
  { context, labels }: LabelMaker,
  { request: { clientShipmentId: id, shopCode } }: WantedLabel,
  made: MadeLabels,
) {
  // A failed look-up must not fail the purchase.
  const sets = await labels.find(id, shopCode).catch(rethrowBug)
  const twins = sets?.slice(made.sets - 1) ?? []
  if (twins.length < 2) return
  const codes = [...new Set([made.set, ...twins].flatMap(codesOf))]
  await context.warn(
    `${id}: ${twins.length} labels were made at once, ${codes.join(' and ')}: somebody else made one too. ` +
      'Cancel what is not needed with the carrier.',
  )
}
