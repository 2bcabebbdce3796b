import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { AppError, errorCode } from '../errors.ts'

/** Larger files are checked only once and after changes by other programs. The check takes 5 ms a MB. */
const MAX_ALWAYS_CHECKED_BYTES = 8_000_000
/** The check of larger files takes more than two seconds. */
const LONG_CHECK_BYTES = 100_000_000
const ROWS_AT_ONCE = 500
const MIN_ROWID = '-9223372036854775808'

class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase'
  readonly code = 'SQLITE_CORRUPT'
}

/**
 * Checks a file before any use: SQLite finds broken pages late, and the driver ends the process over text that is not
 * UTF-8. `whenLong` is called before a check that blocks for seconds.
 * @throws Error that `isDamage` tells by its code, or the error of `whenFree`
 */
export async function checkIntegrity(
  file: string,
  whenFree: (file: string, action: () => void) => Promise<void>,
  whenLong: () => Promise<void> = async () => {},
) {
  const { size } = statSync(file)
  if (size === 0 || (size > MAX_ALWAYS_CHECKED_BYTES && isRemembered(file))) return
  if (size > LONG_CHECK_BYTES) await whenLong()
  let db: Libsql.Database | undefined
  try {
    const { default: Constructor } = await import('libsql')
    const reader = new Constructor(`${pathToFileURL(file).href}?mode=ro`)
    db = reader
    await whenFree(file, () => {
      const problem = problemOf(reader)
      if (problem !== undefined) throw new DamagedDatabase(problem)
    })
  } catch (error) {
    // Other errors are left to the writer, which can tidy up after a killed process.
    if (!isDamage(errorCode(error) ?? '') && !(error instanceof AppError)) return
    throw error
  } finally {
    db?.close()
  }
}

/** Records the state of a closed file, which needs no check until it changes. */
export function rememberSound(file: string) {
  try {
    if (statSync(file).size > MAX_ALWAYS_CHECKED_BYTES)
      writeFileSync(noteOf(file), stateOf(file), { mode: 0o600 })
  } catch {
    // The file is then checked again.
  }
}

function isRemembered(file: string) {
  try {
    return readFileSync(noteOf(file), 'utf8') === stateOf(file)
  } catch {
    return false
  }
}

function noteOf(file: string) {
  return `${file}.sound`
}

/** Identifies a version of the file. SQLite checks its log itself. */
function stateOf(file: string) {
  const { ino, size, mtimeNs, ctimeNs } = statSync(file, { bigint: true })
  return [ino, size, mtimeNs, ctimeNs].join(' ')
}

export function isDamage(code: string) {
  return /^SQLITE_(CORRUPT|NOTADB)/.test(code)
}

function problemOf(db: Libsql.Database) {
  const [[verdict] = ['']] = rowsOf<[string]>(db, 'PRAGMA quick_check(1)')
  if (verdict !== 'ok') return verdict.replace(/\s+/g, ' ')
  const columns = [
    ...rowsOf<[table: string, texts: string, hasNumbers: number]>(
      db,
      `SELECT t.name, group_concat('coalesce("' || c.name || '", '''')', ' || char(10) || '), NOT max(t.wr)
        FROM pragma_table_list t, pragma_table_info(t.name) c
        WHERE t.schema = 'main' AND t.type <> 'view' AND upper(c.type) IN ('TEXT', 'NUMERIC') GROUP BY t.name`,
    ),
  ]
  const badTable = columns.find(([table, texts, hasNumbers]) => {
    const parts = hasNumbers ? textsOf(db, table, texts) : eachTextOf(db, table, texts)
    for (const bytes of parts) if (!isUtf8(bytes)) return true
    return false
  })
  return badTable && `the table ${badTable[0]} holds text that is not valid UTF-8`
}

/**
 * Reads texts as bytes, 500 rows at a time: row by row takes six times as long, and `GROUP BY` would sort the table.
 */
function* textsOf(db: Libsql.Database, table: string, texts: string): Iterable<Uint8Array> {
  // Rowids of damaged rows may exceed JavaScript's integers.
  const part = db
    .prepare(
      `SELECT CAST(group_concat(texts, char(10)) AS BLOB), CAST(max(no) AS TEXT) FROM (SELECT ${texts} AS texts,
        _rowid_ AS no FROM "${table}" WHERE _rowid_ > CAST(? AS INTEGER) ORDER BY _rowid_ LIMIT ${ROWS_AT_ONCE})`,
    )
    .raw()
  for (let after: string | null = MIN_ROWID; ; ) {
    const [bytes, last] = part.get([after]) as unknown as [Uint8Array | null, string | null]
    if (bytes === null || last === null) return
    yield bytes
    after = last
  }
}

function* eachTextOf(db: Libsql.Database, table: string, texts: string): Iterable<Uint8Array> {
  for (const [bytes] of rowsOf<[Uint8Array]>(db, `SELECT CAST(${texts} AS BLOB) FROM "${table}"`)) yield bytes
}

function rowsOf<Row>(db: Libsql.Database, query: string) {
  return db.prepare(query).raw().iterate([]) as Iterable<unknown> as Iterable<Row>
}
