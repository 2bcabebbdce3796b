import { expect, it } from 'vitest'
import { countArrivals } from '../helpers/arrivals.ts'
import { seededRandom } from '../helpers/bulk-fakes.ts'
import { typed } from '../helpers/command-line.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'
import { expectAllApplied, failEverything, pushThroughKills, workload } from '../helpers/tracking-kills.ts'
import { fileOf, scans, trackingService } from '../helpers/tracking-service.ts'
import { times } from '../helpers/values-of.ts'
import { isWhole } from '../helpers/whole.ts'

/*
 * kill -9 at moments of all kinds, against a platform that fails in every way, and one that takes whatever it gets:
 * what is there at the end is what the file says.
 */

/** More than a job holds in memory at once. */
const ROWS = isWhole ? 100_000 : 4500
const platform = usePlatform({ returns: 3000 })
const random = seededRandom(11)

it(`each of ${ROWS} rows becomes one event, in order, with faults in every twentieth answer`, async () => {
  const work = await workload(platform, ROWS, random)
  expect(work.rows).toBeGreaterThanOrEqual(ROWS)
  await failEverything(platform, 0.05)
  const env = spawnEnv(platform.env())
  const kills = [
    { updates: Math.floor(random() * 200) },
    { ms: 300 + random() * 300 },
    { updates: Math.floor(0.4 * ROWS * (0.5 + random() / 2)) },
    { updates: Math.floor(0.25 * ROWS * (0.5 + random() / 2)) },
  ]
  const argv = typed`tracking push --file ${fileOf(work.csv)} --timeout 1 --retries 8 --concurrency 32`
  const summary = await pushThroughKills(argv, kills, {
    env,
    seen: countArrivals(platform, 'POST /shipping_trackings'),
  })
  await expectAllApplied(platform, work, summary)
}, 600_000)

it('a platform that accepts repeated updates gets each once', async () => {
  const faults = [
    { fault: 'reset' as const, isTaken: true },
    { fault: 'reset' as const },
    { status: 500, isTaken: true },
    { status: 503, body: 'busy' },
  ]
  const service = await trackingService({
    onUpdate: () => (random() < 0.05 ? faults[Math.floor(random() * 4)] : undefined),
  })
  const env = spawnEnv(service.env)
  // Together fewer than the rows, so that the job never ends before its last kill.
  const kills = times(3, () => ({ updates: Math.floor(random() * 200) }))
  const argv = typed`tracking push --file ${fileOf(scans(200, 5))} --timeout 5 --retries 8`
  const summary = await pushThroughKills(argv, kills, { env, seen: () => service.updates.length })
  expect([summary.succeeded, summary.failed, summary.unknown], summary.stderr).toEqual([1000, 0, 0])
  for (let shipment = 1; shipment <= 200; shipment++) {
    const dates = service.takenOf(`R#-${shipment}`)
    expect([shipment, dates]).toEqual([shipment, [...new Set(dates)].sort()])
    expect(dates).toHaveLength(5)
  }
})
