import { setTimeout as delay } from 'node:timers/promises'
import { AppError } from '../../errors.ts'
import type { ExaminedRow } from './doctor.result.ts'

/** `skip`: nothing to check, or no way to know. */
export type Finding = Pick<ExaminedRow, 'verdict' | 'observed' | 'remedies'>

type Check = () => Finding | string | Promise<Finding | string>

/** Checks by stable ids of area and subject (`network.tls`). */
export type Checks = Readonly<Record<string, Check>>

const LIMIT_MS = 10_000

export const skipped = (observed: string): Finding => ({ verdict: 'skip', observed, remedies: [] })
export const found = (observed: string, ...remedies: string[]): Finding => ({
  verdict: 'found',
  observed,
  remedies,
})

export function allOf(
  problems: readonly (Finding | false | undefined)[],
  otherwise: string,
): Finding | string {
  const there = problems.filter((problem) => typeof problem === 'object')
  if (there.length === 0) return otherwise
  return found(
    there.map(({ observed }) => observed).join('; '),
    ...new Set(there.flatMap(({ remedies }) => remedies)),
  )
}

export async function* examine(checks: Checks, now: () => number): AsyncGenerator<ExaminedRow> {
  const startedAt = now()
  const rows = Object.entries(checks).map(async ([id, check]) => {
    const finding = await withinLimit(check)
    return { id, ...finding, durationMs: Math.max(0, now() - startedAt) }
  })
  for (const row of rows) row.catch(() => {})
  yield* rows
}

async function withinLimit(check: Check): Promise<Finding> {
  const words = `no end within ${LIMIT_MS / 1000} s`
  const late = delay(LIMIT_MS, found(words, 'run it again with -v to see where it waits'), { ref: false })
  try {
    const finding = await Promise.race([check(), late])
    return typeof finding === 'string' ? { verdict: 'ok', observed: finding, remedies: [] } : finding
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted' || error.kind === 'bug') throw error
    return failed(error)
  }
}

export function failed({ message, details, hints }: AppError): Finding {
  const more = details.map(({ path, message: text }) => (path === undefined ? text : `${path} ${text}`))
  return found([message.replace(/\.$/, ''), ...more].join('; '), ...hints)
}
