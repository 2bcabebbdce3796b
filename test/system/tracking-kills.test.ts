import { expect, it } from 'vitest'
import { countArrivals } from '../helpers/arrivals.ts'
import { seededRandom } from '../helpers/bulk-fakes.ts'
import { typed } from '../helpers/command-line.ts'
import { usePlatform } from '../helpers/platform.ts'
import { fileOf } from '../helpers/report-service.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'
import { expectAllApplied, failEverything, pushThroughKills, workload } from '../helpers/tracking-kills.ts'
import { isWhole } from '../helpers/whole.ts'

const ROWS = isWhole ? 100_000 : 10_000
const platform = usePlatform({ returns: 3000 })

it(`${ROWS} rows, faults in every twentieth answer, three times kill -9: exact`, async () => {
  const random = seededRandom(11)
  const work = await workload(platform, ROWS, random)
  expect(work.rows).toBeGreaterThanOrEqual(ROWS)
  await failEverything(platform, 0.05)
  const env = spawnEnv(platform.env())
  const kills = [0.1, 0.4, 0.25].map((part) => ({ reports: Math.floor(part * ROWS * (0.5 + random() / 2)) }))
  const argv = typed`tracking push --file ${fileOf(work.csv)} --timeout 1 --retries 8 --concurrency 32`
  const started = performance.now()
  const report = await pushThroughKills(argv, kills, {
    env,
    seen: countArrivals(platform, 'POST /shipping_trackings'),
  })
  console.log(`${work.rows} rows in ${Math.round((performance.now() - started) / 1000)} s`)
  await expectAllApplied(platform, work, report)
}, 600_000)
