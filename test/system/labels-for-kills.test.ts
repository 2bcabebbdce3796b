import type { ChildProcess } from 'node:child_process'
import { expect, it } from 'vitest'
import { countArrivals } from '../helpers/arrivals.ts'
import { seededRandom } from '../helpers/bulk-fakes.ts'
import { jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { agePurchases } from '../helpers/open-purchases.ts'
import { usePlatform } from '../helpers/platform.ts'
import { provenShipments } from '../helpers/saved-labels.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const LABELS = 100
const KILLS = 5
const platform = usePlatform({ returns: 2000 })

interface Listed {
  name: string
  shopCode: string
  activeTransportation?: { id: string; carrierLabel?: string }
}

/** Returns that nobody has made a label for, in the page's order. */
async function unlabelled(count: number) {
  const found: Listed[] = []
  for (let page = 1; found.length < count; page++) {
    const list = (await platform.get(`/returns?shop_code=LUMBRE-ES&limit=500&page=${page}`)) as {
      returns: Listed[]
    }
    found.push(...list.returns.filter(({ activeTransportation: one }) => one && !one.carrierLabel))
    if (list.returns.length < 500) break
  }
  return found.slice(0, count)
}

it('five times kill -9 during 100 labels --for - makes no label twice and loses none', async () => {
  const returns = await unlabelled(LABELS)
  expect(returns).toHaveLength(LABELS)
  const seen = countArrivals(platform, 'POST /shipping_labels')
  const [out, env, random] = [newFolder(), spawnEnv(platform.env()), seededRandom(7)]
  const argv = typed`labels create --for - --carrier-service SBX_STANDARD --even-if-ended`
  argv.push('--buy-after-unknown', '--hs-code', '610910', '--format', 'ZPL', '--out', out, '--json')
  const stdin = returns.map(({ name }) => name).join('\n')
  const killAfter = (labels: number) => (child: ChildProcess) => {
    const from = seen()
    const poll = setInterval(() => seen() - from >= labels && child.kill('SIGKILL'), 1)
    child.once('exit', () => clearInterval(poll))
  }
  for (let kill = 0; kill < KILLS; kill++) {
    const onStart = killAfter(7 + Math.floor(random() * 9))
    expect((await spawnCli(argv, { env, stdin, onStart })).signal).toBe('SIGKILL')
    // Requests that were killed before they were sent leave purchases that would be waited for.
    agePurchases(env, 120)
  }
  expect(seen()).toBeLessThan(LABELS)
  expect(jsonOf(succeeded(await spawnCli(argv, { env, stdin }))).files).toHaveLength(LABELS)
  for (const { name, shopCode, activeTransportation } of returns) {
    const id = encodeURIComponent(`${name}-T${activeTransportation?.id}`)
    const sets = await platform.get(`/shipping_labels?client_shipment_id=${id}&shopCode=${shopCode}`)
    expect([name, sets]).toEqual([name, [expect.anything()]])
  }
  expect(seen()).toBe(LABELS)
  expect(provenShipments(out)).toHaveLength(LABELS)
  succeeded(await spawnCli(typed`labels verify ${out}`, { env }))
}, 900_000)
