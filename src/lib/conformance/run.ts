import { AppError, nearest } from '../errors.ts'
import type { Basis, Check, World } from './check.ts'
import { Departure, Skipped } from './expect.ts'

/** `differs` is a departure from one of our assumptions, `not shown` a check without data. */
export type Verdict = 'pass' | 'fail' | 'differs' | 'not shown'

export interface CheckResult {
  id: string
  specified: string
  source: string
  basis: Basis
  observed: string
  verdict: Verdict
  durationMs: number
}

/** Checks in a row without an answer after which the platform counts as gone. */
const MAX_UNANSWERED = 3

/** Selects checks by id, by area or by a pattern with `*`. @throws AppError `usage` for a pattern that fits none */
export function selectChecks(checks: readonly Check[], patterns: readonly string[]): Check[] {
  if (patterns.length === 0) return [...checks]
  const tests = patterns.map((pattern) => {
    const words = pattern.split('*').map((text) => text.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    const expression = new RegExp(`^${words.join('.*')}(?:\\..*)?$`, 'i')
    if (!checks.some(({ id }) => expression.test(id))) throw unknownPattern(pattern, checks)
    return expression
  })
  return checks.filter(({ id }) => tests.some((test) => test.test(id)))
}

function unknownPattern(pattern: string, checks: readonly Check[]): AppError {
  const near = nearest(
    pattern,
    checks.map(({ id }) => id),
  )
  const areas = [...new Set(checks.map(({ id }) => id.split('.')[0]))]
  return new AppError('usage', `--only: ${JSON.stringify(pattern)} fits no check.`, {
    hints: [...(near === undefined ? [] : [near]), `areas: ${areas.join(', ')}`, '--list shows them all'],
  })
}

/**
 * One after the other: some build on others.
 * @throws AppError if the platform can't be reached, or for an interruption
 */
export async function* runChecks(
  checks: readonly Check[],
  world: World,
  now: () => number,
): AsyncGenerator<CheckResult> {
  let unanswered = 0
  for (const check of checks) {
    const startedAt = now()
    const { verdict, observed, failure } = await outcomeOf(check, world)
    unanswered = failure ? unanswered + 1 : 0
    if (failure && unanswered === MAX_UNANSWERED) throw failure
    const { id, specified, source, basis } = check
    yield { id, specified, source, basis, observed, verdict, durationMs: Math.max(0, now() - startedAt) }
  }
}

async function outcomeOf(
  check: Check,
  world: World,
): Promise<{ verdict: Verdict; observed: string; failure?: AppError }> {
  const failed: Verdict = check.basis === 'spec' ? 'fail' : 'differs'
  try {
    return { verdict: 'pass', observed: await check.run(world) }
  } catch (error) {
    if (error instanceof Departure) return { verdict: failed, observed: error.message }
    if (error instanceof Skipped)
      return check.isOperation
        ? { verdict: failed, observed: `not shown: ${error.message}` }
        : { verdict: 'not shown', observed: error.message }
    // Checks take answers to keep to the schemas; a TypeError shows one that does not.
    if (error instanceof TypeError)
      return { verdict: failed, observed: `the answer lacks something: ${error.message}` }
    if (error instanceof AppError && (error.kind === 'unavailable' || error.kind === 'unknown'))
      return { verdict: failed, observed: `no answer: ${error.message}`, failure: error }
    throw error
  }
}

export interface Tally {
  passed: number
  failed: number
  /** Failed checks of assumptions. */
  differing: number
  notShown: number
}

export function tally(results: readonly CheckResult[]): Tally {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  return {
    passed: count('pass'),
    failed: count('fail'),
    differing: count('differs'),
    notShown: count('not shown'),
  }
}
