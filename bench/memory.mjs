// Peak memory of `tracking push` and `tracking plan` with files of a million rows.
import { join } from 'node:path'
import { homeEnv, inScratch, mustRun, rma, rowOf, sized } from './measure.mjs'
import { grouped } from './page.mjs'
import { push, reports, withServer, writeCsv } from './tracking.mjs'

const ROWS = sized(1_000_000, 2000)
const TENTH = ROWS / 10
const MAX_MIB = 150

export async function bench() {
  return inScratch((folder) => withServer([], (baseUrl) => measure(folder, baseUrl), ROWS))
}

async function measure(folder, baseUrl) {
  const env = homeEnv(folder, { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' })
  const [large, scans, plan] = ['large.csv', 'scans.csv', 'plan'].map((name) => join(folder, name))
  writeCsv(large, reports(ROWS))
  writeCsv(scans, reports(TENTH, 10))
  const rows = []
  const take = async (what, argv) => {
    const run = await mustRun(process.execPath, argv, { env, peak: true })
    rows.push(rowOf(what, [run], { count: ROWS, goals: [['peakMiB', '<', MAX_MIB]] }))
  }
  await take(`\`push --dry-run\`, ${grouped(ROWS)} rows`, push(large, ['--dry-run']))
  await take('the same, ten rows a shipment', push(scans, ['--dry-run']))
  const makePlan = ['tracking', 'plan', '--file', large, '--out', plan, '--quiet']
  await take('`plan`, of as many returns', [rma, ...makePlan])
  const pushPlan = ['tracking', 'push', '--plan', plan, '--dry-run', '--quiet', '-o', 'ndjson']
  await take('`push --plan --dry-run`', [rma, ...pushPlan])
  return rows
}
