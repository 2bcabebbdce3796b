// The sandbox under a mixed load for ten minutes: does its memory stay where it is?
import { Agent, request } from 'node:http'
import { homeEnv, inScratch, memoryMiB, sized, startSandbox } from './measure.mjs'
import { grouped } from './page.mjs'

const SECONDS = sized(600, 6)
const AT_ONCE = 8
const RETURNS = 20_000

export async function bench() {
  return inScratch(async (folder) => {
    const sandbox = await startSandbox(
      ['--data', folder, '--returns', String(RETURNS)],
      homeEnv(folder, { RMA_CACHE_DIR: folder }),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const send = (method, path, body) =>
      new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
        const sent = request(sandbox.baseUrl + path, { method, agent, headers }, (response) => {
          let text = ''
          response.setEncoding('utf8')
          response.on('data', (part) => {
            text += part
          })
          response.on('end', () => resolve({ status: response.statusCode, text }))
          response.on('error', reject)
        })
        sent.on('error', reject)
        sent.end(body === undefined ? undefined : JSON.stringify(body))
      })
    const { returns } = JSON.parse((await send('GET', '/returns?limit=500&shop_code=LUMBRE-ES')).text)
    const names = returns.map(({ name }) => name)
    const counts = new Map()
    const end = performance.now() + SECONDS * 1000
    let made = 0
    const turn = async (n) => {
      const name = names[n % names.length]
      if (n % 4 === 0) return send('GET', `/returns?limit=20&page=${1 + (n % 300)}`)
      if (n % 4 === 1) return send('GET', `/returns?name=${encodeURIComponent(name)}`)
      if (n % 400 === 2) {
        return send('POST', '/pudos', {
          shopCode: 'LUMBRE-ES',
          carrierServices: [{ code: 'CORREOS_RETURN' }],
          latitude: 36 + (n % 7),
          longitude: -6 + (n % 9),
        })
      }
      return send('POST', '/shipping_trackings', {
        shopCode: 'LUMBRE-ES',
        shipmentId: name,
        trackingStatus: 'SHIPPING_IN_PROGRESS',
        trackingNumber: `JD${n % 5000}`,
        trackingDate: '2020-01-01T00:00:00Z',
      })
    }
    const work = async () => {
      while (performance.now() < end) {
        const { status } = await turn(made++)
        counts.set(status, (counts.get(status) ?? 0) + 1)
      }
    }
    const samples = []
    const timer = setInterval(() => samples.push(memoryMiB(sandbox.pid, 'VmRSS')), (SECONDS * 1000) / 60)
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    clearInterval(timer)
    agent.destroy()
    await sandbox.stop()
    const mean = (list) => Math.round(list.reduce((sum, one) => sum + one, 0) / list.length)
    const tenth = Math.max(1, Math.floor(samples.length / 10))
    return [
      {
        what: `${SECONDS} s of reads and writes, ${AT_ONCE} clients`,
        count: made,
        ms: { median: SECONDS * 1000 },
        note: [...counts].map(([status, count]) => `${status}: ${grouped(count)}`).join(', '),
      },
      {
        what: 'memory in the last tenth of them',
        peakMiB: mean(samples.slice(-tenth)),
        note: `second tenth: ${mean(samples.slice(tenth, 2 * tenth))} MiB, most: ${Math.max(...samples).toFixed(0)} MiB`,
      },
    ]
  })
}
