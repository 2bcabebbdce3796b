import type { Http } from '../../api/http/client.ts'
import { World } from '../../conformance/check.ts'
import { CHECKS } from '../../conformance/checks/index.ts'
import { type CheckResult, runChecks, selectChecks } from '../../conformance/run.ts'

/** Checks of what every command builds on. They read no drop-off points, which take a new sandbox seconds to make. */
const ESSENTIALS = [
  ...['auth.token', 'auth.garbage', 'returns.container', 'returns.limit-min', 'returns.order'],
  ...['filter.name-unknown', 'zone.asia-tokyo', 'return.id', 'transportations.fields', 'refunds.fields'],
  ...['methods.get', 'labels.unknown-id'],
]

/** No check is begun later: who asks what is wrong waits for the answer. */
const MAX_MS = 4000

/** Runs as many of the essential checks as there is time for. @throws AppError if it can't be reached */
export async function checkEssentials(
  http: Http,
  { shop, now }: { shop: string | undefined; now: () => number },
): Promise<CheckResult[]> {
  const probe: Http['probe'] = (request) => http.probe(request)
  const world = new World({
    probe,
    shop,
    now: now(),
    runId: now().toString(36).toUpperCase(),
    revision: '1.4',
  })
  const startedAt = now()
  const results: CheckResult[] = []
  for await (const result of runChecks(selectChecks(CHECKS, ESSENTIALS), world, now)) {
    results.push(result)
    if (now() - startedAt > MAX_MS) break
  }
  return results
}
