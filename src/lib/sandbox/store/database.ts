import type Libsql from 'libsql'

export type Database = InstanceType<typeof Libsql>
export type SqlValue = string | number | null | Uint8Array

export interface PreparedQuery<Row> {
  /** For one row, and for writes: `all` takes twice as long. */
  get(...values: SqlValue[]): Row | undefined
  all(...values: SqlValue[]): Row[]
  /** As `all`, one row at a time in memory. */
  each(...values: SqlValue[]): IterableIterator<Row>
}

/** Rows have the type that the caller says, unchecked: only this folder writes the tables. */
export function prepareQuery<Row>(db: Database, sql: string): PreparedQuery<Row> {
  const statement = db.prepare(sql)
  return {
    // As one list: a lone null or blob would be taken for named parameters.
    get: (...values) => statement.get(values) as Row | undefined,
    all: (...values) => statement.all(values) as Row[],
    each: (...values) => statement.iterate(values) as IterableIterator<Row>,
  }
}

/** As `prepareQuery`, with rows as lists of their values, which is faster for many of them. */
export function prepareListQuery<Row extends readonly SqlValue[]>(
  db: Database,
  sql: string,
): PreparedQuery<Row> {
  const statement = db.prepare(sql).raw()
  return {
    get: (...values) => statement.get(values) as unknown as Row | undefined,
    all: (...values) => statement.all(values) as unknown as Row[],
    each: (...values) => statement.iterate(values) as unknown as IterableIterator<Row>,
  }
}

/** The driver is a native module and loads here only. */
export async function connect(file: string): Promise<Database> {
  const { default: Constructor } = await import('libsql')
  return new Constructor(file)
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))
}
