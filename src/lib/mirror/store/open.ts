import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { sql as SqlTag } from 'kysely'
import { AppError } from '../../errors.ts'
import { type LockWait, withLock } from '../../files/lock.ts'
import type { PostgresServer } from './postgres.ts'
import type { MirrorStore, Premises } from './store.ts'
import { LOCK_CLASS, type MirrorDb } from './tables.ts'

/** A file of SQLite, or a database of PostgreSQL. */
export type MirrorPlace = { file: string } | { server: PostgresServer }

interface OpeningEvents {
  whenChecked?: (() => Promise<void>) | undefined
  whenRenewed?: (() => Promise<void>) | undefined
}

const POLL_MS = 100

/**
 * Opens a mirror, or makes it in a folder that exists. The drivers load here only. `whenChecked` is called before a
 * large file is searched for damage, `whenRenewed` before the file of an earlier version is emptied.
 *
 * @throws what the database says (`mirrorFailure`)
 */
export async function openMirror(
  place: MirrorPlace,
  { whenChecked, whenRenewed = async () => {} }: OpeningEvents = {},
): Promise<MirrorStore> {
  const [{ sql }, { prepareSchema }, { MirrorStore: Store }] = await Promise.all([
    import('kysely'),
    import('./schema.ts'),
    import('./store.ts'),
  ])
  const [db, premises] =
    'file' in place ? await openFile(place.file, whenChecked) : await openDatabase(place.server, sql)
  try {
    await prepareSchema(db, 'server' in place ? place.server.schema : undefined, whenRenewed)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return new Store(db, premises)
}

/** Removes a mirror of any version, with its choices and the list of who was forgotten. @returns how many returns it held */
export async function dropMirror(place: MirrorPlace): Promise<number> {
  if ('file' in place) {
    const { default: Libsql } = await import('libsql')
    const { returns } = await withLock(`${place.file}.lock`, { ...WAITING, waitMs: 0 }, async () => {
      const db = new Libsql(place.file)
      const row = db.prepare('select count(*) as returns from returns').get() as { returns: number }
      db.close()
      for (const end of ['', '-wal', '-shm', '.sound']) await rm(`${place.file}${end}`, { force: true })
      return row
    })
    return returns
  }
  const [{ openPostgres }, { dropMirrorTables }] = await Promise.all([
    import('./postgres.ts'),
    import('./schema.ts'),
  ])
  const db = await openPostgres(place.server)
  try {
    return await dropMirrorTables(db)
  } finally {
    await db.destroy()
  }
}

async function openFile(
  file: string,
  whenChecked: OpeningEvents['whenChecked'],
): Promise<[MirrorDb, Premises]> {
  const { openSqlite, eraseRows, runLong } = await import('./sqlite.ts')
  const db = await openSqlite(file, whenChecked)
  const premises: Premises = {
    sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    exclusively: (wait, action) => withLock(`${file}.lock`, { ...WAITING, ...wait }, action),
    erase: (removeRows) => eraseRows(db, removeRows),
    runLong: (statements) => runLong(file, statements),
  }
  return [db, premises]
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

const WAITING: Pick<LockWait, 'what' | 'kind'> = { what: 'The mirror', kind: 'usage' }

async function openDatabase(server: PostgresServer, sql: typeof SqlTag): Promise<[MirrorDb, Premises]> {
  const { openPostgres } = await import('./postgres.ts')
  const db = await openPostgres(server)
  const lockKey = sql`${sql.lit(LOCK_CLASS)}, hashtext(current_schema())`
  const premises: Premises = {
    sizeBytes: async () => {
      const { rows } = await sql<{ bytes: string | null }>`
        select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r'`.execute(db)
      return Number(rows[0]?.bytes ?? 0)
    },
    // The lock is a connection's, and ends with it however this process ends.
    exclusively: (wait, action) =>
      db.connection().execute(async (connection) => {
        const { waitMs, signal } = wait
        for (const until = performance.now() + waitMs; ; ) {
          const { rows } = await sql<{
            taken: boolean
          }>`select pg_try_advisory_lock(${lockKey}) as taken`.execute(connection)
          if (rows[0]?.taken) break
          if (performance.now() >= until) {
            throw new AppError('usage', 'The mirror is being worked on by another process.', {
              hints: ['wait until it ends'],
            })
          }
          await delay(POLL_MS, undefined, { signal })
        }
        try {
          return await action()
        } finally {
          await sql`select pg_advisory_unlock(${lockKey})`.execute(connection)
        }
      }),
    erase: async (removeRows) => {
      await removeRows()
      await sql`vacuum full`.execute(db)
    },
    runLong: async (statements) => {
      for (const text of statements) await sql.raw(text).execute(db)
    },
  }
  return [db, premises]
}
