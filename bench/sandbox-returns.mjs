// The sandbox with 100,000 and a million returns: time to fill it, and latency of any page of `GET /returns` to its
// last byte. Parsing by the client is not measured.
import { statSync } from 'node:fs'
import { Agent, get } from 'node:http'
import { join } from 'node:path'
import { homeEnv, inScratch, sized, startSandbox, tail } from './measure.mjs'
import { grouped } from './page.mjs'

/** Numbers of returns, each with the limit in milliseconds for 95 % of its pages. */
const SIZES = [
  [sized(100_000, 2000), 50],
  [sized(1_000_000, 4000), 400],
]
const QUERIES = sized(400, 20)

/** Returns a deterministic generator, so that all runs ask the same. */
function sequence(seed) {
  let state = seed
  return () => {
    state = (state * 1664525 + 1013904223) % 2 ** 32
    return state / 2 ** 32
  }
}

const STATUSES = [
  'PENDING',
  'RECEPTION_IN_PROGRESS',
  'RECEPTION_COMPLETED',
  'RECEIVED',
  'CHECKED',
  'CLOSED',
  'DISCARDED',
  'EXPIRED',
  'NEEDS_VALIDATION',
]

function randomQuery(random, shops) {
  const query = new URLSearchParams()
  const pick = (list) => list[Math.floor(random() * list.length)]
  const day = () => new Date(Date.now() - random() * 400 * 86_400_000).toISOString().slice(0, 19)
  if (random() < 0.4) query.set('status', pick(STATUSES))
  if (random() < 0.4) query.set('shop_code', pick(shops))
  for (const kind of ['created', 'updated', 'refunded']) {
    if (random() > 0.3) continue
    const [from, to] = [day(), day()].sort()
    if (random() < 0.8) query.set(`${kind}_from`, from)
    if (random() < 0.8) query.set(`${kind}_to`, to)
  }
  if (random() < 0.3) query.set('time_zone', pick(['Europe/Madrid', 'America/New_York', 'Asia/Tokyo']))
  query.set('limit', pick(['20', '100', '500']))
  return query
}

function fetchBytes({ baseUrl, token }, path, agent) {
  return new Promise((resolve, reject) => {
    get(`${baseUrl}${path}`, { agent, headers: { authorization: `Bearer ${token}` } }, (response) => {
      const chunks = []
      response.on('data', (chunk) => chunks.push(chunk))
      response.on('end', () => resolve({ status: response.statusCode, body: Buffer.concat(chunks) }))
    }).on('error', reject)
  })
}

async function measureSize(returns, limitMs) {
  return inScratch(async (folder) => {
    const started = performance.now()
    const sandbox = await startSandbox(['--data', folder, '--returns', String(returns)], homeEnv(folder))
    const filledMs = performance.now() - started
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = async (query, times) => {
      const from = performance.now()
      const { status, body } = await fetchBytes(sandbox, `/returns?${query}`, agent)
      times.push(performance.now() - from)
      if (status !== 200) throw new Error(`${status} for ${query}: ${body}`)
      return JSON.parse(body)
    }
    const random = sequence(7)
    const shops = JSON.parse(Buffer.from(sandbox.token.split('.')[1], 'base64url').toString()).shops
    const first = []
    const deep = []
    for (let index = 0; index < QUERIES; index += 1) {
      const query = randomQuery(random, shops)
      const { pageInfo } = await ask(query, first)
      query.set('page', String(1 + Math.floor(random() * Math.max(1, pageInfo.totalPages))))
      await ask(query, deep)
    }
    agent.destroy()
    await sandbox.stop()
    const row = (what, times) => ({ what, ms: tail(times), goals: [['p95', '<', limitMs]] })
    return [
      {
        what: `filled with ${grouped(returns)} returns`,
        ms: { median: filledMs },
        sizeMiB: statSync(join(folder, 'sandbox.db')).size / 2 ** 20,
        goals: [['ms', '<', 120_000]],
      },
      row(`${grouped(returns)} returns: \`GET /returns\`, any filters, first page`, first),
      row('any page of it', deep),
    ]
  })
}

export async function bench() {
  const rows = []
  for (const [returns, limitMs] of SIZES) rows.push(...(await measureSize(returns, limitMs)))
  return rows
}
