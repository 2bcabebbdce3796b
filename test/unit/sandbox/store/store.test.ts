import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/lib/sandbox/store/open.ts'
import { FIRST_RETURN } from '../../../../src/lib/sandbox/store/rows.ts'
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

test('a customer that is not as written is refused, and what there is instead is named', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rma-store-'))
  const file = join(folder, 'sandbox.db')
  try {
    const options = { seed: 1, returns: 1, now: NOW }
    const db = await openDatabase(file, options)
    db.exec(`UPDATE customers SET doc = '{"fullName":"Ada","id":"7"}'`)
    db.close()
    const damaged = await Store.open(file, options)
    try {
      const find = () => damaged.read((data) => data.findReturn(FIRST_RETURN))
      expect(find).toThrow('The data file has a customer that can\'t be read: {"fullName":"Ada","id":"7"}')
    } finally {
      damaged.close()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
