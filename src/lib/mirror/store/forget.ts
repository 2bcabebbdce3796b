import { sql } from 'kysely'
import { parseJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import { emailDigest, emailsOf, forgetKey, normalEmail } from './policy.ts'
import { buryReturns, removeReturns } from './remove.ts'
import { readValue, writeValue } from './state.ts'
import type { MirrorStore } from './store.ts'

/**
 * Removes all returns of a person, and keeps a keyed digest of the address, so that no sync brings them back.
 *
 * @returns how many returns
 */
export async function forgetPerson(mirror: MirrorStore, email: string): Promise<number> {
  const normal = normalEmail(email)
  let removed = 0
  await mirror.erase(() =>
    mirror.db.transaction().execute(async (db) => {
      const digest = emailDigest(await forgetKey(db), normal)
      await db
        .insertInto('forgotten')
        .values({ digest, kind: 'person', sort_key: '' })
        .onConflict((conflict) => conflict.column('digest').doNothing())
        .execute()
      // Part of the address as JSON has it; whether it is the address is told by the record.
      const part = JSON.stringify(normal)
        .slice(1, -1)
        .replace(/[\\%_]/g, '\\$&')
      const rows = await db
        .selectFrom('returns')
        .select(['id', 'document'])
        .where(sql<boolean>`lower(document) like ${`%${part}%`} escape '\\'`)
        .execute()
      const theirs = rows
        .map(({ id, document }) => ({ id, record: parseJson(document) as Return }))
        .filter(({ record }) => emailsOf(record).some((one) => normalEmail(one) === normal))
      await buryReturns(
        db,
        theirs.map(({ record }) => record),
      )
      await removeReturns(
        db,
        theirs.map(({ id }) => id),
      )
      removed = theirs.length
    }),
  )
  return removed
}

/**
 * Removes what was created before, and takes nothing of that time again.
 *
 * @returns how many returns
 */
export async function forgetBefore(mirror: MirrorStore, createdMs: number): Promise<number> {
  const createdFrom = new Date(createdMs).toISOString()
  let removed = 0
  await mirror.erase(() =>
    mirror.db.transaction().execute(async (db) => {
      const before = await readValue(db, 'meta', 'created_from')
      if (typeof before !== 'string' || before < createdFrom) {
        await writeValue(db, 'meta', 'created_from', createdFrom)
      }
      const old = await db.selectFrom('returns').select('id').where('created_at', '<', createdFrom).execute()
      await removeReturns(
        db,
        old.map(({ id }) => id),
      )
      removed = old.length
    }),
  )
  return removed
}
