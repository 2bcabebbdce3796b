import type { LabelsApi, MadeLabels } from '../api/labels.ts'
import { AppError } from '../errors.ts'
import type { LabelRequest, OldLabelRequest } from '../wire/labels.ts'
import type { Context } from './context.ts'
import type { LabelFile } from './label-batch.ts'
import type { LabelTarget } from './label-target.ts'

export interface LabelMaker {
  context: Context
  labels: LabelsApi
  target: LabelTarget
  force: boolean
}

/** Makes one label, or takes the one that is there, and saves it. */
export async function makeLabel(
  maker: LabelMaker,
  request: LabelRequest | OldLabelRequest,
): Promise<LabelFile[]> {
  const { context, target, force } = maker
  const id = request.clientShipmentId
  const made = await makeOrFind(maker, request)
  if (made.outcome === 'existing') {
    await context.note(`${id} has a label already: that one is saved, none was made (--force makes another)`)
  }
  if (made.outcome === 'recovered') {
    await context.note(`${id}: no answer said so, but the label was made; it is taken, and not made again`)
  }
  const files = await saveMade(target, made, id)
  const other = files.find(({ format, source }) => source !== 'label-free' && format !== request.labelFormat)
  if (other)
    await context.note(`${id}: ${request.labelFormat} was asked for, the carrier gave ${other.format}`)
  if (force && made.sets > 1) await context.note(`${id} has ${made.sets} labels now; the newest is saved`)
  return files.map(({ unchanged: _unchanged, ...file }) => ({ ...file, outcome: made.outcome }))
}

async function makeOrFind(
  { context, labels, target, force }: LabelMaker,
  request: LabelRequest | OldLabelRequest,
): Promise<MadeLabels> {
  const id = request.clientShipmentId
  let isSent = false
  try {
    return await labels.create(request, {
      force,
      beforeSend: async () => {
        await target.checkFree(id)
        isSent = true
      },
    })
  } catch (error) {
    if (isSent && context.io.interrupt.aborted) {
      await context.note(
        `${id}: the label may have been made; the same command finds it, and makes no second one`,
      )
    }
    throw withCustomsHint(error)
  }
}

/** Returns carry no customs codes, so that a request made of one lacks them at a customs border. */
function withCustomsHint(error: unknown): unknown {
  if (!(error instanceof AppError) || error.kind !== 'rejected') return error
  if (!/customs/i.test(JSON.stringify(error.details))) return error
  const { kind, message, details, status, requestId, hints } = error
  const hint = 'declare the goods: --hs-code CODE --origin-country CODE with --for, else items of the parcels'
  return new AppError(kind, message, { details, status, requestId, cause: error, hints: [...hints, hint] })
}

/** The label is paid for by now: whatever keeps it from the disk, the way to it is told. */
async function saveMade(target: LabelTarget, made: MadeLabels, id: string) {
  try {
    return await target.save(made.set, id)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
    const { kind, message, details, status, requestId } = error
    const isTaken = error.hints.some((hint) => hint.startsWith('--force'))
    throw new AppError(
      kind,
      `${message} The label itself ${made.outcome === 'existing' ? 'exists' : 'was made'}.`,
      {
        details,
        status,
        requestId,
        cause: error,
        hints: [
          // With `labels create`, --force would make and charge another one.
          ...(isTaken ? [] : error.hints),
          `get it without making another: rma labels download '${id}' --out FOLDER`,
        ],
      },
    )
  }
}
