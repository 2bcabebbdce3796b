import { keyOf } from '../../walk/return-key.ts'
import type { Return } from '../../wire/returns.ts'
import { unindexReturns } from '../search/maintain.ts'
import { dialectOf } from './dialect.ts'
import { emailDigest, forgetKey } from './policy.ts'
import { returnRow } from './rows.ts'
import type { MirrorDb } from './tables.ts'

const BLOCK_SIZE = 500

/** Removes returns with all that belongs to them. */
export async function removeReturns(db: MirrorDb, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BLOCK_SIZE) {
    const block = ids.slice(at, at + BLOCK_SIZE)
    await unindexReturns(db, block)
    for (const table of dialectOf(db).parts)
      await db.deleteFrom(table).where('return_id', 'in', block).execute()
    await db.deleteFrom('returns').where('id', 'in', block).execute()
  }
}

/** Notes returns that are not taken: only that they are, so that they can be counted. */
export async function buryReturns(db: MirrorDb, records: readonly Return[]): Promise<void> {
  if (records.length === 0) return
  const key = await forgetKey(db)
  const graves = records.map((record) => ({
    digest: returnDigest(key, keyOf(record)),
    kind: 'return' as const,
    sort_key: returnRow(record).sort_key,
  }))
  await db
    .insertInto('forgotten')
    .values(graves)
    .onConflict((conflict) => conflict.column('digest').doNothing())
    .execute()
}

export function returnDigest(key: string, id: string): string {
  return emailDigest(key, `return ${id}`)
}
