// Drop-off points of two carrier services over HTTP: the first search, and later ones in dense areas.
import { join } from 'node:path'
import { homeEnv, inScratch, sized, startSandbox, tail } from './measure.mjs'

const QUERIES = sized(300, 20)
const CITIES = [
  ['LUMBRE-ES', 'CORREOS_RETURN', 40.4168, -3.7038],
  ['HARROW-UK', 'EVRI_PARCELSHOP', 51.5074, -0.1278],
  ['PINECREST-US', 'USPS_GROUND_RETURN', 40.7128, -74.006],
  ['SORA-JP', 'YAMATO_KONBINI', 35.6762, 139.6503],
  ['FJORD-SE', 'POSTNORD_RETURN', 59.3293, 18.0686],
]

export async function bench() {
  return inScratch(async (folder) => {
    const sandbox = await startSandbox(['--data', join(folder, 'data'), '--returns', '100'], homeEnv(folder))
    const search = async (index, more) => {
      const [shopCode, code, latitude, longitude] = CITIES[index % CITIES.length]
      const carrierServices = [{ code }, { code: 'SBX_STANDARD' }]
      const started = performance.now()
      const response = await fetch(`${sandbox.baseUrl}/pudos`, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ shopCode, carrierServices, latitude, longitude, ...more }),
      })
      if (response.status !== 200) throw new Error(`${response.status}: ${await response.text()}`)
      await response.json()
      return performance.now() - started
    }
    const first = await search(0, {})
    const series = async (what, more) => {
      const times = []
      for (let index = 0; index < QUERIES; index += 1) times.push(await search(index, more))
      return { what, ms: tail(times), goals: [['p99', '<', 50]] }
    }
    const rows = [
      {
        what: '`POST /pudos`, the first, which loads the towns',
        ms: { median: first },
        goals: [['ms', '<', 1500]],
      },
      await series('in a capital, 20 points in 10 km', {}),
      await series('in a capital, 200 points in 100 km', { limit: 200, range: 100 }),
    ]
    await sandbox.stop()
    return rows
  })
}
