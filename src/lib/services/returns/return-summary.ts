import { returnId } from '../../api/return-lookup.ts'
import { readPlatform } from '../../api/sandbox-mark.ts'
import type { Context } from '../../cli/context.ts'
import { rethrowInterruption } from '../../errors.ts'
import { moneySentences, nextStep, whereSentences } from '../../insight/card.ts'
import type { ReturnFacts } from '../../insight/case.ts'
import type { Section } from '../../output/formats/details.ts'
import { fitted } from '../../wire/read.ts'
import type { Return } from '../../wire/returns.ts'
import { returnShape } from '../../wire/shapes.ts'
import { answerCard, type ReturnSummary, returnDetails } from './return-details.ts'

export async function describeReturn(record: Return, isFull: boolean, context: Context): Promise<Section[]> {
  const [facts, now] = await Promise.all([
    readFacts(fitted(returnShape, record), context),
    platformNow(context),
  ])
  const short = await summarizeReturn(facts, now, context)
  return isFull ? returnDetails(facts, short) : answerCard(facts, short)
}

export async function cardOf(facts: ReturnFacts, now: number, context: Context): Promise<Section[]> {
  return answerCard(facts, await summarizeReturn(facts, now, context))
}

export async function summarizeReturn(
  facts: ReturnFacts,
  now: number,
  context: Context,
): Promise<ReturnSummary> {
  const view = { now, zone: await context.timeZone() }
  const { text, command } = nextStep(facts, view)
  return {
    where: whereSentences(facts, view),
    money: moneySentences(facts, view),
    next: command ? `${text}: ${await context.shellLine(command, facts.record.shopCode)}` : `${text}.`,
  }
}

/** Warns of details that can't be read, and leaves them out. */
export async function readFacts(record: Return, context: Context): Promise<ReturnFacts> {
  const returns = await context.connection.returns()
  const read = async <T>(what: string, reading: Promise<{ records: T[] }>) => {
    try {
      return (await reading).records
    } catch (error) {
      rethrowInterruption(error)
      await context.warn(`The ${what} can't be read: ${error.message}`)
      return undefined
    }
  }
  const id = returnId(record)
  const [transportations, refunds] = await Promise.all([
    read('transports', returns.transportations(id)),
    read('refunds', returns.refunds(id)),
  ])
  return { record, transportations, refunds }
}

/** Uses the clock of a sandbox, which may have been moved. */
export async function platformNow(context: Context): Promise<number> {
  const found = await readPlatform(await context.connection.http()).catch(rethrowInterruption)
  return found?.sandboxNow ?? context.io.now()
}
