import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { AppError, errorCode } from '../../errors.ts'
import { connect, type Database, prepareListQuery } from './database.ts'

/** About 20 ms a MB. Larger files are looked through once, and again when anything but this program has changed them. */
const MAX_ALWAYS_CHECKED_BYTES = 8_000_000
const ROWS_AT_ONCE = 5000

/**
 * Comes before any use: SQLite finds broken pages late or never, and the driver ends the process over text that is not
 * UTF-8. `whenFree` waits for other processes.
 * @throws AppError `config` for a damaged file; what else is wrong shows when it is opened
 */
export async function checkIntegrity(
  file: string,
  whenFree: (file: string, action: () => void) => Promise<void>,
): Promise<void> {
  const { size } = statSync(file)
  if (size === 0 || (size > MAX_ALWAYS_CHECKED_BYTES && isRemembered(file))) return
  let db: Database | undefined
  try {
    const reader = await connect(`${pathToFileURL(file).href}?mode=ro`)
    db = reader
    await whenFree(file, () => {
      const problem = problemOf(reader)
      if (problem !== undefined) throw damagedError(file, problem)
    })
  } catch (error) {
    // A killed process may have left what only a writer can tidy up.
    if (!isDamage(errorCode(error) ?? '') && !(error instanceof AppError)) return
    throw error
  } finally {
    db?.close()
  }
}

/** Notes, once a file that was looked through is closed, that it is as this program left it. */
export function rememberSound(file: string): void {
  try {
    if (statSync(file).size > MAX_ALWAYS_CHECKED_BYTES)
      writeFileSync(noteOf(file), stateOf(file), { mode: 0o600 })
  } catch {
    // Without a note it is looked through again.
  }
}

function isRemembered(file: string): boolean {
  try {
    return readFileSync(noteOf(file), 'utf8') === stateOf(file)
  } catch {
    return false
  }
}

function noteOf(file: string): string {
  return `${file}.sound`
}

/** Which file it is, and when it was last changed. What is only in its log does not count: SQLite checks that itself. */
function stateOf(file: string): string {
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  return [ino, size, mtimeNs, ctimeNs].join(' ')
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
  // As bytes, and many rows at once, with a character between that ends whatever was begun.
  const badTable = columns.find(([table, texts]) => {
    const groups = prepareListQuery<[Uint8Array]>(
      db,
      `SELECT CAST(group_concat(${texts}, char(10)) AS BLOB) FROM "${table}" GROUP BY rowid / ${ROWS_AT_ONCE}`,
    )
    for (const [bytes] of groups.each()) if (!isUtf8(bytes)) return true
    return false
  })
  return badTable && `the table ${badTable[0]} holds text that is none`
}
