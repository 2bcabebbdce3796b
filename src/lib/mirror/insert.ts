import { CompiledQuery, sql } from 'kysely'
import type { InsertableRow } from './rows.ts'
import { isPostgres } from './search/text-index.ts'
import type { MirrorDb, MirrorTables } from './tables.ts'

/** Rows of one statement, largest first: few texts serve any number, and none takes too many parameters. */
const STATEMENT_SIZES = [64, 8, 1]

/** A column's value; bytes are text in UTF-8. */
type Cell = string | number | null | Uint8Array

/**
 * With texts that are made once: the query builder takes several times as long for a statement of thousands of values
 * as the rows take to write. Several returns may have an identifier, but a return has it once: what is there stays.
 */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly InsertableRow<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((name) => (row as Record<string, Cell>)[name] ?? null))
  if (!isPostgres(db) && columns.length === 2) {
    // A parameter for each value would take longer than the rest.
    const text = `insert into ${table} (${columns.join(',')})
      select value ->> 0, value ->> 1 from json_each(?) where true on conflict do nothing`
    await db.executeQuery(CompiledQuery.raw(text, [JSON.stringify(cells)]))
    return
  }
  if (!isPostgres(db)) {
    // Each row is a run of the statement (`sqlite.ts`): of a longer one SQLite takes longer for each row.
    await db.executeQuery(CompiledQuery.raw(insertText(table, columns), cells))
    return
  }
  for (let at = 0; at < cells.length; ) {
    const size = STATEMENT_SIZES.find((one) => one <= cells.length - at) ?? 1
    const values = cells.slice(at, at + size).flat()
    const texts = values.map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value))
    await db.executeQuery(CompiledQuery.raw(insertText(table, columns, size), texts))
    at += size
  }
}

/** What a column is among: in SQLite one parameter, since to make a statement of hundreds takes as long as to run it. */
export function amongValues<T extends string | number>(db: MirrorDb, values: readonly T[]) {
  if (isPostgres(db)) return values
  return sql<T>`(select value from json_each(${JSON.stringify(values)}))`
}

const insertTexts = new Map<string, string>()

/** Of so many rows with numbered parameters for PostgreSQL, of one for SQLite. */
function insertText(table: string, columns: readonly string[], size = 0): string {
  const key = `${table} ${size}`
  const known = insertTexts.get(key)
  if (known !== undefined) return known
  const parameter = (row: number, column: number) => {
    if (size > 0) return `$${row * columns.length + column + 1}`
    return columns[column] === 'document' ? 'cast(? as text)' : '?'
  }
  const rows = Array.from({ length: Math.max(1, size) }, (_unused, row) => {
    return `(${columns.map((_name, column) => parameter(row, column)).join(',')})`
  })
  const text = `insert into ${table} (${columns.join(',')}) values ${rows.join(',')} on conflict do nothing`
  insertTexts.set(key, text)
  return text
}
