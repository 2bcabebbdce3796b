import { rm } from 'node:fs/promises'
import { confirmWrite, showRequests } from '../../cli/confirm-write.ts'
import type { Context } from '../../cli/context.ts'
import { ask, canAsk } from '../../cli/question.ts'
import { quotedWord } from '../../cli/shell-line.ts'
import { AppError, type ErrorKind, rewordError } from '../../errors.ts'
import {
  LABEL_FIELDS,
  type LabelPart,
  labelDifferences,
  leadingTo,
  type RegisteredLabel,
  registeredLabels,
  withNamed,
} from '../../labels/registered-label.ts'
import { labelUpdateDetails, labelUpdateView, PART_NAMES } from '../../output/views/labels.ts'
import type { LabelUpdate } from '../../wire/labels.ts'
import { type PresentLabels, presentOf, readPresent } from './present-values.ts'
import { keepUndo, type LabelUndo, readUndo, rewriteUndo } from './undo.ts'
import { type LabelFlags, type NamedUpdate, readNamedUpdate } from './update-request.ts'

export interface UpdateFlags extends LabelFlags {
  replace?: boolean | undefined
  undo?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

/** An update that is to be sent, and what it replaces as far as that could be read. */
interface LabelChange {
  body: NamedUpdate
  present: PresentLabels | undefined
  /** What is neither sent nor known. */
  mayEmpty: readonly LabelPart[]
}

/** Updates the label of a shipment, or undoes an update, and prints what was there and how it comes back. */
export async function updateLabel(
  shipment: string | undefined,
  flags: UpdateFlags,
  context: Context,
): Promise<void> {
  const undo = await undoOf(shipment, flags, context)
  await context.checkOutput(labelUpdateView)
  const change = undo ? await undoingChange(undo, context) : await namedChange(shipment ?? '', flags, context)
  if (flags['dry-run']) {
    const { body } = change
    return showRequests(context, [{ method: 'PUT', path: '/shipping_labels', body }])
  }
  await confirmChange(change, flags.yes, context)
  const record = await carryOut(change, context)
  await context.render({ kind: 'record', record, view: labelUpdateView, details: labelUpdateDetails })
}

/** The update that is to be undone; undefined if a shipment is named instead. @throws AppError `usage` for both, or none */
async function undoOf(
  shipment: string | undefined,
  { undo }: UpdateFlags,
  context: Context,
): Promise<LabelUndo | undefined> {
  if ((shipment === undefined) === (undo !== undefined))
    return undo === undefined ? undo : readUndo(undo, context)
  const message =
    undo === undefined ? 'Which shipment should be updated?' : '--undo FILE names the shipment itself.'
  throw new AppError('usage', message, {
    hints: ["rma labels update 'R#-1001' --tracking-code CODE", 'rma labels update --undo FILE'],
  })
}

async function namedChange(shipment: string, flags: UpdateFlags, context: Context): Promise<LabelChange> {
  const named = await readNamedUpdate(shipment, flags, context)
  context.progress.start('Reading what the label has now')
  const present = flags.replace ? await readIfPossible(named, context) : await readPresent(named, context)
  const { shopCode = present?.shopCode, shippingLabels, ...rest } = named
  const labels = flags.replace ? shippingLabels : withNamed(present?.labels ?? [], shippingLabels)
  const unread = present?.unread ?? [...LABEL_FIELDS, 'otherParcels' as const]
  return {
    body: { ...(shopCode && { shopCode }), ...rest, shippingLabels: labels },
    present,
    mayEmpty: flags.replace ? [] : unread.filter((part) => !isSent(part, labels)),
  }
}

/** With `--replace` nothing is sent along, so that only the undo needs what is there. */
async function readIfPossible(named: NamedUpdate, context: Context): Promise<PresentLabels | undefined> {
  try {
    return await readPresent(named, context)
  } catch (error) {
    if (!(error instanceof AppError) || ['interrupted', 'auth', 'config'].includes(error.kind)) throw error
    await context.warn(`What the label has now can't be read: ${error.message}`)
    return undefined
  }
}

function isSent(part: LabelPart, labels: LabelUpdate['shippingLabels']): boolean {
  if (part === 'otherParcels') return labels.length > 1
  return labels.every((label) => label[part] !== undefined)
}

/** @throws AppError `usage` if the active transport, or what is registered of it, is not what that update left */
async function undoingChange(undo: LabelUndo, context: Context): Promise<LabelChange> {
  const { shipmentId, shipmentIdType, shopCode, former, left, unread } = undo
  context.progress.start('Reading what the label has now')
  const present = await presentOf(await (await context.returns()).get(undo.returnId), context)
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
    throw refused(shipmentId, why, isThere ? [] : details)
  }
  if (unread.length > 0) {
    await context.warn(`Not put back, since it could not be read then: ${listed(unread)}`)
  }
  const known = left.map((label) => withoutUnread(label, unread))
  const shippingLabels = leadingTo(former, known)
  return {
    body: { ...(shopCode && { shopCode }), shipmentId, shipmentIdType, shippingLabels },
    present,
    mayEmpty: [],
  }
}

function refused(shipment: string, why: string, details: { path: string; message: string }[] = []): AppError {
  return new AppError('usage', `The update of ${shipment} is not undone, nothing was sent: ${why}.`, {
    details,
    hints: details.length > 0 ? ['if a later update of yours did that, undo that one first'] : [],
  })
}

function withoutUnread(label: RegisteredLabel, unread: readonly LabelPart[]): RegisteredLabel {
  return Object.fromEntries(Object.entries(label).filter(([name]) => !unread.some((part) => part === name)))
}

async function confirmChange(
  { body, mayEmpty }: LabelChange,
  yes: boolean | undefined,
  context: Context,
): Promise<void> {
  const what = `Update the label of ${body.shipmentId}`
  const { isProtected } = await context.settings()
  if (mayEmpty.length > 0) {
    const danger = `What the platform does not tell may be emptied: ${listed(mayEmpty)}`
    if (!(yes || isProtected) && canAsk(context)) {
      return ask(context, `${danger}. ${what} all the same?`, 'nothing was sent')
    }
    await context.warn(danger)
  }
  await confirmWrite(context, what, yes)
}

function listed(parts: readonly LabelPart[]): string {
  return parts.map((part) => PART_NAMES[part]).join(', ')
}

/** Failures after which the platform surely has what it had. */
const REFUSALS: readonly ErrorKind[] = ['rejected', 'not-found', 'auth', 'config', 'usage']

/** Sends the update. How it is undone is on the disk before, as the process may be killed at any moment. */
async function carryOut({ body, present }: LabelChange, context: Context) {
  context.progress.start('Updating the label')
  if (!present) {
    await context.warn('What the label had is not known, so that this update can not be undone from here')
    return { ...(await sendUpdate(body, undefined, context)), former: null, unread: null, undo: null }
  }
  const { transportId, returnId, labels: former, unread } = present
  const { profile, baseUrl, isSandbox } = await context.settings()
  const undo = {
    profile: profile?.value,
    baseUrl: isSandbox ? undefined : baseUrl?.value,
    ...{
      shopCode: body.shopCode ?? undefined,
      shipmentId: body.shipmentId,
      shipmentIdType: body.shipmentIdType,
    },
    ...{ returnId, transportId, former, unread, left: registeredLabels(body.shippingLabels) },
  }
  const path = await keepUndo(context, undo)
  // The profile and the shop are in the file.
  const place = baseUrl?.source === 'flag' ? ` --base-url ${quotedWord(baseUrl.value)}` : ''
  const line = `rma labels update --undo ${quotedWord(path)}${place}`
  try {
    const answer = await sendUpdate(body, line, context)
    const left = await leftBy(body, present, context)
    const isChanged = answer.reason !== 'duplicate' && labelDifferences(former, left, unread).length > 0
    if (isChanged) await rewriteUndo(path, context, { ...undo, left })
    else await rm(path, { force: true })
    return { ...answer, former, unread, undo: isChanged ? line : null }
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.kind)) await rm(path, { force: true })
    throw error
  }
}

/** What the label has after an update: what was sent, and of all else what the platform shows. */
async function leftBy(
  { shippingLabels }: NamedUpdate,
  { returnId, transportId }: PresentLabels,
  context: Context,
): Promise<RegisteredLabel[]> {
  const sent = registeredLabels(shippingLabels)
  const shown = await readBack(returnId, context)
  if (shown?.transportId !== transportId) return sent
  const left = registeredLabels(withNamed(shown.labels, shippingLabels))
  const [wrong] = labelDifferences(shown.labels, left, shown.unread)
  if (wrong) {
    const { field, one, other } = wrong
    await context.warn(`The platform shows ${one || 'nothing'} as ${PART_NAMES[field]}, and not ${other}`)
  }
  return left
}

async function readBack(returnId: string, context: Context): Promise<PresentLabels | undefined> {
  try {
    return await presentOf(await (await context.returns()).get(returnId), context)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** An update sets values, so that sending it again does no harm: that is worth saying after a time-out. */
async function sendUpdate(body: LabelUpdate, undo: string | undefined, context: Context) {
  try {
    const { acknowledgement, ...ending } = await (await context.labels()).update(body)
    return { ...acknowledgement, ...ending }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unknown') throw error
    throw rewordError(error, error.message, {
      hints: [
        `see what it has now: rma labels get '${body.shipmentId}'`,
        'an update sets values and adds nothing: it may be sent again as it is',
        ...(undo === undefined ? [] : [`if it was carried out, this undoes it: ${undo}`]),
      ],
    })
  }
}
