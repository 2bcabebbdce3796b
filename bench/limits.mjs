// `tracking push` under a rate limit that it has to find out: time against the least there is, refused and lost rows.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeEnv, inScratch, mustRun, rma, sized, startSandbox } from './measure.mjs'
import { push, reports, withServer, writeCsv } from './tracking.mjs'

const RATE = 200
const ROWS = sized(10_000, 600)

export async function bench() {
  return inScratch(async (folder) => {
    const csv = join(folder, 'limited.csv')
    writeCsv(csv, reports(ROWS))
    const limited = (kind, what) =>
      withServer([kind, String(RATE)], async (baseUrl) => {
        const env = homeEnv(folder, {
          RMA_BASE_URL: baseUrl,
          RMA_TOKEN: 'token',
          RMA_DATA_DIR: join(folder, kind),
        })
        const run = await mustRun(process.execPath, push(csv), { env })
        const { refused, different } = await (await fetch(`${baseUrl}/stats`)).json()
        return limitRow(what, run, refused, ROWS - different)
      })
    return [
      await limited('window', `${RATE} in any second`),
      await limited('bucket', `a bucket of ${RATE}, ${RATE} a second`),
      await limitedSandbox(folder),
    ]
  })
}

function limitRow(what, { ms, cpuMs }, refused, lost) {
  const goals = [
    ['ratio', '≤', 1.05],
    ['refusedPercent', '<', 2],
    ['lost', '=', 0],
  ]
  const refusedPercent = (100 * refused) / (ROWS + refused)
  const ratio = { median: ms / ((ROWS / RATE) * 1000) }
  return {
    what,
    ms: { median: ms },
    cpuMs: { median: cpuMs },
    of: 'ideal:',
    ratio,
    refusedPercent,
    lost,
    goals,
  }
}

async function limitedSandbox(folder) {
  const env = homeEnv(folder)
  const sandbox = await startSandbox(
    ['--memory', '--returns', String(ROWS * 4), '--rate-limit', `${RATE}/s`],
    env,
  )
  const clientEnv = { ...env, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token }
  const list = ['returns', 'list', '--all', '--status', 'PENDING', '-o', 'ndjson', '--quiet']
  const listed = await mustRun(process.execPath, [rma, ...list], { env: clientEnv, keep: true })
  const open = listed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ activeTransportation }) => activeTransportation?.status === 'REQUESTED')
  const csv = join(folder, 'sandbox.csv')
  const header = 'shipmentId,shopCode,trackingStatus,trackingDate'
  const now = Math.floor(Date.now() / 1000) * 1000
  const lines = Array.from({ length: ROWS }, (_unused, index) => {
    const { name, shopCode } = open[index % open.length]
    const date = new Date(now + 1000 * Math.floor(index / open.length)).toISOString()
    return `${name},${shopCode},SHIPPING_IN_PROGRESS,${date}`
  })
  writeFileSync(csv, `${header}\n${lines.join('\n')}\n`)
  // Its window must be free of the questions before.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  const trace = join(folder, 'trace.har')
  const pushed = await mustRun(process.execPath, push(csv, ['--trace', trace]), {
    env: clientEnv,
    keep: true,
  })
  await sandbox.stop()
  const ended = pushed.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  const succeeded = ended.filter(({ status }) => status === 'succeeded').length
  const { entries } = JSON.parse(readFileSync(trace, 'utf8')).log
  const refused = entries.filter(({ response }) => response.status === 429).length
  return limitRow("the sandbox's own", pushed, refused, ROWS - succeeded)
}
