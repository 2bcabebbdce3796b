// `tracking push` of a file: rows a second against `xargs curl` and bare got, time under a rate limit, and peak memory.
import { spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { goal, grouped, homeEnv, inScratch, median, mustRun, rma, root, startSandbox } from './measure.mjs'

const ROWS = Number(process.env.RMA_BENCH_PUSH_ROWS ?? 20_000)
/** curl is slow; the same work for each row, so that fewer tell as much. */
const CURL_ROWS = 2000
const ROUNDS = 5
const CONCURRENCY = 16
const RATE = 200
const LIMITED_ROWS = Number(process.env.RMA_BENCH_LIMITED_ROWS ?? 10_000)
const MANY_ROWS = Number(process.env.RMA_BENCH_ROWS ?? 1_000_000)

const CURL = `xargs -P${CONCURRENCY} -d '\\n' -n1 curl -sSf -o /dev/null -H "Authorization: Bearer $RMA_TOKEN" \
  -H 'Content-Type: application/json' "$RMA_BASE_URL/shipping_trackings" -d < "$1"`

const COLUMNS = 'shipmentId,trackingStatus,carrierName,trackingNumber,trackingUrl,trackingDate'
const SCANS = [
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  ...Array(7).fill('SHIPPING_IN_PROGRESS'),
  'SHIPPING_COMPLETED',
]

/** Of `shipments` different ones, `each` reports on every one. */
export function* reports(shipments, each = 1) {
  for (let scan = 0; scan < each; scan += 1) {
    for (let index = 0; index < shipments; index += 1) {
      const number = String(340_400_000_000 + index)
      yield {
        shipmentId: `R#-${100_000 + index}`,
        trackingStatus: each === 1 ? 'SHIPPING_IN_PROGRESS' : SCANS[scan],
        carrierName: 'SEUR',
        trackingNumber: number,
        trackingUrl: `https://track.example.com/${number}`,
        trackingDate: new Date(Date.UTC(2026, 2, 1, scan, 0, index % 3600)).toISOString(),
      }
    }
  }
}

export function writeCsv(path, rows) {
  const file = openSync(path, 'w')
  let text = `${COLUMNS}\n`
  for (const row of rows) {
    text += `${Object.values(row).join(',')}\n`
    if (text.length < 1_000_000) continue
    writeSync(file, text)
    text = ''
  }
  writeSync(file, text)
  closeSync(file)
}

export async function bench() {
  return inScratch(async (folder) => {
    return [
      ...(await measureThroughput(folder)),
      ...(await measureLimits(folder)),
      ...(await measureMemory(folder)),
    ]
  })
}

export const push = (file, more = []) => [
  rma,
  ...['tracking', 'push', '--file', file, '--concurrency', String(CONCURRENCY), '--quiet', '-o', 'ndjson'],
  ...more,
]

async function measureThroughput(folder) {
  return withServer([], async (baseUrl) => {
    const env = homeEnv(folder, { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' })
    const [csv, bodies, few] = ['rows.csv', 'bodies.ndjson', 'few.ndjson'].map((name) => join(folder, name))
    writeCsv(csv, reports(ROWS))
    const lines = [...reports(ROWS)].map((one) => JSON.stringify({ ...one, shipmentIdType: 'RETURN_NAME' }))
    writeFileSync(bodies, `${lines.join('\n')}\n`)
    writeFileSync(few, `${lines.slice(0, CURL_ROWS).join('\n')}\n`)
    const rates = { ours: [], got: [], curl: [] }
    const script = join(root, 'bench/bare-got-trackings.mjs')
    // The first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      const times = {
        ours: await mustRun(process.execPath, push(csv), { env }),
        got: await mustRun(process.execPath, [script, baseUrl, bodies], { env }),
        curl: await mustRun('bash', ['-c', CURL, 'curl', few], { env }),
      }
      if (times.ours.lines !== ROWS) throw new Error(`${times.ours.lines} rows ended, not ${ROWS}`)
      if (round === 0) continue
      rates.ours.push((ROWS / times.ours.ms) * 1000)
      rates.got.push((ROWS / times.got.ms) * 1000)
      rates.curl.push((CURL_ROWS / times.curl.ms) * 1000)
    }
    const { accepted } = await (await fetch(`${baseUrl}/stats`)).json()
    const expected = (ROUNDS + 1) * (2 * ROWS + CURL_ROWS)
    if (accepted !== expected) throw new Error(`${accepted} reports arrived, not ${expected}`)
    const ratios = (name) => rates.ours.map((rate, round) => rate / rates[name][round])
    const row = (label, name, least) => {
      const all = ratios(name)
      const [low, high] = [Math.min(...all), Math.max(...all)].map((ratio) => ratio.toFixed(2))
      const ratio = median(all)
      return [
        label,
        `${grouped(median(rates[name]))}/s`,
        `rma: ${ratio.toFixed(2)}× (${low} to ${high})`,
        goal(`≥ ${least}×`, ratio >= least),
      ]
    }
    return [
      [`\`push\` of ${grouped(ROWS)} rows, ${CONCURRENCY} at a time`, `${grouped(median(rates.ours))}/s`],
      row('bare got, nothing checked or written down', 'got', 0.75),
      row(`\`xargs -P${CONCURRENCY} curl\` (${grouped(CURL_ROWS)} rows)`, 'curl', 6),
    ]
  })
}

async function measureLimits(folder) {
  const rows = []
  const csv = join(folder, 'limited.csv')
  writeCsv(csv, reports(LIMITED_ROWS))
  for (const [kind, name] of [
    ['window', `${RATE} in any second`],
    ['bucket', `a bucket of ${RATE}, ${RATE} a second`],
  ]) {
    await withServer([kind, String(RATE)], async (baseUrl) => {
      const env = homeEnv(folder, { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' })
      const { ms } = await mustRun(process.execPath, push(csv), { env })
      const { refused, different } = await (await fetch(`${baseUrl}/stats`)).json()
      rows.push(limitRow(name, ms, refused, LIMITED_ROWS - different))
    })
  }
  rows.push(await limitedSandbox(folder))
  return rows
}

function limitRow(name, ms, refused, lost) {
  const ideal = (LIMITED_ROWS / RATE) * 1000
  const share = (100 * refused) / (LIMITED_ROWS + refused)
  const goals = [goal('≤ 1.05×', ms <= 1.05 * ideal), goal('< 2 %', share < 2), goal('0 lost', lost === 0)]
  return [
    `limit: ${name}`,
    `${(ms / 1000).toFixed(1)} s`,
    `${(ms / ideal).toFixed(3)}× ideal, ${share.toFixed(2)} % refused, ${lost} lost`,
    goals.join(', '),
  ]
}

async function limitedSandbox(folder) {
  const env = homeEnv(folder)
  const sandbox = await startSandbox(
    ['--memory', '--returns', String(LIMITED_ROWS * 4), '--rate-limit', `${RATE}/s`],
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
  const lines = Array.from({ length: LIMITED_ROWS }, (_unused, index) => {
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
  return limitRow("the sandbox's own", pushed.ms, refused, LIMITED_ROWS - succeeded)
}

async function measureMemory(folder) {
  const rows = []
  const env = homeEnv(folder, { RMA_TOKEN: 'token' })
  const [small, large, scans, sent, plan] = ['small.csv', 'large.csv', 'scans.csv', 'sent.csv', 'plan'].map(
    (name) => join(folder, name),
  )
  const TENTH = MANY_ROWS / 10
  writeCsv(small, reports(TENTH))
  writeCsv(large, reports(MANY_ROWS))
  writeCsv(scans, reports(TENTH, 10))
  writeCsv(sent, reports(MANY_ROWS / 5))
  await withServer([], async (baseUrl) => {
    const measure = async (name, count, argv) => {
      const { peakMiB, ms } = await mustRun(process.execPath, argv, {
        env: { ...env, RMA_BASE_URL: baseUrl },
        peak: true,
      })
      const what = `${name}, ${grouped(count)} rows`
      rows.push([
        what,
        `${peakMiB.toFixed(0)} MiB`,
        `${(ms / 1000).toFixed(0)} s`,
        goal('< 150 MiB', peakMiB < 150),
      ])
    }
    await measure('`push --dry-run`', TENTH, push(small, ['--dry-run']))
    await measure('`push --dry-run`', MANY_ROWS, push(large, ['--dry-run']))
    await measure('`push --dry-run`, ten rows a shipment', MANY_ROWS, push(scans, ['--dry-run']))
    await measure('`push`', MANY_ROWS / 5, push(sent))
    const makePlan = [rma, 'tracking', 'plan', '--file', large, '--out', plan, '--quiet']
    await measure('`plan`, of as many returns', MANY_ROWS, makePlan)
    const pushPlan = [rma, 'tracking', 'push', '--plan', plan, '--dry-run', '--quiet', '-o', 'ndjson']
    await measure('`push --plan --dry-run`', MANY_ROWS, pushPlan)
  })
  return rows
}

/** A server of its own process, gone at the end. */
export async function withServer(args, work) {
  const child = spawn(process.execPath, [join(root, 'bench/tracking-server.mjs'), ...args], {
    env: { ...process.env, RETURNS: String(MANY_ROWS) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  try {
    const port = await new Promise((resolve, reject) => {
      child.on('error', reject)
      child.stdout.once('data', (chunk) => resolve(Number(chunk)))
    })
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    child.kill()
  }
}
