import { constants, lstatSync } from 'node:fs'
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Http } from '../../api/http/client.ts'
import type { Context } from '../../cli/context.ts'
import type { writeFlags } from '../../cli/global-flags.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { type Check, CheckedPlatform, type Revision } from '../../conformance/check.ts'
import { type CheckResult, junitXml, runChecks, selectChecks, tally } from '../../conformance/run.ts'
import { appError, errorCode, usageError } from '../../errors.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { counted, firstOf } from '../../wire/counted.ts'
import essentials from './essentials.json'
import { checksView, resultsView } from './run.result.ts'

export const conformanceFlags = {
  write: switchFlag('Check writing too: makes labels, which may cost money, and sends tracking updates'),
  only: listFlag('PATTERN', 'Only these: an id, an area, or with * for anything; repeatable'),
  list: switchFlag('Show the checks, and run none'),
  junit: textFlag('FILE', 'Write the results as JUnit XML too'),
  'dry-run': switchFlag('Show the checks that would run, and run none', { char: 'n' }),
}

type ConformanceFlags = Partial<FlagValues<typeof conformanceFlags & Pick<typeof writeFlags, 'yes'>>>

const MAX_NAMED = 5

/** @throws AppError `contract` if a check failed, `usage` for a pattern that fits none, `auth` */
export async function checkConformance(context: Context, flags: ConformanceFlags) {
  const isListing = flags.list || flags['dry-run'] || false
  const chosen = selectChecks(flags.only ?? [])
  if (isListing) return list(context, flags.list ? chosen : chosen.filter((check) => canRun(check, flags)))
  const { apiRevision, strict } = await context.settings()
  const isOfRevision = ({ revision }: Check) => revision === undefined || revision === apiRevision.value
  const checks = chosen.filter((check) => canRun(check, flags) && isOfRevision(check))
  if (checks.length === 0) {
    throw usageError('All of these checks write.', '--write runs them')
  }
  const { junit } = flags
  if (junit !== undefined) {
    await checkFolder(junit)
    context.streams.outliveReader()
  }
  if (flags.write)
    await context.questions.confirmWrite('Checks that make labels and send tracking updates', flags.yes)
  context.progress.start('Connecting')
  const http = await context.connection.http()
  await checkToken(http)
  const results: CheckResult[] = []
  await context.render({
    kind: 'list',
    items: collected(context, checks, http, results),
    view: resultsView,
    envelope: { key: 'checks', rest: () => tally(results) },
  })
  if (junit !== undefined)
    await writeJunit(junit, junitXml(results, { strict: strict.value, target: http.baseUrl }))
  await conclude(context, results, strict.value)
}

function canRun({ writes }: Check, { write }: ConformanceFlags) {
  return write || !writes
}

async function list(context: Context, checks: readonly Check[]) {
  const items = checks.map(({ id, specified, source, basis, writes = false }) => ({
    id,
    specified,
    source,
    basis,
    writes,
  }))
  await context.renderList(items, checksView, 'checks')
}

async function* collected(
  context: Context,
  checks: readonly Check[],
  http: Http,
  results: CheckResult[],
): AsyncGenerator<CheckResult> {
  const { shop, apiRevision } = await context.settings()
  const { now } = context.io
  const platform = worldOf(http, shop?.value, now(), apiRevision.value)
  for await (const result of runChecks(checks, platform, now)) {
    results.push(result)
    context.progress.update(`Checked ${result.id} (${results.length} of ${checks.length})`)
    yield result
  }
}

function worldOf(http: Http, shop: string | undefined, now: number, revision: Revision = '1.4') {
  // One run a millisecond.
  const runId = now.toString(36).toUpperCase()
  return new CheckedPlatform({ probe: (request) => http.probe(request), shop, now, runId, revision })
}

/** A wrong token would fail nearly every check. */
async function checkToken(http: Http) {
  const request = { method: 'GET', path: '/returns', query: { limit: 1 } } as const
  const { status } = await http.probe(request)
  // A request, unlike a probe, throws what the answer means.
  if (status === 401) await http.request(request)
}

async function checkFolder(file: string) {
  try {
    await access(dirname(file), constants.W_OK)
  } catch (cause) {
    throw usageError(`--junit: ${dirname(file)} is not a folder to write to (${errorCode(cause)}).`)
  }
  const found = lstatSync(file, { throwIfNoEntry: false })
  if (found && !found.isFile()) throw usageError(`--junit: ${file} is not a regular file.`)
}

/** Never half a report: CI systems read what they find. */
async function writeJunit(file: string, xml: string) {
  try {
    await replaceFile(file, xml)
  } catch (cause) {
    throw usageError(`--junit: ${file} could not be written (${errorCode(cause)}).`)
  }
}

async function conclude(context: Context, results: readonly CheckResult[], strict: boolean) {
  const counts = tally(results)
  const failures = results.filter(({ verdict }) => verdict === 'fail' || (verdict === 'differs' && strict))
  if (failures.length === 0) return context.note(countsText(counts))
  const ids = failures.map(({ id }) => id)
  const words = ['conformance', '--only', ...ids.slice(0, 1), '-v']
  const hint = `${await context.shellLine(words)} shows the requests and answers`
  const fault = counts.failed > 0 ? 'not as specified' : 'not as rma assumes'
  throw appError('contract', `${firstOf(ids, MAX_NAMED)}: ${fault} (${countsText(counts)}).`, hint)
}

function countsText({ passed, failed, differing, notShown }: ReturnType<typeof tally>) {
  const parts = [
    `${passed} passed`,
    `${failed} failed`,
    counted(differing, 'differs', 'differ'),
    `${notShown} not shown`,
  ]
  return parts.filter((part, index) => index < 2 || !part.startsWith('0 ')).join(', ')
}

/** No check is begun later. Drop-off points are left out: they take a new sandbox seconds to make. */
const MAX_MS = 4000

export async function checkEssentials(
  http: Http,
  { shop, now }: { shop: string | undefined; now: () => number },
): Promise<CheckResult[]> {
  const platform = worldOf(http, shop, now())
  const startedAt = now()
  const results: CheckResult[] = []
  for await (const result of runChecks(selectChecks(essentials), platform, now)) {
    results.push(result)
    if (now() - startedAt > MAX_MS) break
  }
  return results
}
