import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { LABEL_FIELDS, type LabelPart, withNamed } from '../../labels/request/registered-label.ts'
import type { LabelUpdate } from '../../wire/labels.ts'
import { HASH_HINT } from '../../wire/return-names.ts'
import { labelUpdateDetails, labelUpdateView, PART_NAMES } from './labels.result.ts'
import { type PresentLabels, readPresent } from './present-values.ts'
import { carryOut, type KnownUpdate } from './send-update.ts'
import { type LabelUndo, readUndo } from './undo.ts'
import { undoingChange } from './undoing-change.ts'
import { type LabelFlags, type NamedUpdate, readNamedUpdate } from './update-request.ts'

export interface UpdateFlags extends LabelFlags {
  replace?: boolean | undefined
  undo?: string | undefined
  'dry-run'?: boolean | undefined
  yes?: boolean | undefined
}

type Platform = Pick<Connection, 'returns' | 'lookup' | 'labels' | 'http'>

interface LabelChange extends KnownUpdate {
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
  // The transport may have ended while the question was open.
  if (shipment !== undefined && change.body.shipmentId !== shipment)
    await (await connection.lookup()).oneToUpdate(shipment)
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
    hints: [
      'rma labels update R#-1001 --tracking-code CODE',
      'rma labels update --undo FILE',
      ...(undo === undefined ? [HASH_HINT] : []),
    ],
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
