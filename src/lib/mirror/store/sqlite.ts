import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Kysely, type SqliteDatabase, SqliteDialect, type SqliteStatement, sql } from 'kysely'
import { checkIntegrity, rememberSound } from '../../files/database-integrity.ts'
import { assertLocksOwned } from '../../files/lock.ts'
import { notPurged } from './failure.ts'
import type { MirrorDb } from './tables.ts'

const BUSY_MS = 5000
const PAGE_BYTES = 16_384
const MAX_STATEMENTS = 100

export async function openSqlite(file: string, beforeLongCheck?: () => Promise<void>): Promise<MirrorDb> {
  closeSync(openSync(file, 'a', 0o600))
  // A locked file was checked by the process that holds the lock.
  await checkIntegrity(file, async (_file, check) => check(), beforeLongCheck)
  const { default: Libsql } = await import('libsql')
  const db = new Libsql(file)
  try {
    // Each page holds several records.
    db.exec(`PRAGMA page_size = ${PAGE_BYTES}`)
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -8192; PRAGMA temp_store = MEMORY; PRAGMA secure_delete = ON`)
    // Temporary files of large sorts hold personal data: they belong beside the mirror.
    db.exec(`PRAGMA temp_store_directory = '${dirname(file).replaceAll("'", "''")}'`)
  } catch (error) {
    db.close()
    throw error
  }
  return new Kysely({
    dialect: new SqliteDialect({ database: withStatementCache(db, () => rememberSound(file)) }),
    // SQLite blocks the thread: signals need turns between queries.
    plugins: [{ transformQuery: ({ node }) => node, transformResult: ({ result }) => nextTurn(result) }],
  })
}

export async function eraseRows<T>(db: MirrorDb, removeRows: () => Promise<T>): Promise<T> {
  const result = await removeRows()
  await sql`insert into search_index (search_index) values ('optimize')`.execute(db)
  await sql`vacuum`.execute(db)
  const { rows } = await sql<{ busy: number }>`pragma wal_checkpoint(truncate)`.execute(db)
  if (rows[0]?.busy) throw notPurged()
  return result
}

interface Driver {
  readonly inTransaction: boolean
  prepare(sql: string): SqliteStatement
  exec(sql: string): void
  close(): void
}

const NOTHING: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [].values(),
}

function withStatementCache(db: unknown, whenClosed: () => void): SqliteDatabase {
  const driver = db as Driver
  const statements = new Map<string, SqliteStatement>()
  return {
    close: () => {
      statements.clear()
      try {
        // The driver closes late, and the log would stay until then.
        driver.exec('PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE)')
      } catch {
        // Another process still uses the log, and will clear it.
      }
      driver.close()
      whenClosed()
    },
    prepare: (sql) => {
      // SQLite itself ends a transaction that runs out of room; a second error would hide why.
      if (sql === 'rollback' && !driver.inTransaction) return NOTHING
      // Another process may have taken the lock over while this one was suspended.
      if (!driver.inTransaction) assertLocksOwned()
      // All transactions write; one that begins with a read could not write after another's write.
      const text = sql === 'begin' ? 'begin immediate' : sql
      const statement = statements.get(text) ?? driver.prepare(text)
      if (statements.size >= MAX_STATEMENTS) statements.clear()
      statements.set(text, statement)
      return statement
    },
  }
}
