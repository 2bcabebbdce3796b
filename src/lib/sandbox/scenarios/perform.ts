import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { labelSetSchema } from '../../wire/labels.ts'
import { refundListSchema } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { durationSeconds } from '../../wire/time.ts'
import { acknowledgementSchema, errorBodySchema } from '../../wire/tracking.ts'
import type { SandboxActions } from '../actions/sandbox-actions.ts'
import { disappointments } from './expectations.ts'
import type { Step, StepOf } from './scenario.ts'
import { idOf, labelRequestOf, type Stage } from './stage.ts'

export type ReturnStep = Exclude<Step, { do: 'create' | 'advance' }>

/**
 * Carries out a step, and says what came of it. @throws AppError `rejected`, `not-found` or `usage` for what is refused
 * or not as expected
 */
export async function performOn(step: ReturnStep, record: Return, stage: Stage): Promise<string> {
  switch (step.do) {
    case 'track':
      return track(step, record, stage)
    case 'label':
      return makeLabel(step, record, stage)
    case 'execute-refund':
      return executeRefunds(step, record, stage)
    case 'expect':
      return expectAll(step, record, stage)
    default: {
      const { status } = await stage.world.decide(step.do, idOf(record))
      if (step.do === 'approve' && step.travels !== true) await hold(stage.world, record)
      return step.do === 'lose-parcel' ? 'stays where it is' : String(status)
    }
  }
}

export async function create(step: StepOf<'create'>, { world }: Stage): Promise<Return> {
  const { do: _, as: _as, travels, refused: _refused, ...wanted } = step
  const record = await world.createReturn(wanted)
  if (travels !== true) await hold(world, record)
  return record
}

export async function advance({ by }: StepOf<'advance'>, { world }: Stage): Promise<string> {
  const { now, returns, events, refunds, expired } = await world.advance(durationSeconds(by) ?? 0)
  return `${now}: ${counted(returns, 'return')}, ${counted(events, 'scan')}, ${counted(refunds, 'refund')}, ${expired} expired`
}

async function track(step: StepOf<'track'>, record: Return, stage: Stage): Promise<string> {
  const { do: _, return: _return, refused: _refused, ago = '', travels, ...report } = step
  const date = new Date(stage.now() - (durationSeconds(ago) ?? 0) * 1000).toISOString()
  const answer = await post(stage, '/shipping_trackings', {
    ...report,
    shopCode: record.shopCode,
    shipmentId: record.name,
    trackingDate: date,
  })
  if (travels !== true) await hold(stage.world, record)
  return acknowledgementSchema.parse(answer).description
}

async function makeLabel(step: StepOf<'label'>, record: Return, stage: Stage): Promise<string> {
  const answer = await post(stage, '/shipping_labels', labelRequestOf(record, step))
  const { carrierServiceCode, shippingLabels } = labelSetSchema.parse(answer)
  const codes = shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode)
  return `${carrierServiceCode} ${codes.join(', ')}`
}

async function executeRefunds(step: StepOf<'execute-refund'>, record: Return, stage: Stage): Promise<string> {
  const { body } = await stage.request('GET', `/returns/${idOf(record)}/refunds`)
  const open = refundListSchema
    .parse(body)
    .refunds.filter(
      ({ status, refundMode }) =>
        status !== 'EXECUTED' && (step.refundMode === undefined || refundMode === step.refundMode),
    )
  if (open.length === 0) {
    const which = step.refundMode === undefined ? '' : ` ${step.refundMode}`
    throw new AppError('rejected', `${record.name} has no open${which} refund`)
  }
  for (const { id } of open) await stage.world.executeRefund(String(id))
  return open.map(({ refundType, amount, currency }) => `${refundType} ${amount} ${currency}`).join(', ')
}

async function expectAll(step: StepOf<'expect'>, record: Return, stage: Stage): Promise<string> {
  const problems = await disappointments(step, record, stage)
  if (problems.length === 0) return 'as expected'
  throw new AppError('rejected', problems.join('; '))
}

/** Keeps a parcel from travelling on: what a scenario expects must not depend on luck. */
async function hold(world: SandboxActions, record: Return): Promise<void> {
  try {
    await world.decide('lose-parcel', idOf(record))
  } catch (error) {
    // No parcel is on its way.
    if (!(error instanceof AppError && error.kind === 'rejected')) throw error
  }
}

async function post(stage: Stage, path: string, request: object): Promise<unknown> {
  const { status, body } = await stage.request('POST', path, request)
  if (status === 200) return body
  const entries = errorBodySchema.safeParse(body).data?.errors ?? []
  const reasons = entries.map(({ code, message }) => `${code} ${message}`)
  throw new AppError('rejected', reasons.join('; ') || `answered with ${status}`)
}
