// `tracking push` under an unknown rate limit. Each run stops the client or the service once, at a random moment.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { homeEnv, inScratch, sized } from './measure.mjs'
import { push, reports, withServer, writeCsv } from './tracking.mjs'

const RUNS = sized(20, 1)
const ROWS = { 20: sized(1200, 60), 200: sized(2000, 400), 1000: sized(8000, 2000) }
/** Parallel runs by rate limit: slow runs use little CPU. */
const AT_ONCE = { 20: 10, 200: 2, 1000: 1 }
const KINDS = [
  ['full', 'full bucket'],
  ['empty', 'empty bucket'],
  ['small', 'bucket of a tenth'],
  ['window', 'fixed window'],
]

export async function bench() {
  return inScratch(async (folder) => {
    const rows = []
    for (const perSecond of Object.keys(ROWS).map(Number)) {
      for (const [kind, name] of KINDS) {
        rows.push(await limited({ folder, kind, perSecond, what: `${name}, ${perSecond}/s` }))
      }
    }
    rows.push(await limited({ folder, kind: 'chance', perSecond: 1000, what: '2 % refused by chance' }))
    return rows
  })
}

async function limited({ folder, kind, perSecond, what }) {
  const idealMs = await leastMs(folder, kind, perSecond)
  const runs = []
  while (runs.length < RUNS) {
    const some = Array.from({ length: Math.min(AT_ONCE[perSecond], RUNS - runs.length) }, () =>
      stalledRun({ folder, kind, perSecond, idealMs }),
    )
    runs.push(...(await Promise.all(some)))
  }
  const ratios = runs.map(({ ms }) => ms / idealMs).sort((one, other) => one - other)
  const median = ratios[ratios.length >> 1]
  const refused = runs.reduce((sum, run) => sum + run.refused, 0) / runs.length
  const goals = [
    ['ratio', '≤', 1.2],
    ['worst', '≤', 1.4],
    ...(kind === 'chance' ? [] : [['refusedPercent', '≤', 4]]),
  ]
  return {
    what,
    ms: { median: median * idealMs },
    ratio: { median, least: ratios[0], most: ratios.at(-1) },
    refusedPercent: (100 * refused) / (ROWS[perSecond] + refused),
    lost: runs.reduce((sum, run) => sum + run.lost, 0),
    goals,
  }
}

/** Time of a client that knows the limit. Runs with random refusals are compared with a run that has none. */
async function leastMs(folder, kind, perSecond) {
  if (kind === 'chance') return (await stalledRun({ folder, perSecond, idealMs: 0 })).ms
  const atOnce = { full: perSecond, small: perSecond / 10, window: perSecond, empty: 0 }[kind]
  return ((ROWS[perSecond] - atOnce) / perSecond) * 1000
}

let count = 0

/** Runs a push during which the client or the service is stopped once, for 50 to 400 ms. */
function stalledRun({ folder, kind, perSecond, idealMs }) {
  const number = count++
  const csv = join(folder, `${number}.csv`)
  writeCsv(csv, reports(ROWS[perSecond]))
  return withServer(kind ? [kind, String(perSecond)] : [], async (baseUrl, serverPid) => {
    const env = homeEnv(folder, {
      RMA_BASE_URL: baseUrl,
      RMA_TOKEN: 'token',
      RMA_DATA_DIR: join(folder, `data-${number}`),
    })
    const began = performance.now()
    const client = spawn(process.execPath, push(csv), { env, stdio: 'ignore' })
    const stalled = stall(number % 2 === 0 ? client.pid : serverPid, idealMs)
    const code = await new Promise((resolve) => client.on('exit', resolve))
    const ms = performance.now() - began
    await stalled
    if (code !== 0) throw new Error(`tracking push ended with ${code}`)
    const { refused, accepted } = await (await fetch(`${baseUrl}/stats`)).json()
    return { ms, refused, lost: ROWS[perSecond] - accepted }
  })
}

async function stall(pid, idealMs) {
  if (idealMs === 0) return
  await sleep(300 + Math.random() * idealMs * 0.9)
  if (!signalled(pid, 'SIGSTOP')) return
  await sleep(50 + Math.random() * 350)
  signalled(pid, 'SIGCONT')
}

function signalled(pid, signal) {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
