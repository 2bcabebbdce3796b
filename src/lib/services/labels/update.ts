import { rm } from 'node:fs/promises'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorKind } from '../../errors.ts'
import {
  LABEL_FIELDS,
  type LabelPart,
  labelDifferences,
  type RegisteredLabel,
  registeredLabels,
  withNamed,
} from '../../labels/registered-label.ts'
import { quotedWord } from '../../output/quoted-word.ts'
import { labelUpdateDetails, labelUpdateView, PART_NAMES } from '../../output/views/labels.ts'
import type { LabelUpdate } from '../../wire/labels.ts'
import { type PresentLabels, presentOf, readPresent } from './present-values.ts'
import { keepUndo, type LabelUndo, readUndo, rewriteUndo } from './undo.ts'
import { undoingChange } from './undoing-change.ts'
import { type LabelFlags, type NamedUpdate, readNamedUpdate } from './update-request.ts'

export interface UpdateFlags extends LabelFlags {
  replace?: boolean | undefined
  undo?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

type Platform = Pick<Connection, 'returns' | 'labels' | 'http'>

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
  connection: Platform,
): Promise<void> {
  const undo = await undoOf(shipment, flags, context, connection)
  await context.checkOutput(labelUpdateView)
  const change = undo
    ? { ...(await undoingChange(undo, context, connection)), mayEmpty: [] }
    : await namedChange(shipment ?? '', flags, context, connection)
  if (flags['dry-run']) {
    const { body } = change
    return context.showRequests([{ method: 'PUT', path: '/shipping_labels', body }])
  }
  await confirmChange(change, flags.yes, context)
  const record = await carryOut(change, context, connection)
  await context.render({ kind: 'record', record, view: labelUpdateView, details: labelUpdateDetails })
}

/** The update that is to be undone; undefined if a shipment is named instead. @throws AppError `usage` for both, or none */
async function undoOf(
  shipment: string | undefined,
  { undo }: UpdateFlags,
  context: Context,
  connection: Platform,
): Promise<LabelUndo | undefined> {
  if ((shipment === undefined) === (undo !== undefined))
    return undo === undefined ? undo : readUndo(undo, context, connection)
  const message =
    undo === undefined ? 'Which shipment should be updated?' : '--undo FILE names the shipment itself.'
  throw new AppError('usage', message, {
    hints: ["rma labels update 'R#-1001' --tracking-code CODE", 'rma labels update --undo FILE'],
  })
}

async function namedChange(
  shipment: string,
  flags: UpdateFlags,
  context: Context,
  connection: Platform,
): Promise<LabelChange> {
  const named = await readNamedUpdate(shipment, flags, context, connection)
  context.progress.start('Reading what the label has now')
  const present = flags.replace
    ? await readIfPossible(named, context, connection)
    : await readPresent(named, connection)
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
async function readIfPossible(
  named: NamedUpdate,
  context: Pick<Context, 'warn'>,
  connection: Platform,
): Promise<PresentLabels | undefined> {
  try {
    return await readPresent(named, connection)
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

async function confirmChange(
  { body, mayEmpty }: LabelChange,
  yes: boolean | undefined,
  context: Context,
): Promise<void> {
  const what = `Update the label of ${body.shipmentId}`
  const { isProtected } = await context.settings()
  if (mayEmpty.length > 0) {
    const danger = `What the platform does not tell may be emptied: ${listed(mayEmpty)}`
    if (!(yes || isProtected) && context.questions.canAsk) {
      return context.questions.ask(`${danger}. ${what} all the same?`, 'nothing was sent')
    }
    await context.warn(danger)
  }
  await context.questions.confirmWrite(what, yes)
}

function listed(parts: readonly LabelPart[]): string {
  return parts.map((part) => PART_NAMES[part]).join(', ')
}

/** Failures after which the platform surely has what it had. */
const REFUSALS: readonly ErrorKind[] = ['rejected', 'not-found', 'auth', 'config', 'usage']

/** Sends the update. How it is undone is on the disk before, as the process may be killed at any moment. */
async function carryOut({ body, present }: LabelChange, context: Context, connection: Platform) {
  context.progress.start('Updating the label')
  if (!present) {
    await context.warn('What the label had is not known, so that this update can not be undone from here')
    return { ...(await sendUpdate(body, undefined, connection)), former: null, unread: null, undo: null }
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
  const path = await keepUndo(context, connection, undo)
  // The profile and the shop are in the file.
  const place = baseUrl?.source === 'flag' ? ` --base-url ${quotedWord(baseUrl.value)}` : ''
  const line = `rma labels update --undo ${quotedWord(path)}${place}`
  try {
    const answer = await sendUpdate(body, line, connection)
    const left = await leftBy(body, present, context, connection)
    const isChanged = answer.reason !== 'duplicate' && labelDifferences(former, left, unread).length > 0
    if (isChanged) await rewriteUndo(path, connection, { ...undo, left })
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
  context: Pick<Context, 'warn'>,
  connection: Platform,
): Promise<RegisteredLabel[]> {
  const sent = registeredLabels(shippingLabels)
  const shown = await readBack(returnId, connection)
  if (shown?.transportId !== transportId) return sent
  const left = registeredLabels(withNamed(shown.labels, shippingLabels))
  const [wrong] = labelDifferences(shown.labels, left, shown.unread)
  if (wrong) {
    const { field, one, other } = wrong
    await context.warn(`The platform shows ${one || 'nothing'} as ${PART_NAMES[field]}, and not ${other}`)
  }
  return left
}

async function readBack(returnId: string, connection: Platform): Promise<PresentLabels | undefined> {
  try {
    return await presentOf(await (await connection.returns()).get(returnId), connection)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}

/** An update sets values, so that sending it again does no harm: that is worth saying after a time-out. */
async function sendUpdate(body: LabelUpdate, undo: string | undefined, connection: Platform) {
  try {
    const { acknowledgement, ...ending } = await (await connection.labels()).update(body)
    return { ...acknowledgement, ...ending }
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unknown') throw error
    const { message, status, requestId, details } = error
    throw new AppError('unknown', message, {
      status,
      requestId,
      details,
      cause: error,
      hints: [
        `see what it has now: rma labels get '${body.shipmentId}'`,
        'an update sets values and adds nothing: it may be sent again as it is',
        ...(undo === undefined ? [] : [`if it was carried out, this undoes it: ${undo}`]),
      ],
    })
  }
}
