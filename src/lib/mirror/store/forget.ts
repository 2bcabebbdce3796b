import { parseJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import { unindexReturns } from '../search/text-index.ts'
import type { MirrorStore } from './open.ts'
import { readBlocks } from './read.ts'
import { returnRow } from './rows.ts'
import { emailDigest, emailsOf, forgetKey, normalEmail, readValue, writeValue } from './state.ts'
import { inBlocks, insertRows, type MirrorDb, PARTS } from './tables.ts'

const BLOCK_SIZE = 500

export async function removeReturns(db: MirrorDb, ids: readonly string[]): Promise<void> {
  if (!db.isTransaction) return db.transaction().execute((within) => removeReturns(within, ids))
  for (const block of inBlocks(ids)) {
    await unindexReturns(db, block)
    for (const table of PARTS) await db.deleteFrom(table).where('return_id', 'in', block).execute()
    await db.deleteFrom('returns').where('id', 'in', block).execute()
  }
}

export async function removeBefore(db: MirrorDb, createdMs: number): Promise<number> {
  const createdFrom = new Date(createdMs).toISOString()
  const old = await db.selectFrom('returns').select('id').where('created_at', '<', createdFrom).execute()
  await removeReturns(
    db,
    old.map(({ id }) => id),
  )
  return old.length
}

/** Replaces returns by tombstones: digests of their ids, by which they still count. */
export async function tombstoneReturns(db: MirrorDb, records: ReadonlyMap<string, Return>) {
  if (records.size === 0) return
  const key = await forgetKey(db)
  const tombstones = [...records].map(([id, record]) => ({
    digest: returnDigest(key, id),
    kind: 'return' as const,
    sort_key: returnRow(record).sort_key,
  }))
  await insertRows(db, 'forgotten', tombstones)
  await removeReturns(db, [...records.keys()])
}

export function returnDigest(key: string, id: string): string {
  return emailDigest(key, `return ${id}`)
}

/** Keeps a keyed digest of the address, so that no sync brings the returns back. @returns how many returns */
export async function forgetPerson(mirror: MirrorStore, email: string): Promise<number> {
  const normal = normalEmail(email)
  return mirror.erase(() =>
    mirror.db.transaction().execute(async (db) => {
      const digest = emailDigest(await forgetKey(db), normal)
      await insertRows(db, 'forgotten', [{ digest, kind: 'person', sort_key: '' }])
      const part = JSON.stringify(normal).slice(1, -1)
      const theirs = new Map<string, Return>()
      // SQLite would fold the case of ASCII letters only.
      for await (const { id, document } of readBlocks(db, {}, ['id', 'sort_key', 'document'], BLOCK_SIZE)) {
        if (!normalEmail(document).includes(part)) continue
        const record = parseJson(document) as Return
        if (emailsOf(record).some((one) => normalEmail(one) === normal)) theirs.set(id, record)
      }
      await tombstoneReturns(db, theirs)
      return theirs.size
    }),
  )
}

export async function forgetBefore(mirror: MirrorStore, createdMs: number): Promise<number> {
  const createdFrom = new Date(createdMs).toISOString()
  return mirror.erase(() =>
    mirror.db.transaction().execute(async (db) => {
      const before = await readValue<string>(db, 'created_from')
      if (before === undefined || before < createdFrom) await writeValue(db, 'created_from', createdFrom)
      return removeBefore(db, createdMs)
    }),
  )
}
