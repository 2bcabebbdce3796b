import { Duplex } from 'node:stream'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { UnderWay } from '../../../../src/lib/api/http/under-way.ts'

const AT_ONCE = 16

it('leaves requests that have ended to the collector of what lives short', () => {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')
  const underWay = new UnderWay(60_000)
  const requests: Duplex[] = []
  const heldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  collect({ type: 'major' })
  const before = heldBytes()
  for (let count = 0; count < 4000; count += 1) {
    const request = new Duplex()
    underWay.add(request)
    requests.push(request)
    if (requests.length > AT_ONCE) underWay.delete(requests.shift() as Duplex)
    // Twice while sixteen go, as a job does with a small space for what lives short.
    if (count % (4 * AT_ONCE) === 0) collect({ type: 'minor' })
  }
  expect((heldBytes() - before) / 4000).toBeLessThan(200)
})
