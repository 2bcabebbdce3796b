import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '../../../../src/lib/sandbox/store/open.ts'
import { partyOf } from '../../../../src/lib/sandbox/store/return-cells.ts'
import { FIRST_RETURN, type ReturnRow } from '../../../../src/lib/sandbox/store/rows.ts'
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

test('a return is read as it was written, whatever its texts hold', async () => {
  const odd = 'a"b\\c\n\u0000\u001f\u007fé漢🙂\u2028'
  const address = { line1: odd, city: odd, postalCode: '1', countryCode: 'ES' }
  const person = { fullName: odd, email: odd, phone: odd, address }
  const row = await store.write((data) => {
    const { no = 0, created = 0 } = data.lastReturn() ?? {}
    const [line] = data.findReturn(no)?.doc.lines ?? []
    if (line === undefined) throw new Error('The last return has no line')
    const written: ReturnRow = {
      ...{ no: no + 1, shop: 0, status: 0, created, updated: created, cancelled: null },
      ...{ name: `R#-${odd}`, orderId: odd, orderName: odd },
      customer: data.addCustomer({ id: '77', ...person }),
      doc: { currency: 'EUR', rate: 1_000_000, fee: 0, warehouse: 0, lines: [{ ...line, note: odd }] },
    }
    data.addReturn(written, { transports: [], refunds: [] })
    return written
  })
  const { shop, customer, transport, ...found } = store.read((data) => data.findReturn(row.no)) ?? fail()
  expect({ ...found, shop: shop.no, customer: row.customer }).toEqual(row)
  expect({ id: customer.id, ...partyOf(customer), transport }).toEqual({ id: '77', ...person })
})

test('returns of a page that are not there are named', () => {
  const around = ['[', ']'] as const
  const pageOf = (numbers: number[]) =>
    store.read((data) => data.page(numbers, '', ({ no }) => String(no), around).toString())
  const [second, first] = [FIRST_RETURN + 1, FIRST_RETURN]
  expect(pageOf([second, first])).toBe(`[${second},${first}]`)
  expect(() => pageOf([second, 7, FIRST_RETURN + 2])).toThrow('The data file has no return 7')
})

function fail(): never {
  throw new Error('The return is not there')
}
