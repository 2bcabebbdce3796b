import { CompiledQuery, PostgresAdapter, type RawBuilder, sql } from 'kysely'
import { FTS5, type TextIndex, TSVECTOR } from '../search/text-index.ts'
import type { InsertableRow } from './rows.ts'
import type { MirrorDb, MirrorTables } from './tables.ts'

/** A value of a column; bytes are text in UTF-8. */
type Cell = string | number | null | Uint8Array
type PartTable = 'return_items' | 'transports' | 'tracking_events' | 'refunds' | 'identifiers'

/** Differences between SQLite and PostgreSQL. */
interface Dialect {
  /** A server that others may use, not a file of this machine. */
  isServer: boolean
  /** Tables that hold parts of returns, by `return_id`. In SQLite `return_items` is a view. */
  parts: readonly PartTable[]
  /**
   * Indexes whose entries come in no order, by name. Grown row by row, each entry is another page of the disk: a first
   * copy goes without, and makes them at its end in one sorted pass each.
   */
  lateIndexes: Readonly<Record<string, string>>
  index: TextIndex
  insert(db: MirrorDb, table: string, columns: readonly string[], rows: Cell[][]): Promise<void>
  /** Right side of `in`. */
  among<T extends string | number>(values: readonly T[]): readonly T[] | RawBuilder<T>
}

export function dialectOf(db: Pick<MirrorDb, 'getExecutor'>): Dialect {
  return db.getExecutor().adapter instanceof PostgresAdapter ? POSTGRES : SQLITE
}

/** Writes rows. Those that are there already stay: a return has each identifier once. */
export async function insertRows<T extends keyof MirrorTables>(
  db: MirrorDb,
  table: T,
  rows: readonly InsertableRow<T>[],
): Promise<void> {
  if (rows.length === 0) return
  const columns = Object.keys(rows[0] ?? {})
  const cells = rows.map((row) => columns.map((name) => (row as Record<string, Cell>)[name] ?? null))
  await dialectOf(db).insert(db, table, columns, cells)
}

/** To be called outside of a transaction. */
export async function dropLateIndexes(db: MirrorDb): Promise<void> {
  for (const name of Object.keys(dialectOf(db).lateIndexes)) {
    await sql`drop index if exists ${sql.id(name)}`.execute(db)
  }
}

/** Statements that make the late indexes that are missing. */
export function lateIndexStatements(db: MirrorDb): string[] {
  const indexes = Object.entries(dialectOf(db).lateIndexes)
  return indexes.map(([name, on]) => `create index if not exists "${name}" on ${on}`)
}

const PARTS = ['transports', 'tracking_events', 'refunds', 'identifiers'] as const
const IDENTIFIERS_INDEX = { identifiers_by_value: 'identifiers (value)' }

function insertText(table: string, columns: readonly string[], rows: readonly string[]): string {
  return `insert into ${table} (${columns.join(',')}) values ${rows.join(',')} on conflict do nothing`
}

const SQLITE: Dialect = {
  isServer: false,
  parts: PARTS,
  lateIndexes: IDENTIFIERS_INDEX,
  index: FTS5,
  async insert(db, table, columns, rows) {
    const parameters = columns.map((name) => (name === 'document' ? 'cast(? as text)' : '?'))
    // Each row is a run of the statement (`sqlite.ts`).
    const text = insertText(table, columns, [`(${parameters.join(',')})`])
    await db.executeQuery(CompiledQuery.raw(text, rows))
  },
  // One parameter: SQLite takes as long to compile a statement of hundreds as to run it.
  among: (values) => sql`(select value from json_each(${JSON.stringify(values)}))`,
}

/** Rows of one statement, largest first: a few texts serve any number, and none takes too many parameters. */
const STATEMENT_ROWS = [64, 8, 1]

const POSTGRES: Dialect = {
  isServer: true,
  parts: [...PARTS, 'return_items'],
  lateIndexes: { ...IDENTIFIERS_INDEX, search_entries_terms: 'search_entries using gin (terms)' },
  index: TSVECTOR,
  async insert(db, table, columns, rows) {
    for (let done = 0; done < rows.length; ) {
      const size = STATEMENT_ROWS.find((one) => one <= rows.length - done) ?? 1
      const places = Array.from(
        { length: size },
        (_, row) => `(${columns.map((_name, column) => `$${row * columns.length + column + 1}`).join(',')})`,
      )
      const values = rows.slice(done, done + size).flat()
      const texts = values.map((value) =>
        value instanceof Uint8Array ? Buffer.from(value).toString() : value,
      )
      await db.executeQuery(CompiledQuery.raw(insertText(table, columns, places), texts))
      done += size
    }
  },
  among: (values) => values,
}
