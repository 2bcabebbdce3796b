// `returns stats`, `stuck` and `reconcile` on mirrors, up to a million returns with --million, compared with jq over an
// export of the smallest.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eachSize, fillMirror, SIZES } from './filled-mirror.mjs'
import { homeEnv, mustRun, rma, rmaFaster, rowOf, run, startSandbox } from './measure.mjs'
import { grouped } from './page.mjs'

const ROUNDS = 3
const GOALS = [
  ['ms', '≤', 2000],
  ['peakMiB', '≤', 150],
]
const JQ = 'reduce inputs as $r ({}; .[$r.status] += 1 | .[$r.customer.address.countryCode // ""] += 1)'

export function bench() {
  return eachSize(benchSize)
}

async function benchSize(parts, folder, count) {
  const home = homeEnv(folder, { RMA_DATA_DIR: join(folder, 'data') })
  const file = join(folder, 'returns.ndjson')
  const env = await emptyMirror(home)
  await fill(parts, join(env.RMA_DATA_DIR, 'mirrors'), file, count)
  const rows = []
  for (const command of ['stats', 'stuck', 'reconcile']) {
    const argv = [rma, 'returns', command, '--offline', '-o', 'csv', '--quiet']
    const taken = []
    // The first run checks the file for damage.
    for (let round = 0; round <= ROUNDS; round += 1) {
      taken.push(await mustRunOrFind(argv, env))
    }
    const [, ...runs] = taken
    const goals = command === 'stats' && count === 1_000_000 ? { goals: GOALS } : {}
    const isShown = count === 1_000_000 || (command === 'stats' && count === SIZES[0])
    const detail = isShown ? {} : { detail: true }
    const note = `${grouped(runs[0].lines)} lines`
    rows.push(rowOf(`\`returns ${command}\`, ${grouped(count)} returns`, runs, { ...detail, note, ...goals }))
    if (command !== 'stats' || count !== SIZES[0]) continue
    const jq = await run('jq', ['-n', JQ, file], { env })
    if (jq.code === 0) rows.push(rowOf('the same, counted by jq', [jq], rmaFaster([jq], [runs[0]])))
  }
  return rows
}

/** Accepts the exit code of `reconcile` for found differences. */
async function mustRunOrFind(argv, env) {
  const taken = await run(process.execPath, argv, { env, peak: true })
  if (taken.lines < 1) throw new Error(`${argv.join(' ')} ended with ${taken.code}: ${taken.stderr}`)
  return taken
}

/** Makes a mirror by one sync with an empty sandbox. */
async function emptyMirror(home) {
  const sandbox = await startSandbox(['--memory', '--returns', '2'], home)
  const env = { ...home, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token }
  await mustRun(process.execPath, [rma, 'mirror', 'sync', '--yes', '--quiet'], { env })
  await sandbox.stop()
  return env
}

async function fill(parts, folder, ndjson, count) {
  const database = join(
    folder,
    readdirSync(folder).find((name) => name.endsWith('.db')),
  )
  const mirror = await parts.openMirror({ file: database })
  await fillMirror(parts, mirror, count, ndjson)
  await mirror.db.destroy()
}
