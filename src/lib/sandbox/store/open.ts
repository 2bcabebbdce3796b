import { randomBytes } from 'node:crypto'
import { closeSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { AppError, errorCode } from '../../errors.ts'
import { checkIntegrity, isDamage } from '../../files/database-integrity.ts'
import { diskTrouble } from '../../files/file-failure.ts'
import { makeFolders } from '../../files/make-folder.ts'
import type { SeedOptions } from '../demo/seed.ts'
import {
  connect,
  createTables,
  type Database,
  dropTables,
  isBusy,
  SCHEMA_VERSION,
  Statements,
  schemaVersion,
} from './database.ts'

export const MEMORY = ':memory:'
const RETRY_MS = 20
const BUSY_MS = 5000
/** Longer than another process takes to fill the largest data set. */
const PATIENCE_MS = 15 * 60_000

/**
 * Fills a new file in one transaction: a killed process leaves all or nothing, others wait.
 * @throws AppError `config` for a file that can't be used
 */
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

/**
 * Replaces all but the signing secret, on a connection of its own: others see the old data until it ends.
 * @throws AppError `config` for a file that can't be used
 */
export async function refill(file: string, options: SeedOptions): Promise<void> {
  const db = await connect(file)
  try {
    await inTransaction(db, file, () => fillAnew(db, options))
    // Pages that others still read stay in the log; the last connection to close tidies up.
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch (error) {
    throw unusable(file, error)
  } finally {
    db.close()
  }
}

async function prepare(db: Database, file: string, options: SeedOptions): Promise<void> {
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
    throw new AppError('config', `${file} ${problem}`, {
      hints: ['remove the file, or name another one'],
    })
  }
  // Changing the journal needs the file exclusively.
  await whenFree(file, () => db.exec('PRAGMA journal_mode = WAL'))
  // A commit does not wait for the disk: `Store` does, before it answers.
  db.exec('PRAGMA synchronous = NORMAL; PRAGMA cache_size = -16384')
  db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`)
}

/** Waits for other processes. `work` is synchronous, because other requests share the connection. */
export async function writeTransaction<T>(db: Database, file: string, work: () => T): Promise<T> {
  return whenFree(file, () => {
    // Waiting inside SQLite would block this thread, the other writer's included.
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

/** In place of what there is. Tokens stay valid, the data get another id. */
async function fillAnew(db: Database, options: SeedOptions): Promise<void> {
  const old = new Statements(db).get<{ generation: number; secret: string }>(
    'SELECT generation, secret FROM meta',
  )
  dropTables(db)
  await fill(db, (old?.generation ?? 0) + 1, old?.secret ?? newSecret(), options)
}

async function fill(db: Database, generation: number, secret: string, options: SeedOptions): Promise<void> {
  createTables(db)
  db.prepare('INSERT INTO meta (generation, secret) VALUES (?, ?)').run([generation, secret])
  // Loaded on first use: a file is filled once and opened often.
  const { seedDemoData } = await import('../demo/seed.ts')
  await seedDemoData(db, options)
}

async function inTransaction(db: Database, file: string, work: () => Promise<void>): Promise<void> {
  await whenFree(file, () => db.exec('BEGIN IMMEDIATE'))
  try {
    await work()
    await whenFree(file, () => db.exec('COMMIT'))
  } catch (error) {
    if (db.inTransaction) db.exec('ROLLBACK')
    throw error
  }
}

/** Retries until no other process is in the way: SQLite's own wait would block signals. */
async function whenFree<T>(file: string, action: () => T): Promise<T> {
  for (let waited = 0; ; waited += RETRY_MS) {
    try {
      return action()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (waited >= PATIENCE_MS) {
        throw new AppError('config', `${file} is locked by another process`, {
          hints: ['end the process that uses it', 'name another file'],
          cause: error,
        })
      }
    }
    await delay(RETRY_MS)
  }
}

/** The file holds the secret that tokens are signed with. */
async function createPrivateFile(file: string): Promise<void> {
  await makeFolders(dirname(file), 0o700)
  closeSync(openSync(file, 'a', 0o600))
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function unusable(file: string, error: unknown): unknown {
  const code = errorCode(error)
  if (code === undefined || error instanceof AppError || !(error instanceof Error)) return error
  const elsewhere = 'or keep the data elsewhere: RMA_DATA_DIR, or --data DIR where there is such a flag'
  const trouble = diskTrouble(error)
  if (trouble) {
    return new AppError('unavailable', `The sandbox can't use ${file}: ${trouble.words}.`, {
      hints: [`${trouble.remedy}, then run it again: the data are as they were`, elsewhere],
      cause: error,
    })
  }
  if (isDamage(code)) {
    return new AppError('config', `${file} is damaged (${error.message}). It is left as it is.`, {
      hints: [`move it away and start anew: mv "${file}" "${file}.damaged"`, 'or put a copy of it back'],
      cause: error,
    })
  }
  return new AppError('config', `The sandbox can't use ${file}: ${error.message}`, {
    hints: ['check who may read and write the file and its directory', elsewhere],
    cause: error,
  })
}
