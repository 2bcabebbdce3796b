import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ColumnCache } from '../../../../src/lib/sandbox/store/column-cache.ts'
import { type Database, prepareQuery } from '../../../../src/lib/sandbox/store/database.ts'
import { openDatabase, writeTransaction } from '../../../../src/lib/sandbox/store/open.ts'
import { prepareAll } from '../../../../src/lib/sandbox/store/queries.ts'
import { CaseTables } from '../../../../src/lib/sandbox/store/return-tables.ts'
import { FIRST_RETURN } from '../../../../src/lib/sandbox/store/rows.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'

const folder = mkdtempSync(join(tmpdir(), 'rma-columns-'))
const opened: Database[] = []
afterAll(() => {
  for (const db of opened) db.close()
  rmSync(folder, { recursive: true, force: true })
})
const file = join(folder, 'shared.db')
const RETURNS = 9000
const SHOPS = [0, 1, 2, 3, 4]

/** One process of those that share the file, which merges after ten changes. */
async function process() {
  const db = await openDatabase(file, { seed: 1, returns: RETURNS, now: NOW })
  opened.push(db)
  const queries = prepareAll(db)
  const cases = new CaseTables(db, queries)
  const cache = new ColumnCache(queries, undefined, 10)
  return {
    meta: queries.meta,
    async write(change: () => void, after = () => {}) {
      await writeTransaction(db, file, () => {
        cache.merge(queries.meta())
        change()
        after()
      })
    },
    setStatus(no: number, status: number) {
      const before = cases.find(no) ?? expect.unreachable()
      cases.save(before, { ...before, status, updated: before.updated + 1 })
    },
    count: (status: number) => cache.current(queries.meta()).search({ shops: SHOPS, status }, 0, 0).total,
    rows: (status: number) =>
      prepareQuery<{ n: number }>(db, 'SELECT count(*) AS n FROM returns WHERE status = ?').all(status)[0]?.n,
    changes: () => prepareQuery<{ n: number }>(db, 'SELECT count(*) AS n FROM return_changes').all()[0]?.n,
  }
}

test('all processes see all changes, whoever merges them and whenever they look', async () => {
  const [one, two, seldom] = [await process(), await process(), await process()]
  seldom.count(1)
  for (let i = 0; i < 60; i++) {
    const writer = i % 3 === 0 ? one : two
    await writer.write(() => {
      for (let k = 0; k <= i % 4; k++)
        writer.setStatus(FIRST_RETURN + ((i * 977 + k * 13) % RETURNS), (i + k) % 9)
    })
    const status = i % 9
    const rows = one.rows(status)
    expect([one.count(status), two.count(status)]).toEqual([rows, rows])
  }
  const late = await process()
  for (let status = 0; status < 9; status++) {
    expect([seldom.count(status), late.count(status)]).toEqual([late.rows(status), late.rows(status)])
  }
  expect(one.meta().merged).toBeGreaterThan(100)
  // The table does not grow without end.
  expect(one.changes()).toBeLessThan(25)
})

test('what is undone has never been', async () => {
  const one = await process()
  await one.write(() => {
    for (let i = 0; i < 12; i++) one.setStatus(FIRST_RETURN + i, 3)
  })
  const before = one.count(5)
  // This transaction merges the twelve, and then fails.
  const fail = () => {
    throw new Error('no')
  }
  await expect(one.write(() => one.setStatus(FIRST_RETURN, 5), fail)).rejects.toThrow('no')
  const fresh = await process()
  expect([one.count(5), fresh.count(5), fresh.count(3)]).toEqual([before, before, fresh.rows(3)])
  await one.write(() => one.setStatus(FIRST_RETURN, 5))
  expect([one.count(5), fresh.count(5), fresh.count(3)]).toEqual([before + 1, before + 1, fresh.rows(3)])
})
