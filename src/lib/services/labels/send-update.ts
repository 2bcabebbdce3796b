import { rm } from 'node:fs/promises'
import type { Look } from '../../api/settle.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorKind, rewordError } from '../../errors.ts'
import {
  labelDifferences,
  type RegisteredLabel,
  registeredLabels,
  withNamed,
} from '../../labels/request/registered-label.ts'
import { quotedWord } from '../../output/visible.ts'
import { PART_NAMES } from './labels.result.ts'
import { type PresentLabels, presentOf } from './present-values.ts'
import { keepUndo, platformOf, rewriteUndo, undoLine } from './undo.ts'
import type { NamedUpdate } from './update-request.ts'

type Platform = Pick<Connection, 'returns' | 'labels' | 'http'>

export interface KnownUpdate {
  body: NamedUpdate
  present: PresentLabels | undefined
}

/** Failures after which the platform surely has what it had. */
const REFUSALS: readonly ErrorKind[] = ['rejected', 'not-found', 'auth', 'config', 'usage']

/** Sends the update. How it is undone is on the disk before, as the process may be killed at any moment. */
export async function carryOut({ body, present }: KnownUpdate, context: Context, connection: Platform) {
  context.progress.start('Updating the label')
  if (!present) {
    await context.warn('What the label had is not known, so that this update can not be undone from here')
    return {
      ...(await sendUpdate({ body, present }, context, connection)),
      former: null,
      unread: null,
      undo: null,
    }
  }
  const { transportId, returnId, labels: former, unread } = present
  const { profile, baseUrl } = await context.settings()
  const undo = {
    profile: profile?.value,
    platform: await platformOf(connection),
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
  const line = `${undoLine(path)}${place}`
  try {
    const answer = await sendUpdate({ body, present }, context, connection)
    const left = await leftBy(body, present, context, connection)
    const isChanged = answer.reason !== 'duplicate' && labelDifferences(former, left, unread).length > 0
    if (isChanged) await rewriteUndo(path, connection, { ...undo, left })
    else await rm(path, { force: true })
    return { ...answer, former, unread, undo: isChanged ? line : null }
  } catch (error) {
    if (error instanceof AppError && REFUSALS.includes(error.kind)) await rm(path, { force: true })
    throw withUndo(error, line)
  }
}

function withUndo(error: unknown, line: string): unknown {
  if (!(error instanceof AppError) || error.kind !== 'unknown') return error
  const hint = `if it was carried out, this undoes it: ${line}`
  return rewordError(error, error.message, { hints: [...error.hints, hint] })
}

async function sendUpdate(update: KnownUpdate, context: Pick<Context, 'warn'>, connection: Platform) {
  const look = () => lookFor(update, connection)
  const { acknowledgement, ...ending } = await (await connection.labels()).update(update.body, look)
  if (ending.outcome === 'recovered')
    await context.warn('The answer got lost; the return shows that the update was made')
  return { ...acknowledgement, ...ending }
}

/** Whether the return shows an update: all that was sent, and anything else than before. */
async function lookFor(
  { body: { shippingLabels }, present }: KnownUpdate,
  connection: Platform,
): Promise<Look> {
  if (!present) return 'open'
  const shown = await presentOf(await (await connection.returns()).get(present.returnId), connection)
  if (shown?.transportId !== present.transportId) return 'open'
  const sent = registeredLabels(withNamed(shown.labels, shippingLabels))
  const isAsSent = labelDifferences(shown.labels, sent, shown.unread).length === 0
  const unread = [...present.unread, ...shown.unread]
  const isAsBefore = labelDifferences(shown.labels, present.labels, unread).length === 0
  if (isAsSent !== isAsBefore) return isAsSent ? 'happened' : 'not-happened'
  // It asked for what was there already, unless what it changes is not shown.
  return isAsSent && unread.length === 0 ? 'happened' : 'open'
}

/** Returns the values after an update: sent ones, and others as the platform shows them. */
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
