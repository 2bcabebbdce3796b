import { isUtf8 } from 'node:buffer'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import type Libsql from 'libsql'
import { AppError, errorCode } from '../errors.ts'

/** About 5 ms a MB. Larger files are looked through once, and again when anything but this program has changed them. */
const MAX_ALWAYS_CHECKED_BYTES = 8_000_000
/** Size from which on the check takes more than two seconds. */
const LONG_CHECKED_BYTES = 100_000_000
const ROWS_AT_ONCE = 500
/** The least row number there can be. */
const BEFORE_ALL = '-9223372036854775808'

/** Found before SQLite did; the message is what is wrong. */
class DamagedDatabase extends Error {
  override readonly name = 'DamagedDatabase'
  readonly code = 'SQLITE_CORRUPT'
}

/**
 * Comes before any use: SQLite finds broken pages late or never, and the driver ends the process over text that is not
 * UTF-8. `whenFree` waits for other processes; `whenLong` is called before what takes seconds, in which no timer runs.
 * @throws Error that `isDamage` tells by its code, or what `whenFree` gives up with; what else is wrong shows when it is
 *   opened
 */
export async function checkIntegrity(
  file: string,
  whenFree: (file: string, action: () => void) => Promise<void>,
  whenLong: () => Promise<void> = async () => {},
): Promise<void> {
  const { size } = statSync(file)
  if (size === 0 || (size > MAX_ALWAYS_CHECKED_BYTES && isRemembered(file))) return
  if (size > LONG_CHECKED_BYTES) await whenLong()
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
    // A file without a note is checked again.
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
  return badTable && `the table ${badTable[0]} holds text that is none`
}

/**
 * Reads texts as bytes, many rows at a time, with a character between rows that ends what was begun. Row by row it
 * takes six times as long, and `GROUP BY` would sort the whole table.
 */
function* textsOf(db: Libsql.Database, table: string, texts: string): Iterable<Uint8Array> {
  // Numbers as text, since those of damaged rows may have more digits than ours.
  const part = db
    .prepare(
      `SELECT CAST(group_concat(texts, char(10)) AS BLOB), CAST(max(no) AS TEXT) FROM (SELECT ${texts} AS texts,
        _rowid_ AS no FROM "${table}" WHERE _rowid_ > CAST(? AS INTEGER) ORDER BY _rowid_ LIMIT ${ROWS_AT_ONCE})`,
    )
    .raw()
  for (let after: string | null = BEFORE_ALL; ; ) {
    const [bytes, last] = part.get([after]) as unknown as [Uint8Array | null, string | null]
    if (bytes === null || last === null) return
    yield bytes
    after = last
  }
}

function* eachTextOf(db: Libsql.Database, table: string, texts: string): Iterable<Uint8Array> {
  for (const [bytes] of rowsOf<[Uint8Array]>(db, `SELECT CAST(${texts} AS BLOB) FROM "${table}"`)) yield bytes
}

/** One at a time in memory. */
function rowsOf<Row>(db: Libsql.Database, query: string): Iterable<Row> {
  return db.prepare(query).raw().iterate([]) as Iterable<unknown> as Iterable<Row>
}
