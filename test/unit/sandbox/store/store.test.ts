import { afterAll, expect, test } from 'vitest'
import { FIRST_RETURN, type ReturnRow } from '../../../../src/lib/sandbox/store/rows.ts'
import { Store } from '../../../../src/lib/sandbox/store/store.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'

const store = await Store.open(':memory:', { seed: 1, returns: 20, now: NOW })
afterAll(() => store.close())

test('a failed write is undone, and simultaneous writes are kept', async () => {
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

test('a return is read as it was written, whatever its texts hold', async () => {
  const odd = 'a"b\\c\n\u0000\u001f\u007fé漢🙂\u2028'
  const address = { line1: odd, city: odd, postalCode: '1', countryCode: 'ES' }
  const row = await store.write((data) => {
    const { no = 0, created = 0 } = data.lastReturn() ?? {}
    const [line] = data.findReturn(no)?.lines ?? []
    if (line === undefined) throw new Error('The last return has no line')
    const written: ReturnRow = {
      ...{ no: no + 1, shop: 0, status: 'PENDING', created, updated: created },
      ...{ name: `R#-${odd}`, orderId: odd, orderName: odd },
      customer: { id: '77', fullName: odd, email: odd, phone: odd, address },
      ...{ currency: 'EUR', rate: 1_000_000, fee: 0, warehouse: 0, lines: [{ ...line, note: odd }] },
      ...{ transports: [], refunds: [] },
    }
    data.addReturn(written)
    return written
  })
  const found = store.read((data) => data.findReturn(row.no))
  expect(found).toEqual(row)
  expect(store.read((data) => data.findNamed(row.name))).toEqual([row])
  expect(store.read((data) => data.returnsOfOrder(0, odd))).toEqual([row])
})

test('a return refunded twice is found by either time and by no time between them', async () => {
  const no = await store.write((data) => {
    const [before] = data.awaited(FIRST_RETURN, FIRST_RETURN + 20)
    const [refund] = before?.refunds ?? []
    if (before === undefined || refund === undefined) throw new Error('No return has a refund')
    const refunds = [9000, 9100, 9200].map((executed) => ({ ...refund, executed }))
    data.saveReturn({ ...before, refunds })
    return before.no
  })
  const found = (from: number, to: number) => {
    const filter = { shops: [0, 1, 2, 3, 4], refunded: { from, to } }
    return store.read((data) => data.search(filter, 0, 9)).returns.map((each) => each.no)
  }
  for (const time of [9000, 9100, 9200]) expect(found(time, time)).toEqual([no])
  expect(found(-Infinity, 9000)).toEqual([no])
  for (const [from, to] of [
    [9001, 9099],
    [9101, 9199],
    [0, 8999],
  ] as const) {
    expect(found(from, to)).toEqual([])
  }
})
