import * as z from 'zod'
import { rethrowUnless } from '../../errors.ts'
import { SHOP_CODES } from '../demo/catalogue.ts'
import { advance, create, idOf, performOn, type Stage } from './perform.ts'
import { readScenario, type Step } from './scenario.ts'

const text = z.string()

export const playedStepSchema = z.object({
  step: z.int().nonnegative(),
  do: text,
  as: text.optional(),
  return: text.nullable(),
  returnId: text.nullable(),
  time: text.describe('ISO 8601'),
  outcome: z.enum(['done', 'failed', 'skipped']),
  detail: text,
})
export type PlayedStep = z.output<typeof playedStepSchema>

/** @throws AppError `usage` that names every mistake, before anything is done */
export async function playScenario(document: unknown, stage: Stage): Promise<PlayedStep[]> {
  const { returns = {}, steps } = readScenario(document, SHOP_CODES)
  const names = new Map(Object.entries(returns))
  const played: PlayedStep[] = []
  for (const [i, step] of steps.entries()) {
    const last = played.at(-1)
    const isOver = last !== undefined && last.outcome !== 'done'
    played.push({
      step: i + 1,
      ...(isOver ? skippedStep(step, last.time) : await playStep(step, names, stage)),
    })
  }
  return played
}

type Played = Omit<PlayedStep, 'step'>

async function playStep(step: Step, names: Map<string, string>, stage: Stage): Promise<Played> {
  let subject: Pick<PlayedStep, 'return' | 'returnId'> = { return: null, returnId: null }
  const end = (outcome: PlayedStep['outcome'], detail: string) => ({
    do: step.do,
    ...('as' in step && step.as !== undefined && { as: step.as }),
    ...subject,
    time: new Date(stage.now()).toISOString(),
    outcome,
    detail,
  })
  const refused = 'refused' in step ? step.refused : undefined
  try {
    let detail: string
    if (step.do === 'advance') {
      detail = await advance(step, stage)
    } else if (step.do === 'create') {
      const record = await create(step, stage)
      subject = { return: record.name, returnId: idOf(record) }
      if (step.as !== undefined) names.set(step.as, idOf(record))
      detail = String(record.status)
    } else {
      const record = stage.actions.find(names.get(step.return) ?? step.return)
      subject = { return: record.name, returnId: idOf(record) }
      detail = await performOn(step, record, stage)
    }
    return refused === undefined ? end('done', detail) : end('failed', `not refused (${refused}): ${detail}`)
  } catch (error) {
    rethrowUnless(error, 'rejected', 'not-found', 'usage')
    const reason = [error.message, ...error.hints].join('; ')
    if (refused === undefined) return end('failed', reason)
    return reason.includes(refused)
      ? end('done', `refused: ${reason}`)
      : end('failed', `refused, but not for ${refused}: ${reason}`)
  }
}

export function skippedStep(step: Step, time: string): Played {
  return { do: step.do, return: null, returnId: null, time, outcome: 'skipped', detail: '' }
}
