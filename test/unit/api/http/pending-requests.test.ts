import { Duplex } from 'node:stream'
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { PendingRequests } from '../../../../src/lib/api/http/pending-requests.ts'

const AT_ONCE = 16
const REQUESTS = 4000

it('ended requests are left to the collector of short-lived objects', () => {
  setFlagsFromString('--expose-gc')
  const collect: (options: { type: 'minor' | 'major' }) => void = runInNewContext('gc')
  const pending = new PendingRequests(60_000)
  const requests: Duplex[] = []
  const heldBytes = () =>
    getHeapSpaceStatistics().find(({ space_name }) => space_name === 'old_space')?.space_used_size ?? 0
  const heldByOne = () => {
    collect({ type: 'major' })
    const before = heldBytes()
    for (let count = 0; count < REQUESTS; count += 1) {
      const request = new Duplex()
      pending.add(request)
      requests.push(request)
      if (requests.length > AT_ONCE) pending.delete(requests.shift() as Duplex)
      // Twice while sixteen go, as a job does with a small space for what lives short.
      if (count % (4 * AT_ONCE) === 0) collect({ type: 'minor' })
    }
    return (heldBytes() - before) / REQUESTS
  }
  // The middle of five rounds: in the first V8 compiles, and in some it gives back what was held before.
  const held = Array.from({ length: 5 }, heldByOne).sort((a, b) => a - b)
  expect(held[2]).toBeLessThan(200)
})
