import { expect, it } from 'vitest'
import { searchReturns } from '../../../../src/lib/mirror/search/search.ts'
import { countMirror } from '../../../../src/lib/mirror/stats/facts.ts'
import { applyReturns } from '../../../../src/lib/mirror/store/apply.ts'
import type { MirroredReturn } from '../../../../src/lib/mirror/store/read.ts'
import { filteredReturns, readByIds, readCandidates } from '../../../../src/lib/mirror/store/read.ts'
import { PART_ROWS } from '../../../../src/lib/mirror/store/rows.ts'
import type { RowOf } from '../../../../src/lib/mirror/store/tables.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { expectPrivate } from '../../../helpers/files.ts'
import { eachReturn } from '../../../helpers/mirror-home.ts'
import { newMirror } from '../../../helpers/new-mirror.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const SYNCED = '2026-04-15T12:00:00.000Z'
const { allReturns, transportsOf, refundsOf } = await testSandbox({ returns: 600 })
const returns = await allReturns()
const closed = returns.find(({ status }) => status === 'CLOSED') ?? expect.unreachable()
const detailed: MirroredReturn = {
  record: closed,
  transportations: await transportsOf(closed),
  refunds: await refundsOf(closed),
  syncedAt: SYNCED,
}

const plain = (record: Return): MirroredReturn => ({ record, syncedAt: SYNCED })

async function all(items: AsyncIterable<MirroredReturn>) {
  const found: MirroredReturn[] = []
  for await (const item of items) found.push(item)
  return found
}

it('a mirror returns more than a block of stored returns, newest first', async () => {
  const { mirror, file } = await newMirror()
  expect(await applyReturns(mirror.db, returns.map(plain))).toEqual({
    added: 600,
    changed: 0,
    same: 0,
    refused: 0,
  })
  const back = await all(eachReturn(mirror))
  const order = (one: Return) => `${one.createdAt}`
  expect(back.map(({ record }) => record.id).sort()).toEqual(valuesOf(returns, 'id').sort())
  expect(back.map(({ record }) => order(record))).toEqual(returns.map(order).sort().reverse())
  const known = new Map(returns.map((one) => [one.id, one]))
  for (const { record } of back) {
    const { customerIban: _, accountHolderName: __, ...kept } = known.get(record.id) ?? {}
    expect(record).toEqual(kept)
  }
  expectPrivate(file)
})

it('applyReturns counts changes and keeps one copy of each return', async () => {
  const { mirror } = await newMirror()
  const [first, second] = returns
  if (!first || !second) throw new Error('no returns')
  await applyReturns(mirror.db, [plain(first), plain(second)])
  const changed = { ...second, status: 'CLOSED' as const, totalRefund: 1 }
  expect(await applyReturns(mirror.db, [plain(first), plain(changed)])).toMatchObject({
    added: 0,
    changed: 1,
    same: 1,
  })
  expect(await countMirror(mirror)).toMatchObject({ returns: 2, withTransports: 0 })
  expect(
    valuesOf(await readByIds(mirror.db, [String(second.id), 'none', String(first.id)]), 'record'),
  ).toEqual([changed, first])
})

it('of two copies of a return in one batch the later one is kept and found', async () => {
  const { mirror } = await newMirror()
  const [first] = returns
  if (!first) throw new Error('no returns')
  const later = { ...first, merchantReturnName: 'ZZ-9' }
  const applied = await applyReturns(mirror.db, [...returns.map(plain), plain(later)])
  expect(applied).toMatchObject({ added: 600, changed: 0 })
  expect(valuesOf(await readByIds(mirror.db, [String(first.id)]), 'record')).toEqual([later])
  const [hit] = await searchReturns(mirror.db, { text: 'ZZ9', limit: 2 })
  expect(hit?.record).toEqual(later)
})

it('a changed return loses its copied transports and refunds, but not its label ids', async () => {
  const { mirror } = await newMirror()
  await applyReturns(mirror.db, [detailed])
  const { record, transportations: [transport] = [], refunds } = detailed
  const id = String(record.id)
  await applyReturns(mirror.db, [plain(record)])
  expect(await readByIds(mirror.db, [id, 'none'])).toEqual([detailed])
  const changed = { ...record, totalTax: 7, activeTransportation: null } as Return
  await applyReturns(mirror.db, [plain(changed)])
  expect(await readByIds(mirror.db, [id])).toEqual([plain(changed)])
  const found = await readCandidates(mirror.db, `${record.name}-T${transport?.id}`)
  expect(valuesOf(found, 'record')).toEqual([changed])
  expect(await readCandidates(mirror.db, `${record.name}-T0`)).toEqual([])
  await applyReturns(mirror.db, [{ ...plain(changed), refunds }])
  expect(await readByIds(mirror.db, [id])).toEqual([{ ...plain(changed), refunds }])
})

it('a mirrored return is found by each of its names', async () => {
  const { mirror } = await newMirror()
  await applyReturns(mirror.db, [...returns.map(plain), detailed])
  const { record, transportations: [transport] = [] } = detailed
  const order = record.ecommerceOrder.name ?? ''
  const names = [
    record.id,
    record.name,
    record.name.replace('R#-', '').toLowerCase(),
    `#${order}`,
    record.ecommerceOrder.id,
    transport?.clientReference,
    transport?.carrierReference,
    `${record.name}-T${transport?.id}`,
  ]
  for (const name of names) {
    const found = await readCandidates(mirror.db, String(name))
    expect(
      found.map((one) => one.record.id),
      String(name),
    ).toContain(record.id)
  }
  expect(await readCandidates(mirror.db, ' ')).toEqual([])
  expect(await readCandidates(mirror.db, 'nobody')).toEqual([])
})

it('the mirror filters as lists do', async () => {
  const { mirror } = await newMirror()
  await applyReturns(mirror.db, [...returns.map(plain), detailed])
  const pending = returns.filter(({ status }) => status === 'PENDING')
  expect(pending.length).toBeGreaterThan(0)
  expect(await all(eachReturn(mirror, { status: 'PENDING' }))).toHaveLength(pending.length)
  const middle = Date.parse(String(returns[300]?.createdAt).replace(' ', 'T'))
  const newer = returns.filter((one) => Date.parse(String(one.createdAt).replace(' ', 'T')) >= middle)
  expect(await all(eachReturn(mirror, { createdFromMs: middle }))).toHaveLength(newer.length)
  const refunded = await all(eachReturn(mirror, { refundedFromMs: 0 }))
  expect(refunded.map(({ record }) => record.id)).toEqual([detailed.record.id])
  const { name, ecommerceOrder, shopCode } = detailed.record
  const [one, ...others] = await all(eachReturn(mirror, { name, order: ecommerceOrder.id, shop: shopCode }))
  expect([one?.record.id, others.length]).toEqual([detailed.record.id, 0])
})

it.each([{ name: 'R#-LU105193' }, { order: 'LU105193' }, { refundedFromMs: 0, refundedToMs: 1 }])(
  'a mirror looks for %j without going through all documents',
  async (filter) => {
    const { mirror } = await newMirror()
    const steps = await filteredReturns(mirror.db, filter).select('id').explain()
    const details = valuesOf(steps, 'detail')
    expect(details.filter((detail) => /^SCAN \w+$/.test(detail))).toEqual([])
    expect(details.length).toBeGreaterThan(0)
  },
)

it('a mirror shows items as PostgreSQL stores them', async () => {
  const { mirror } = await newMirror()
  const odd = [
    { sku: 5, barcode: true, vendor: { of: ['x'] }, quantity: '2', price: 'much', returnAmount: -1.5 },
    {},
  ]
  const shop = { id: 'odd', name: 'R#-1', shopCode: 'X', createdAt: '2026-01-01 10:00:00Z' }
  const records = [
    ...returns,
    { ...shop, returnLineItems: odd },
    { ...shop, id: 'none', returnLineItems: { id: 'x' } },
  ] as Return[]
  await applyReturns(mirror.db, records.map(plain))
  const items = await mirror.db.selectFrom('return_items').selectAll().execute()
  const asStored = (one: RowOf<'return_items'>) => {
    const [quantity, price, amount] = [one.quantity, one.price, one.amount].map((value) =>
      value === null || value === undefined ? null : Number(value),
    )
    return { ...one, quantity, price, amount }
  }
  const expected = records.flatMap((one) =>
    PART_ROWS.return_items({ record: one }, String(one.id)).map(asStored),
  )
  expect(expected.length).toBeGreaterThan(returns.length)
  const order = (one: { return_id: string; position: number }) => `${one.return_id} ${one.position}`
  const sorted = (rows: { return_id: string; position: number }[]) =>
    rows.sort((one, other) => (order(one) < order(other) ? -1 : 1))
  expect(sorted(items)).toEqual(sorted(expected))
})

it('a mirror keeps a record that does not fit the specification', async () => {
  const { mirror } = await newMirror()
  const odd = {
    id: 'odd\ud800',
    name: 'R#-\u0000\ud800',
    createdAt: 'soon',
    totalReturnAmount: 'much',
    extra: [{ a: '\ud800' }],
  }
  const none = { shopCode: 'X' }
  await applyReturns(mirror.db, [plain(odd as unknown as Return), plain(none as Return)])
  const back = await all(eachReturn(mirror))
  expect(valuesOf(back, 'record')).toEqual(expect.arrayContaining([odd, none]))
  expect(valuesOf(await readCandidates(mirror.db, 'Odd\ud800'), 'record')).toEqual([odd])
})
