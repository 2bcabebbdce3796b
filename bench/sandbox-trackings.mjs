// The sandbox under load: reports of trackings, each on the disk before its answer, reads of returns, and both at once.
import { Agent, request as httpRequest } from 'node:http'
import { homeEnv, inScratch, sized, startSandbox, tail } from './measure.mjs'

const RETURNS = sized(1_000_000, 2000)
const CONNECTIONS = 32
const REPORTS = sized(15_000, 300)
const READS = sized(6000, 300)

/** Send what `next` gives, a bounded number at a time, until it gives nothing more. */
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
  const work = async () => {
    for (let request = next(); request !== undefined; request = next()) {
      const from = performance.now()
      if ((await send(request)) !== 200) failed += 1
      times.push(performance.now() - from)
    }
  }
  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, work))
  const wholeMs = performance.now() - started
  agent.destroy()
  return { times, failed, wholeMs }
}

/** Returns that wait for their parcels, so that each report is a first one with all its effects. */
async function openShipments(target) {
  const found = []
  for (let page = 1; found.length < REPORTS * 3; page += 1) {
    const response = await fetch(`${target.baseUrl}/returns?status=PENDING&limit=500&page=${page}`, {
      headers: { authorization: `Bearer ${target.token}` },
    })
    const { returns } = await response.json()
    if (returns.length === 0) break
    for (const { name, shopCode, activeTransportation } of returns) {
      if (activeTransportation?.status === 'REQUESTED') found.push({ name, shopCode })
    }
  }
  return found
}

export async function bench() {
  return inScratch(async (folder) => {
    const target = await startSandbox(['--data', folder, '--returns', String(RETURNS)], homeEnv(folder))
    const shipments = await openShipments(target)
    let reported = 0
    /** Another shipment each time; when all have had one, each has a later scan. */
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
    // Until the code is compiled and the pages are in memory.
    await load(target, CONNECTIONS, times(2000, report))
    await load(target, CONNECTIONS, times(500, read))
    const writes = await load(target, CONNECTIONS, times(REPORTS, report))
    const reads = await load(target, CONNECTIONS, times(READS, read))
    const [mixedWrites, mixedReads] = await Promise.all([
      load(target, CONNECTIONS / 2, times(REPORTS / 3, report)),
      load(target, CONNECTIONS / 2, times(READS / 3, read)),
    ])
    await target.stop()
    const row = (what, { times, failed, wholeMs }, least) => ({
      what,
      count: times.length,
      // Of all together, for the rate; the tail is of single requests.
      ms: { ...tail(times), median: wholeMs },
      note: `${failed} not 200`,
      ...(least && { goals: [['perSecond', '≥', least]] }),
    })
    return [
      row(`\`POST /shipping_trackings\`, ${CONNECTIONS} connections`, writes, 2000),
      row(`\`GET /returns?limit=20\`, ${CONNECTIONS} connections`, reads, 1500),
      row('`POST`, 16 connections, while others read', mixedWrites),
      row('`GET`, 16 connections, while others write', mixedReads),
    ]
  })
}
