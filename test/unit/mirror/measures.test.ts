import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it, onTestFinished } from 'vitest'
import { forgetPerson } from '../../../src/lib/mirror/forget.ts'
import { openMirror } from '../../../src/lib/mirror/open.ts'
import { expectMeasured } from '../../helpers/measured.ts'
import { factsIn } from '../../helpers/return-facts.ts'
import { NOW, testSandbox } from '../../helpers/sandbox-client.ts'

const SYNCED = '2026-04-15T12:00:00.000Z'
const { sandbox } = await testSandbox({ returns: 150 })
const all = (await factsIn(sandbox)).map(({ record, transportations, refunds }) => ({
  record,
  transportations: transportations && [...transportations],
  refunds: refunds && [...refunds],
  syncedAt: SYNCED,
}))
sandbox.close()
/** A month later more is stuck. */
const LATER = NOW + 30 * 86_400_000

async function filledMirror() {
  const file = join(mkdtempSync(join(tmpdir(), 'rma-mirror-')), 'mirror.db')
  const mirror = await openMirror({ file })
  onTestFinished(() => mirror.close())
  await mirror.apply(all.map(({ record }) => ({ record, syncedAt: SYNCED })))
  await mirror.apply(all.slice(0, 120))
  return { mirror, file }
}

it('tells of returns what their documents tell, whatever is asked for', async () => {
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

it('follows what changes, with the transports and refunds copied before, and what is removed', async () => {
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
  await mirror.apply(changed)
  const after = await expectMeasured(mirror, LATER)
  expect(after.wrong).toBeGreaterThan(before.wrong)
  await mirror.apply(all.slice(100))
  await mirror.remove(all.slice(0, 50).map(({ record }) => String(record.id)))
  expect((await expectMeasured(mirror, LATER)).returns).toBe(100)
})

it('keeps no words of reasons that only a forgotten person gave', async () => {
  const { mirror } = await filledMirror()
  const [one] = all
  if (!one) throw new Error('no demo data')
  const returnReason = { code: 'OTHER', reason: 'Words of one alone', additionalInfo: '' }
  const returnLineItems = one.record.returnLineItems.map((line) => ({ ...line, returnReason }))
  await mirror.apply([{ ...one, record: { ...one.record, returnLineItems } }])
  const traits = async () => JSON.stringify(await mirror.db.selectFrom('stats_traits').selectAll().execute())
  expect(await traits()).toContain('Words of one alone')
  await forgetPerson(mirror, String(one.record.customer?.email))
  expect(await traits()).not.toContain('Words of one alone')
  await expectMeasured(mirror, LATER)
})

it('measures what was copied by an earlier version', async () => {
  const { mirror, file } = await filledMirror()
  const before = await expectMeasured(mirror, LATER)
  await sql`update return_measures set stats_line = '', stuck_from = null, differs = 0`.execute(mirror.db)
  await mirror.db
    .deleteFrom('kysely_migration' as never)
    .where('name' as never, '>=', '0004-lines-and-words' as never)
    .execute()
  const again = await openMirror({ file })
  onTestFinished(() => again.close())
  expect(await expectMeasured(again, LATER)).toEqual(before)
  expect(before.stuck).toBeGreaterThan(2)
})
