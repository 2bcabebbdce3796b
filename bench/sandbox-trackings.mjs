// The sandbox under load: durable tracking updates, reads of returns, and both at once; compared with a bare server
// that only parses updates and sends a stored page.
import { writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { cpuMsOf } from './machine.mjs'
import {
  homeEnv,
  inScratch,
  inTurns,
  rmaFaster,
  rowOf,
  sized,
  startSandbox,
  startServer,
  tail,
} from './measure.mjs'

/** Number of returns, one in 40 of which waits for its parcel. */
const RETURNS = sized(100_000, 2000)
const CONNECTIONS = 32
/** Tracking updates of a round. */
const REPORTS = sized(2000, 100)
const READS = sized(2000, 100)
export const rounds = sized(5, 1)

/** Sends the requests of `next` until it has no more, a bounded number at a time. */
async function load(target, connections, next) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, body }) =>
    new Promise((resolve, reject) => {
      const call = httpRequest(
        `${target.baseUrl}${path}`,
        { method, agent, headers: { authorization: `Bearer ${target.token}` } },
        (response) => {
          response.resume()
          response.on('end', () => resolve(response.statusCode))
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  const times = []
  let failed = 0
  const cpuBefore = cpuMsOf(target.pid)
  const work = async () => {
    for (let request = next(); request !== undefined; request = next()) {
      const from = performance.now()
      if ((await send(request)) !== 200) failed += 1
      times.push(performance.now() - from)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  const ms = performance.now() - started
  agent.destroy()
  // CPU time of the server, excluding the client that all servers share.
  return { times, failed, ms, cpuMs: cpuMsOf(target.pid) - cpuBefore }
}

async function pageText(target, query) {
  const response = await fetch(`${target.baseUrl}/returns?${query}`, {
    headers: { authorization: `Bearer ${target.token}` },
  })
  return response.text()
}

/** Returns that wait for their parcels, so that each tracking update is a first one with all its effects. */
async function openShipments(target) {
  const found = []
  for (let page = 1; found.length < REPORTS * (rounds + 1); page += 1) {
    const { returns } = JSON.parse(await pageText(target, `status=PENDING&limit=500&page=${page}`))
    if (returns.length === 0) break
    for (const { name, shopCode, activeTransportation } of returns) {
      if (activeTransportation?.status === 'REQUESTED') found.push({ name, shopCode })
    }
  }
  return found
}

export async function bench() {
  return inScratch(async (folder) => {
    const sandbox = await startSandbox(['--data', folder, '--returns', String(RETURNS)], homeEnv(folder))
    const page = join(folder, 'page.json')
    writeFileSync(page, await pageText(sandbox, 'limit=20'))
    const bare = await startServer('bare-sandbox.mjs', [page])
    const shipments = await openShipments(sandbox)
    let reported = 0
    /** Makes an update of the next shipment. Each further pass over the shipments sends a later scan. */
    const report = () => {
      const { name, shopCode } = shipments[reported % shipments.length]
      const round = Math.floor(reported / shipments.length)
      reported += 1
      const body = JSON.stringify({
        shopCode,
        shipmentId: name,
        shipmentIdType: 'RETURN_NAME',
        carrierName: 'SEUR',
        trackingNumber: `3404${String(reported).padStart(14, '0')}`,
        trackingStatus: 'SHIPPING_IN_PROGRESS',
        trackingDate: new Date(Date.now() + round * 1000).toISOString(),
      })
      return { method: 'POST', path: '/shipping_trackings', body }
    }
    const read = () => ({ method: 'GET', path: '/returns?limit=20' })
    const times = (count, make) => {
      let left = count
      return () => (left-- > 0 ? make() : undefined)
    }
    const writes = (target) => load(target, CONNECTIONS, times(REPORTS, report))
    const reads = (target) => load(target, CONNECTIONS, times(READS, read))
    const taken = await inTurns(rounds, {
      writes: () => writes(sandbox),
      bareWrites: () => writes(bare),
      reads: () => reads(sandbox),
      bareReads: () => reads(bare),
    })
    const mixed = await inTurns(1, {
      both: () =>
        Promise.all([
          load(sandbox, CONNECTIONS / 2, times(REPORTS, report)),
          load(sandbox, CONNECTIONS / 2, times(READS, read)),
        ]),
    })
    const [mixedWrites, mixedReads] = mixed.both[0]
    await sandbox.stop()
    await bare.stop()
    const row = (what, runs, more = {}) => {
      const { p99 } = tail(runs.flatMap(({ times: each }) => each))
      const failed = runs.reduce((sum, each) => sum + each.failed, 0)
      return rowOf(what, runs, {
        count: runs[0].times.length,
        note: `99 %: ${p99} ms, ${failed} not 200`,
        ...more,
      })
    }
    const bareRow = (what, runs, ours, least) =>
      rowOf(what, runs, {
        count: runs[0].times.length,
        ...rmaFaster(runs, ours),
        ...(least && { goals: [['ratio', '≥', least]] }),
      })
    return [
      row(`\`POST /shipping_trackings\`, ${CONNECTIONS} connections`, taken.writes),
      bareRow('bare `node:http`, nothing kept', taken.bareWrites, taken.writes, 0.4),
      row(`\`GET /returns?limit=20\`, ${CONNECTIONS} connections`, taken.reads),
      bareRow('bare `node:http`, a page it has', taken.bareReads, taken.reads),
      row('`POST`, 16 connections, while others read', [mixedWrites]),
      row('`GET`, 16 connections, while others write', [mixedReads]),
    ]
  })
}
