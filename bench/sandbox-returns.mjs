// The sandbox with a million returns: time to fill it, and how long any page of `GET /returns` takes.
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { homeEnv, inScratch, sized, startSandbox, tail } from './measure.mjs'
import { grouped } from './page.mjs'

const RETURNS = sized(1_000_000, 2000)
const QUERIES = sized(400, 20)

/** A fixed sequence, so that two runs ask the same questions. */
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

export async function bench() {
  return inScratch(async (folder) => {
    const started = performance.now()
    const sandbox = await startSandbox(['--data', folder, '--returns', String(RETURNS)], homeEnv(folder))
    const filledMs = performance.now() - started
    const ask = async (query) => {
      const response = await fetch(`${sandbox.baseUrl}/returns?${query}`, {
        headers: { authorization: `Bearer ${sandbox.token}` },
      })
      if (response.status !== 200)
        throw new Error(`${response.status} for ${query}: ${await response.text()}`)
      return response.json()
    }
    const random = sequence(7)
    const shops = JSON.parse(Buffer.from(sandbox.token.split('.')[1], 'base64url').toString()).shops
    const first = []
    const deep = []
    for (let index = 0; index < QUERIES; index += 1) {
      const query = randomQuery(random, shops)
      let from = performance.now()
      const { pageInfo } = await ask(query)
      first.push(performance.now() - from)
      query.set('page', String(1 + Math.floor(random() * Math.max(1, pageInfo.totalPages))))
      from = performance.now()
      await ask(query)
      deep.push(performance.now() - from)
    }
    await sandbox.stop()
    const row = (what, times) => ({ what, ms: tail(times), goals: [['p95', '<', 50]] })
    return [
      {
        what: `filled with ${grouped(RETURNS)} returns`,
        ms: { median: filledMs },
        sizeMiB: statSync(join(folder, 'sandbox.db')).size / 2 ** 20,
        goals: [['ms', '<', 120_000]],
      },
      row('`GET /returns`, any filters, first page', first),
      row('any page of it', deep),
    ]
  })
}
