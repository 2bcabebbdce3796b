import { type AppError, isOfKind, nearHints, usageError } from '../errors.ts'
import { escapeMarkup, escapeRegExp } from '../wire/plain.ts'
import { grouped } from '../wire/raw.ts'
import type { Check, CheckedPlatform, Runs } from './check.ts'
import { ACCESS_CHECKS } from './checks/access.ts'
import { FILTER_CHECKS } from './checks/filters.ts'
import { LABEL_UPDATE_CHECKS } from './checks/label-updates.ts'
import { LABEL_CHECKS } from './checks/labels.ts'
import { LIST_CHECKS, ZONE_CHECKS } from './checks/list.ts'
import { METHOD_CHECKS } from './checks/methods.ts'
import { PUDO_CHECKS } from './checks/pudos.ts'
import { RECORD_CHECKS } from './checks/records.ts'
import { type Ask, requestCheck, SHOP_CHECKS } from './checks/request-check.ts'
import { SINGLE_READ_CHECKS } from './checks/single-reads.ts'
import { TRACKING_CHECKS } from './checks/tracking.ts'
import requirements from './checks.json'
import { Departure, Skipped } from './expect.ts'

const RUNS: Runs = {
  ...ACCESS_CHECKS,
  ...LIST_CHECKS,
  ...FILTER_CHECKS,
  ...ZONE_CHECKS,
  ...RECORD_CHECKS,
  ...SINGLE_READ_CHECKS,
  ...METHOD_CHECKS,
  ...PUDO_CHECKS,
  ...LABEL_CHECKS,
  ...LABEL_UPDATE_CHECKS,
  ...TRACKING_CHECKS,
  ...SHOP_CHECKS,
}

type Requirement = Omit<Check, 'run'> & { ask?: Ask }

/** Checks in the order in which they run: some build on what others made. */
export const CHECKS: readonly Check[] = (requirements as Requirement[]).map(({ ask, ...requirement }) => {
  const run = ask ? requestCheck(ask) : RUNS[requirement.id]
  if (run === undefined) throw new Error(`No check of ${requirement.id}`)
  return { ...requirement, run }
})

/** `differs` is a departure from one of our assumptions, `not shown` a check without data. */
type Verdict = 'pass' | 'fail' | 'differs' | 'not shown'

export interface CheckResult {
  id: string
  specified: string
  source: string
  basis: Check['basis']
  observed: string
  verdict: Verdict
  durationMs: number
}

/** Checks in a row without an answer after which the platform counts as gone. */
const MAX_UNANSWERED = 3

/** Selects by id, area or pattern. @throws AppError `usage` for a pattern that fits none */
export function selectChecks(patterns: readonly string[]): readonly Check[] {
  if (patterns.length === 0) return CHECKS
  const tests = patterns.map((pattern) => {
    const words = pattern.split('*').map(escapeRegExp)
    const expression = new RegExp(`^${words.join('.*')}(?:\\..*)?$`, 'i')
    if (!CHECKS.some(({ id }) => expression.test(id))) throw unknownPattern(pattern)
    return expression
  })
  return CHECKS.filter(({ id }) => tests.some((test) => test.test(id)))
}

function unknownPattern(pattern: string) {
  const ids = CHECKS.map(({ id }) => id)
  const areas = [...new Set(ids.map((id) => id.split('.')[0]))]
  return usageError(
    `--only: ${JSON.stringify(pattern)} fits no check.`,
    ...nearHints(pattern, ids, (id) => id),
    `areas: ${areas.join(', ')}`,
    '--list shows them all',
  )
}

/** @throws AppError if the platform can't be reached, or for an interruption */
export async function* runChecks(
  checks: readonly Check[],
  platform: CheckedPlatform,
  now: () => number,
): AsyncGenerator<CheckResult> {
  let unanswered = 0
  for (const check of checks) {
    const startedAt = now()
    const { verdict, observed, failure } = await outcomeOf(check, platform)
    unanswered = failure ? unanswered + 1 : 0
    if (failure && unanswered === MAX_UNANSWERED) throw failure
    const { id, specified, source, basis } = check
    yield { id, specified, source, basis, observed, verdict, durationMs: Math.max(0, now() - startedAt) }
  }
}

async function outcomeOf(
  check: Check,
  platform: CheckedPlatform,
): Promise<{ verdict: Verdict; observed: string; failure?: AppError }> {
  const failed: Verdict = check.basis === 'spec' ? 'fail' : 'differs'
  try {
    return { verdict: 'pass', observed: await check.run(platform) }
  } catch (error) {
    if (error instanceof Departure) return { verdict: failed, observed: error.message }
    if (error instanceof Skipped)
      return check.isOperation
        ? { verdict: failed, observed: `not shown: ${error.message}` }
        : { verdict: 'not shown', observed: error.message }
    // Checks assume that answers fit the schemas; a TypeError shows one that does not.
    if (error instanceof TypeError)
      return { verdict: failed, observed: `the answer lacks something: ${error.message}` }
    if (isOfKind(error, 'unavailable', 'unknown'))
      return { verdict: failed, observed: `no answer: ${error.message}`, failure: error }
    throw error
  }
}

export function tally(results: readonly CheckResult[]) {
  const count = (verdict: Verdict) => results.filter((result) => result.verdict === verdict).length
  return {
    passed: count('pass'),
    failed: count('fail'),
    differing: count('differs'),
    notShown: count('not shown'),
  }
}

/** `differs` is a failure if `strict`, else skipped, which CI does not show in red. */
export function junitXml(
  results: readonly CheckResult[],
  { strict, target }: { strict: boolean; target: string },
): string {
  const suites = [...grouped(results, areaOf)].map(([area, cases]) =>
    element(
      'testsuite',
      { name: area, ...counts(cases, strict) },
      cases.map((result) => testCase(result, strict)),
    ),
  )
  const name = `rma conformance of ${target}`
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name, ...counts(results, strict) }, suites)}\n`
}

const areaOf = ({ id }: CheckResult) => id.split('.')[0] ?? id

function isFailed({ verdict }: CheckResult, strict: boolean) {
  return verdict === 'fail' || (verdict === 'differs' && strict)
}

function counts(results: readonly CheckResult[], strict: boolean) {
  const failures = results.filter((result) => isFailed(result, strict)).length
  const unfinished = results.filter(({ verdict }) => verdict !== 'pass').length
  const ms = results.reduce((sum, { durationMs }) => sum + durationMs, 0)
  return {
    tests: results.length,
    failures,
    errors: 0,
    skipped: unfinished - failures,
    time: (ms / 1000).toFixed(3),
  }
}

function testCase(result: CheckResult, strict: boolean) {
  const { id, specified, source, basis, observed, verdict, durationMs } = result
  const summary = `${basis === 'spec' ? source : `${source}, assumed`}: ${specified}`
  const attributes = { classname: areaOf(result), name: id, time: (durationMs / 1000).toFixed(3) }
  const children = [
    ...(isFailed(result, strict)
      ? [element('failure', { message: observed, type: verdict }, [text(summary)])]
      : verdict === 'pass'
        ? []
        : [element('skipped', { message: `${verdict}: ${observed}` }, [])]),
    element('system-out', {}, [text(`${summary}\nobserved: ${observed}`)]),
  ]
  return element('testcase', attributes, children)
}

function element(name: string, attributes: Record<string, string | number>, children: readonly string[]) {
  const head = Object.entries(attributes).map(([key, value]) => ` ${key}="${text(String(value))}"`)
  return children.length === 0
    ? `<${name}${head.join('')}/>`
    : `<${name}${head.join('')}>${children.join('')}</${name}>`
}

/** XML 1.0 can't hold most control characters or lone surrogates. */
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu

function text(raw: string) {
  return escapeMarkup(raw.replace(UNWRITABLE, '\ufffd'), /[&<>"\t\n\r]/g)
}
