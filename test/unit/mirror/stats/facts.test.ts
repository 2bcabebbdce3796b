import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { applyReturns } from '../../../../src/lib/mirror/store/apply.ts'
import { isUnusable } from '../../../../src/lib/mirror/store/failure.ts'
import { forgetPerson, removeReturns } from '../../../../src/lib/mirror/store/forget.ts'
import { openMirror } from '../../../../src/lib/mirror/store/open.ts'
import { expectMeasured } from '../../../helpers/measured.ts'
import { newMirror } from '../../../helpers/new-mirror.ts'
import { factsIn } from '../../../helpers/return-facts.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'

const SYNCED = '2026-04-15T12:00:00.000Z'
const { sandbox } = await testSandbox({ returns: 150 })
const all = (await factsIn(sandbox)).map(({ record, transportations, refunds }) => ({
  record,
  transportations: transportations && [...transportations],
  refunds: refunds && [...refunds],
  syncedAt: SYNCED,
}))
/** A month later more is stuck. */
const LATER = NOW + 30 * 86_400_000

async function filledMirror() {
  const { mirror, file } = await newMirror()
  await applyReturns(
    mirror.db,
    all.map(({ record }) => ({ record, syncedAt: SYNCED })),
  )
  await applyReturns(mirror.db, all.slice(0, 120))
  return { mirror, file }
}

it('facts agree with the documents, whatever is counted', async () => {
  const { mirror } = await filledMirror()
  const { shopCode, ecommerceOrder, createdAt } = all[7]?.record ?? {}
  const createdFromMs = Date.parse(String(createdAt))
  expect(await expectMeasured(mirror, LATER)).toMatchObject({ returns: 150, stuck: expect.any(Number) })
  const filters = [
    { status: 'CLOSED', shop: String(shopCode) },
    { createdFromMs: createdFromMs - 20 * 86_400_000, updatedToMs: NOW - 5 * 86_400_000 },
    { createdToMs: createdFromMs },
    { refundedFromMs: NOW - 40 * 86_400_000 },
    { order: String(ecommerceOrder?.name) },
  ]
  for (const filter of filters) {
    expect((await expectMeasured(mirror, NOW, filter)).returns, JSON.stringify(filter)).toBeGreaterThan(0)
  }
})

it('facts follow changes and removals, and drop copied transports and refunds', async () => {
  const { mirror } = await filledMirror()
  const before = await expectMeasured(mirror, LATER)
  const changed = all.map(({ record }, index) => ({
    record: {
      ...record,
      ...(index % 3 === 0 ? { status: 'CHECKED' as const, totalRefund: 1 } : {}),
      ...(index % 7 === 0 ? { createdAt: 'soon' } : {}),
      returnLineItems: record.returnLineItems.map((line) => ({
        ...line,
        returnReason: { code: `R,${index % 4}`, reason: 'Said; "so"\n', additionalInfo: '' },
      })),
    },
    syncedAt: SYNCED,
  }))
  await applyReturns(mirror.db, changed)
  const after = await expectMeasured(mirror, LATER)
  expect(after.wrong).toBeGreaterThan(before.wrong)
  await applyReturns(mirror.db, all.slice(100))
  await removeReturns(
    mirror.db,
    all.slice(0, 50).map(({ record }) => String(record.id)),
  )
  expect((await expectMeasured(mirror, LATER)).returns).toBe(100)
})

it('facts keep no words of reasons that only a forgotten person gave', async () => {
  const { mirror } = await filledMirror()
  const [one] = all
  if (!one) throw new Error('no demo data')
  const returnReason = { code: 'OTHER', reason: 'Words of one alone', additionalInfo: '' }
  const returnLineItems = one.record.returnLineItems.map((line) => ({ ...line, returnReason }))
  await applyReturns(mirror.db, [{ ...one, record: { ...one.record, returnLineItems } }])
  const reasons = async () =>
    JSON.stringify(await mirror.db.selectFrom('returns').select('reasons').execute())
  expect(await reasons()).toContain('Words of one alone')
  await forgetPerson(mirror, String(one.record.customer?.email))
  expect(await reasons()).not.toContain('Words of one alone')
  await expectMeasured(mirror, LATER)
})

it('facts refuse a file of another version, which the caller moves aside', async () => {
  const { mirror, file } = await filledMirror()
  for (const version of ['1', '99']) {
    await sql`update meta set value = ${version} where name = 'schema'`.execute(mirror.db)
    const refusal = await openMirror({ file }).catch((error) => error)
    expect([isUnusable(refusal), String(refusal)]).toEqual([true, expect.stringContaining('another version')])
  }
})
