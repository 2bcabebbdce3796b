import { afterAll, expect, test } from 'vitest'
import { Store } from '../../../../src/lib/sandbox/store/store.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'

const store = await Store.open(':memory:', { seed: 1, returns: 20, now: NOW })
afterAll(() => store.close())

test('what a write did before it failed is undone, and nothing of the others in its group', async () => {
  const first = await store.write((data) => data.takeParcelNumbers(1))
  const results = await Promise.allSettled([
    store.write((data) => data.takeParcelNumbers(10)),
    store.write((data) => {
      data.takeParcelNumbers(100)
      throw new Error('on second thoughts')
    }),
    store.write((data) => data.takeParcelNumbers(1000)),
  ])
  expect(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
  ).toEqual([first + 1, 'on second thoughts', first + 11])
  expect(await store.write((data) => data.takeParcelNumbers(1))).toBe(first + 1011)
})
