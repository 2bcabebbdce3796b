import { isUtf8 } from 'node:buffer'
import { statSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AppError, errorCode } from '../../errors.ts'
import { connect, type Database, prepareListQuery } from './database.ts'

/** 20 ms a MB: larger files would make every command wait for seconds. */
const MAX_CHECKED_BYTES = 8_000_000
const ROWS_AT_ONCE = 5000

/**
 * Checks a data file before use: SQLite finds broken pages late or never, and the driver ends the process over text
 * that is not UTF-8. Read-only, so that the file stays as it is.
 *
 * @param whenFree waits for other processes
 * @throws AppError `config` for a damaged file; other problems show when it is opened
 */
export async function checkIntegrity(
  file: string,
  whenFree: (file: string, action: () => void) => Promise<void>,
): Promise<void> {
  const { size } = statSync(file)
  if (size === 0 || size > MAX_CHECKED_BYTES) return
  let db: Database | undefined
  try {
    const reader = await connect(`${pathToFileURL(file).href}?mode=ro`)
    db = reader
    await whenFree(file, () => {
      const problem = problemOf(reader)
      if (problem !== undefined) throw damagedError(file, problem)
    })
  } catch (error) {
    // A killed process may have left what only a writer can recover.
    if (!isDamage(errorCode(error) ?? '') && !(error instanceof AppError)) return
    throw error
  } finally {
    db?.close()
  }
}

export function isDamage(code: string): boolean {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

export function damagedError(file: string, problem: string, cause?: unknown): AppError {
  return new AppError('config', `${file} is damaged (${problem}). It is left as it is.`, {
    hints: [`move it away and start anew: mv "${file}" "${file}.damaged"`, 'or put a copy of it back'],
    cause,
  })
}

function problemOf(db: Database): string | undefined {
  const [verdict = ''] = prepareListQuery<[string]>(db, 'PRAGMA quick_check(1)').get() ?? []
  if (verdict !== 'ok') return verdict.replace(/\s+/g, ' ')
  const columns = prepareListQuery<[table: string, texts: string]>(
    db,
    `SELECT t.name, group_concat('coalesce("' || c.name || '", '''')', ' || char(10) || ')
      FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type = 'table' AND c.type = 'TEXT' GROUP BY t.name`,
  ).all()
  // As bytes, many rows at once, separated by a character that ends any sequence.
  const badTable = columns.find(([table, texts]) =>
    prepareListQuery<[Uint8Array]>(
      db,
      `SELECT CAST(group_concat(${texts}, char(10)) AS BLOB) FROM "${table}" GROUP BY rowid / ${ROWS_AT_ONCE}`,
    )
      .all()
      .some(([bytes]) => !isUtf8(bytes)),
  )
  return badTable && `the table ${badTable[0]} holds text that is none`
}
