import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, appError, errorCode, quotedWord } from '../../errors.ts'
import { checkIntegrity, isDamage } from '../../files/database-integrity.ts'
import { diskTrouble } from '../../files/file-failure.ts'
import { makeFolders } from '../../files/make-folder.ts'
import type { SeedOptions } from '../demo/returns.ts'
import { type Database, Statements } from './snapshot.ts'

export const MEMORY = ':memory:'
/** Raised when tables, their contents or the demo data become incompatible with older files. */
const SCHEMA_VERSION = 9

/** Queries filter by the columns besides `doc`. `returns_listed` has all that lists filter by, so that counting reads no row. */
const TABLES = `
  CREATE TABLE meta (
    generation INTEGER NOT NULL, secret TEXT NOT NULL, clock_offset INTEGER NOT NULL DEFAULT 0,
    faults TEXT NOT NULL DEFAULT '[]', next_parcel INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE returns (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, name TEXT NOT NULL, status TEXT NOT NULL,
    order_id TEXT NOT NULL, order_name TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    refunded_first INTEGER, refunded_last INTEGER, doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX returns_by_name ON returns (name);
  CREATE INDEX returns_by_order_id ON returns (order_id);
  CREATE INDEX returns_by_order_name ON returns (order_name);
  CREATE INDEX returns_listed ON returns (created, no, shop, status, updated, refunded_first, refunded_last);
  CREATE TABLE label_sets (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, client_shipment_id TEXT NOT NULL, doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX label_sets_by_shipment ON label_sets (client_shipment_id, shop);
  CREATE TABLE labels (
    labelSet INTEGER NOT NULL, position INTEGER NOT NULL, trackingCode TEXT NOT NULL UNIQUE,
    trackingUrl TEXT, format TEXT NOT NULL, urlKey TEXT UNIQUE, document BLOB NOT NULL,
    PRIMARY KEY (labelSet, position)
  ) STRICT;
  PRAGMA user_version = ${SCHEMA_VERSION};
`
const RETRY_MS = 20
const BUSY_MS = 5000
const MAX_WAIT_MS = 15 * 60_000

/** Fills a new file in one transaction: a killed process leaves all or nothing. @throws AppError `config` */
export async function openDatabase(file: string, options: SeedOptions): Promise<Database> {
  try {
    if (file !== MEMORY) {
      await createPrivateFile(file)
      await checkIntegrity(file, whenFree)
    }
    const db = await connect(file)
    try {
      await prepare(db, file, options)
    } catch (error) {
      db.close()
      throw error
    }
    return db
  } catch (error) {
    throw unusable(file, error)
  }
}

/** Other processes see the old data until the end. */
export async function refill(file: string, options: SeedOptions) {
  const db = await connect(file)
  try {
    await inTransaction(db, file, () => fillAnew(db, options))
    // Pages that others still read stay in the log.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    throw unusable(file, error)
  } finally {
    db.close()
  }
}

export async function connect(file: string): Promise<Database> {
  const { default: Constructor } = await import('libsql')
  return new Constructor(file)
}

/** Returns 0 without tables, undefined for another program's file. */
function schemaVersion(db: Database) {
  const sql = `SELECT count(*) AS tables, coalesce(sum(name IN ('meta', 'returns')), 0) AS ours,
    (SELECT user_version FROM pragma_user_version) AS version FROM sqlite_schema WHERE type = 'table'`
  const { tables, ours, version } = new Statements(db).get<Record<string, number>>(sql) ?? {}
  if (tables === 0) return 0
  return ours === 2 ? version : undefined
}

async function prepare(db: Database, file: string, options: SeedOptions) {
  const version = await whenFree(file, () => schemaVersion(db))
  if (version === 0) {
    // A rollback journal writes new pages once, a write-ahead log twice.
    db.exec('PRAGMA cache_size = -8192; PRAGMA synchronous = NORMAL')
    await inTransaction(db, file, async () => {
      if (schemaVersion(db) === 0) await fill(db, 1, newSecret(), options)
    })
  } else if (version !== undefined && version < SCHEMA_VERSION) {
    await inTransaction(db, file, async () => {
      if (schemaVersion(db) === SCHEMA_VERSION) return
      options.onNote?.(
        `${file} is of an earlier version: its data are made anew, changes made to them are gone`,
      )
      await fillAnew(db, options)
    })
  } else if (version !== SCHEMA_VERSION) {
    const problem =
      version === undefined ? 'is not a data file of the sandbox' : 'was made by a later version'
    throw appError('config', `${file} ${problem}`, 'remove the file, or name another one')
  }
  // Changing the journal needs the file exclusively.
  await whenFree(file, () => db.exec('PRAGMA journal_mode = WAL'))
  // A commit does not wait for the disk: `Store` does, before it answers.
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384')
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
}

/** `work` is synchronous: other requests share the connection. */
export async function writeTransaction<T>(db: Database, file: string, work: () => T): Promise<T> {
  return whenFree(file, () => {
    // Waiting inside SQLite would block this thread.
    db.exec('PRAGMA busy_timeout = 0')
    try {
      db.exec('BEGIN IMMEDIATE')
    } finally {
      db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
    }
    try {
      const result = work()
      db.exec('COMMIT')
      return result
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK')
      throw error
    }
  })
}

async function fillAnew(db: Database, options: SeedOptions) {
  const sql = new Statements(db)
  const { generation = 0, secret = newSecret() } =
    sql.get<{ generation: number; secret: string }>('SELECT generation, secret FROM meta') ?? {}
  const tables = sql.all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'")
  for (const { name } of tables) db.exec(`DROP TABLE ${name}`)
  await fill(db, generation + 1, secret, options)
}

async function fill(db: Database, generation: number, secret: string, options: SeedOptions) {
  db.exec(TABLES)
  db.prepare('INSERT INTO meta (generation, secret) VALUES (?, ?)').run([generation, secret])
  // A file is filled once and opened often.
  const { seedDemoData } = await import('../demo/returns.ts')
  await seedDemoData(new Statements(db), options)
}

async function inTransaction(db: Database, file: string, work: () => Promise<void>) {
  await whenFree(file, () => db.exec('BEGIN IMMEDIATE'))
  try {
    await work()
    await whenFree(file, () => db.exec('COMMIT'))
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** SQLite's own wait would block signals. */
async function whenFree<T>(file: string, action: () => T) {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return action()
    } catch (error) {
      if (!/^SQLITE_(BUSY|LOCKED)/.test(errorCode(error) ?? '')) throw error
      if (waited >= MAX_WAIT_MS) {
        throw appError(
          'config',
          `${file} is locked by another process`,
          'end the process that uses it',
          'name another file',
        )
      }
    }
    await delay(RETRY_MS)
  }
}

/** The file holds the secret that tokens are signed with. */
async function createPrivateFile(file: string) {
  await makeFolders(dirname(file), 0o700)
  closeSync(openSync(file, 'a', 0o600))
}

function newSecret() {
  return randomBytes(32).toString('base64url')
}

export function unusable(file: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || error instanceof AppError || !(error instanceof Error)) return error
  const elsewhere = 'or keep the data elsewhere: RMA_DATA_DIR, or --data DIR where there is such a flag'
  const trouble = diskTrouble(error)
  if (trouble) {
    return appError(
      'unavailable',
      `The sandbox can't use ${file}: ${trouble.words}`,
      `${trouble.remedy}, then run it again: the data are as they were`,
      elsewhere,
    )
  }
  if (isDamage(code)) {
    return appError(
      'config',
      `${file} is damaged (${error.message}). It is left as it is.`,
      `move it away and start anew: mv ${quotedWord(file)} ${quotedWord(`${file}.damaged`)}`,
      'or put a copy of it back',
    )
  }
  return appError(
    'config',
    `The sandbox can't use ${file}: ${error.message}`,
    'check who may read and write the file and its directory',
    elsewhere,
  )
}
