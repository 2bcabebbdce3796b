import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { openMirror } from '../../../src/lib/mirror/open.ts'
import { openSqliteWriter } from '../../../src/lib/mirror/sqlite.ts'
import { NO_STATE, readState } from '../../../src/lib/mirror/state.ts'
import { stringifyJson } from '../../../src/lib/wire/json.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { testSandbox } from '../../helpers/sandbox-client.ts'

const SYNCED = '2026-04-15T12:00:00.000Z'
const BATCH = 50
let returns: Return[]

beforeAll(async () => {
  const { sandbox, allReturns } = await testSandbox({ returns: 300 })
  returns = await allReturns()
  sandbox.close()
})

async function emptyMirror() {
  const file = join(mkdtempSync(join(tmpdir(), 'rma-mirror-')), 'mirror.db')
  const mirror = await openMirror({ file })
  onTestFinished(() => mirror.close())
  return { mirror, file }
}

const sent = (record: Return) => ({
  record,
  json: Buffer.from(stringifyJson(record)),
  syncedAt: SYNCED,
})

it('stores batches that overlap as they would be stored one by one', async () => {
  const [{ mirror }, { mirror: other }] = [await emptyMirror(), await emptyMirror()]
  const writer = await mirror.openWriter()
  const changed = { ...returns[0], totalTax: 7 } as Return
  const batches = [returns.slice(0, BATCH), returns.slice(BATCH - 1), [changed, ...returns.slice(1, 3)]]
  for (const [index, batch] of batches.entries()) {
    await writer.take(batch.map(sent), { ...NO_STATE, markMs: index })
    await other.apply(batch.map((record) => ({ record, syncedAt: SYNCED })))
  }
  await writer.close()
  expect(writer.applied).toEqual({ added: 300, changed: 1, same: 3, refused: 0 })
  expect(await readState(mirror.db)).toEqual({ ...NO_STATE, markMs: 2 })
  for (const table of [
    'returns',
    'identifiers',
    'return_measures',
    'search_entries',
    'search_words',
  ] as const) {
    const rows = async (db: typeof mirror.db) =>
      (await db.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort()
    expect(await rows(mirror.db), table).toEqual(await rows(other.db))
  }
  const text = String(returns[5]?.customer?.email)
  const found = async (one: typeof mirror) =>
    (await one.search({ text, filter: {}, limit: 5 })).map(({ record }) => record.id)
  expect(await found(mirror)).toContain(returns[5]?.id)
  expect(await found(mirror)).toEqual(await found(other))
})

it('keeps nothing of a transaction in which a statement failed, and says why at its end', async () => {
  const { mirror, file } = await emptyMirror()
  const db = openSqliteWriter(file)
  onTestFinished(() => db.destroy())
  const enter = (digest: string, broken = false) =>
    db.transaction().execute(async (inside) => {
      const row = { digest, kind: 'person' as const, sort_key: '' }
      await inside.insertInto('forgotten').values(row).execute()
      if (broken) await sql`insert into nowhere values (1)`.execute(inside)
      await inside
        .insertInto('forgotten')
        .values({ ...row, digest: `${digest} after` })
        .execute()
    })
  await expect(enter('first', true)).rejects.toMatchObject({
    message: 'no such table: nowhere',
    code: 'SQLITE_ERROR',
  })
  await enter('second')
  const kept = await mirror.db.selectFrom('forgotten').select('digest').orderBy('digest').execute()
  expect(kept.map(({ digest }) => digest)).toEqual(['second', 'second after'])
  expect(await db.selectFrom('forgotten').select('digest').execute()).toHaveLength(2)
})

it('fails the next batch and the end when the database can no longer be written', async () => {
  const { mirror } = await emptyMirror()
  const writer = await mirror.openWriter()
  await sql`drop table identifiers`.execute(mirror.db)
  await writer.take(returns.slice(0, 3).map(sent), NO_STATE)
  await expect(writer.take(returns.slice(3, 6).map(sent), NO_STATE)).rejects.toThrow(
    'no such table: identifiers',
  )
  await expect(writer.close()).rejects.toThrow('no such table: identifiers')
  expect(await mirror.db.selectFrom('returns').select('id').execute()).toEqual([])
})
