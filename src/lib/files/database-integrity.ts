import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { AppError, errorCode } from '../errors.ts'

/** About 15 ms a MB. Larger files are looked through once, and again when anything but this program has changed them. */
const MAX_ALWAYS_CHECKED_BYTES = 8_000_000

/** Found before SQLite did; the message is what is wrong. */
class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase'
  readonly code = 'SQLITE_CORRUPT'
}

/**
 * Comes before any use: SQLite finds broken pages late or never, and the driver ends the process over text that is not
 * UTF-8. `whenFree` waits for other processes.
 * @throws Error that `isDamage` tells by its code, or what `whenFree` gives up with; what else is wrong shows when it is
 *   opened
 */
export async function checkIntegrity(
  file: string,
  whenFree: (file: string, action: () => void) => Promise<void>,
): Promise<void> {
  const { size } = statSync(file)
  if (size === 0 || (size > MAX_ALWAYS_CHECKED_BYTES && isRemembered(file))) return
  let db: Libsql.Database | undefined
  try {
    // A native module, which loads here only.
    const { default: Constructor } = await import('libsql')
    const reader = new Constructor(`${pathToFileURL(file).href}?mode=ro`)
    db = reader
    await whenFree(file, () => {
      const problem = problemOf(reader)
      if (problem !== undefined) throw new DamagedDatabase(problem)
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

function problemOf(db: Libsql.Database): string | undefined {
  const [[verdict] = ['']] = rowsOf<[string]>(db, 'PRAGMA quick_check(1)')
  if (verdict !== 'ok') return verdict.replace(/\s+/g, ' ')
  const columns = [
    ...rowsOf<[table: string, texts: string]>(
      db,
      `SELECT t.name, group_concat('coalesce("' || c.name || '", '''')', ' || char(10) || ')
        FROM sqlite_schema t, pragma_table_info(t.name) c
        WHERE t.type = 'table' AND upper(c.type) IN ('TEXT', 'NUMERIC') GROUP BY t.name`,
    ),
  ]
  // As bytes, with a character between that ends whatever was begun. Many rows at once would be sorted, on the disk.
  const badTable = columns.find(([table, texts]) => {
    const rows = rowsOf<[Uint8Array]>(db, `SELECT CAST(${texts} AS BLOB) FROM "${table}"`)
    for (const [bytes] of rows) if (!isUtf8(bytes)) return true
    return false
  })
  return badTable && `the table ${badTable[0]} holds text that is none`
}

/** One at a time in memory. */
function rowsOf<Row>(db: Libsql.Database, query: string): Iterable<Row> {
  return db.prepare(query).raw().iterate([]) as Iterable<unknown> as Iterable<Row>
}
