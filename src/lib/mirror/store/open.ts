import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { errorCode, usageError } from '../../errors.ts'
import { withLock } from '../../files/lock.ts'
import { LOCK_TIME_OUT, notPurged } from './failure.ts'
import type { PostgresServer } from './postgres.ts'
import { dropTables, prepareSchema, TABLES } from './schema.ts'
import { writeValue } from './state.ts'
import { LOCK_CLASS, type MirrorDb } from './tables.ts'

export type MirrorLocation = { file: string } | { server: PostgresServer }

export interface MirrorStore {
  db: MirrorDb
  sizeBytes(): Promise<number>
  /**
   * Runs `action` under the mirror's lock, also against other processes.
   * @throws AppError `usage` when its turn does not come in time
   */
  exclusively<T>(wait: { waitMs: number; signal?: AbortSignal }, action: () => Promise<T>): Promise<T>
  /** Runs `removeRows`, then purges the removed rows from the database files. */
  erase<T>(removeRows: () => Promise<T>): Promise<T>
}

const POLL_MS = 100
const WAITING = { what: 'The mirror', kind: 'usage' } as const

/**
 * Loads the drivers. `beforeLongCheck` is called before a large file is searched for damage.
 * @throws what the database says (`mirrorFailure`)
 */
export async function openMirror(
  location: MirrorLocation,
  beforeLongCheck?: () => Promise<void>,
): Promise<MirrorStore> {
  const mirror = await ('file' in location
    ? openFile(location.file, beforeLongCheck)
    : openDatabase(location.server))
  try {
    await prepareSchema(mirror.db, 'server' in location ? location.server : {})
  } catch (error) {
    await mirror.db.destroy()
    throw error
  }
  return { ...mirror, erase: (removeRows) => eraseOrMark(mirror, removeRows) }
}

/** A purge that fails is left to the next sync. */
async function eraseOrMark<T>({ db, erase }: MirrorStore, removeRows: () => Promise<T>): Promise<T> {
  await writeValue(db, 'unpurged', true)
  const result = await erase(removeRows)
  await writeValue(db, 'unpurged', false)
  return result
}

/**
 * Removes a file, or tables unless `check` throws.
 * @returns how many returns it held; undefined for a damaged file, which is removed as well
 */
export async function dropMirror(
  location: MirrorLocation,
  check: (db: MirrorDb) => Promise<unknown>,
): Promise<number | undefined> {
  if ('file' in location) {
    const { default: Libsql } = await import('libsql')
    return withLock(`${location.file}.lock`, { ...WAITING, waitMs: 0 }, async () => {
      const db = new Libsql(location.file)
      let held: { returns: number } | undefined
      try {
        held = db.prepare('select count(*) as returns from returns').get() as typeof held
      } catch {}
      db.close()
      await removeMirrorFile(location.file)
      return held?.returns
    })
  }
  const { db, exclusively } = await openDatabase(location.server)
  try {
    return await exclusively({ waitMs: 0 }, () => dropTables(db, location.server, check))
  } finally {
    await db.destroy()
  }
}

/** Removes a mirror's file, with those that SQLite and its check leave beside it. */
export async function removeMirrorFile(file: string) {
  for (const end of ['', '-wal', '-shm', '.sound']) await rm(`${file}${end}`, { force: true })
}

async function openFile(
  file: string,
  beforeLongCheck: (() => Promise<void>) | undefined,
): Promise<MirrorStore> {
  const { openSqlite, eraseRows } = await import('./sqlite.ts')
  const db = await openSqlite(file, beforeLongCheck)
  const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
  return {
    db,
    sizeBytes: async () => sizeOf(file) + sizeOf(`${file}-wal`),
    exclusively: (wait, action) => withLock(`${file}.lock`, { ...WAITING, ...wait }, action),
    erase: (removeRows) => eraseRows(db, removeRows),
  }
}

async function openDatabase(server: PostgresServer): Promise<MirrorStore> {
  const { openPostgres } = await import('./postgres.ts')
  let hasDeadRows = false
  const db = await openPostgres(server, ({ detail = '' }) => {
    // Rows that an older transaction may look at stay: "5 dead row versions cannot be removed yet", in any language.
    hasDeadRows ||= /^[1-9]/.test(detail)
  })
  // `current_schema()` is null for a schema that is not made yet.
  const lockKey = sql`${sql.lit(LOCK_CLASS)}, hashtext(coalesce(current_schema(), ''))`
  return {
    db,
    sizeBytes: async () => {
      const { rows } = await sql<{ bytes: string | null }>`
        select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c join pg_namespace n on n.oid = c.relnamespace
        where n.nspname = current_schema() and c.relkind = 'r'`.execute(db)
      return Number(rows[0]?.bytes ?? 0)
    },
    // The lock is a connection's, and ends with it however this process ends.
    exclusively: ({ waitMs, signal }, action) =>
      db.connection().execute(async (connection) => {
        for (const until = performance.now() + waitMs; ; ) {
          const { rows } = await sql<{
            locked: boolean
          }>`select pg_try_advisory_lock(${lockKey}) as locked`.execute(connection)
          if (rows[0]?.locked) break
          if (performance.now() >= until) {
            throw usageError('The mirror is being worked on by another process.', 'wait until it ends')
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
      const result = await removeRows()
      const purge = sql.raw(`vacuum (full, verbose) ${TABLES.join(',')}`)
      hasDeadRows = false
      await purge.execute(db).catch((error: unknown) => {
        throw errorCode(error) === LOCK_TIME_OUT ? notPurged() : error
      })
      // PostgreSQL skips tables of others with a mere notice.
      const { rows } = await sql<{ owner: string }>`
        select tableowner as owner from pg_tables, pg_database where schemaname = current_schema()
        and tablename in (${sql.join(TABLES)}) and datname = current_database()
        and not (pg_has_role(tableowner, 'usage') or pg_has_role(datdba, 'usage'))`.execute(db)
      const [table] = rows
      if (table)
        throw notPurged(`only ${table.owner} can clear the tables' files`, `run it again as ${table.owner}`)
      if (hasDeadRows) throw notPurged()
      return result
    },
  }
}
