import { CompiledQuery, SqliteAdapter } from 'kysely'
import type { RowOf } from './rows.ts'
import type { MirrorDb, MirrorTables } from './tables.ts'

/**
 * Rows of one statement, largest first: few texts serve any number, and none takes too many parameters. SQLite takes
 * longer for each row of a long one, PostgreSQL for each message.
 */
const STATEMENT_SIZES = { sqlite: [8, 1], postgres: [64, 8, 1] }

/**
 * With texts that are made once: the query builder takes several times as long for a statement of thousands of values
 * as the rows take to write.
 */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly RowOf<T>[],
): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const sizes = STATEMENT_SIZES[isSqlite ? 'sqlite' : 'postgres']
  const columns = Object.keys(rows[0] ?? {})
  if (isSqlite && columns.length === 2) {
    // A parameter for each value would take longer than the rest.
    const texts = JSON.stringify(rows.map((row) => columns.map((name) => Reflect.get(row, name))))
    const text = `insert into ${table} (${columns.join(',')})
      select value ->> 0, value ->> 1 from json_each(?) where true on conflict do nothing`
    await db.executeQuery(CompiledQuery.raw(text, [texts]))
    return
  }
  for (let at = 0; at < rows.length; ) {
    const size = sizes.find((one) => one <= rows.length - at) ?? 1
    const values: unknown[] = []
    for (const row of rows.slice(at, at + size)) {
      for (const name of columns) values.push(Reflect.get(row, name))
    }
    await db.executeQuery(CompiledQuery.raw(insertText(table, columns, size, isSqlite), values))
    at += size
  }
}

const insertTexts = new Map<string, string>()

function insertText(table: string, columns: readonly string[], size: number, isSqlite: boolean): string {
  const key = `${table} ${size} ${isSqlite}`
  const known = insertTexts.get(key)
  if (known !== undefined) return known
  const row = (first: number) =>
    `(${columns.map((_name, column) => (isSqlite ? '?' : `$${first + column + 1}`)).join(',')})`
  const rows = Array.from({ length: size }, (_unused, index) => row(index * columns.length))
  // Several returns may have an identifier, but a return has it once.
  const text = `insert into ${table} (${columns.join(',')}) values ${rows.join(',')} on conflict do nothing`
  insertTexts.set(key, text)
  return text
}
