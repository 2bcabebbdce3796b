import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { newFolder } from '../../../helpers/files.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'

const file = join(newFolder(), 'sandbox.db')
/** Two processes on the same data, as far as SQLite can tell. */
const [mine, other] = [await testSandbox({ file, returns: 40 }), await testSandbox({ file })]
afterAll(() => {
  mine.sandbox.close()
  other.sandbox.close()
})

const QUERIES = [
  'limit=3',
  'status=PENDING',
  'status=RECEPTION_IN_PROGRESS&limit=500',
  'limit=3&time_zone=Asia/Tokyo',
]
const who = fc.constantFrom(mine, other)
const change = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('report' as const), who, pick: fc.nat(39) }) },
  fc.record({ kind: fc.constant('advance' as const), who, pick: fc.integer({ min: 3600, max: 172_800 }) }),
  fc.record({ kind: fc.constant('reset' as const), who, pick: fc.nat(1000) }),
)

let reports = 0
async function apply({
  kind,
  who: { sandbox, request },
  pick,
}: typeof change extends fc.Arbitrary<infer C> ? C : never) {
  if (kind === 'advance') return sandbox.control.advance(pick)
  if (kind === 'reset') return sandbox.reset({ seed: pick, returns: 40 })
  const { body } = await request('/returns?limit=40')
  const { shopCode, name: shipmentId }: Return = body.returns[pick]
  reports += 1
  const trackingDate = new Date(NOW + reports * 1000).toISOString()
  const report = { shopCode, shipmentId, trackingStatus: 'SHIPPING_IN_PROGRESS', trackingDate }
  await request('/shipping_trackings', { method: 'POST', body: report })
}

test('a repeated list equals that of a new process, whoever changed data or clock', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 6 }), async (changes) => {
      for (const each of changes) {
        await apply(each)
        const fresh = await testSandbox({ file })
        for (const query of QUERIES) {
          const { body } = await fresh.request(`/returns?${query}`)
          expect((await mine.request(`/returns?${query}`)).body).toEqual(body)
        }
        fresh.sandbox.close()
      }
    }),
    { numRuns: 12 },
  )
})

test('a list belongs to the token that requests it, though another requested the same', async () => {
  const [shop, second] = mine.sandbox.shops()
  const list = async (shops?: string[]) => {
    const authorization = `Bearer ${mine.sandbox.issueToken({ shops })}`
    const { body } = await mine.request('/returns?limit=500', { headers: { authorization } })
    return new Set(body.returns.map(({ shopCode }: Return) => shopCode))
  }
  const all = await list()
  expect(await list([shop?.code ?? ''])).toEqual(new Set([shop?.code]))
  expect(await list([second?.code ?? ''])).toEqual(new Set([second?.code]))
  expect(await list()).toEqual(all)
})
