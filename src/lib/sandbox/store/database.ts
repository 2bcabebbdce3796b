import type Libsql from 'libsql'

export type Database = InstanceType<typeof Libsql>
export type SqlValue = string | number | null | Uint8Array

/** Runs statements, each prepared once. Rows have the type that the caller says, unchecked: only the sandbox writes the tables. */
export class Statements {
  readonly #db: Database
  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>()

  constructor(db: Database) {
    this.#db = db
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0]
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    // A list: a lone null or blob would be taken for named parameters.
    return this.#prepare(sql).all(values) as Row[]
  }

  run(sql: string, ...values: SqlValue[]): void {
    this.#prepare(sql).run(values)
  }

  #prepare(sql: string): ReturnType<Database['prepare']> {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql)
    this.#prepared.set(sql, known)
    return known
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

/** Raised when tables, their contents or the demo data become incompatible with older files. */
export const SCHEMA_VERSION = 8

/**
 * `doc` and `faults` are JSON. The `doc` of a return is all of it; the other columns are what queries look for.
 * `refunded_*` are the first and the last time at which a refund was executed. `returns_listed` has all that lists filter
 * by, in their order, so that counting reads no row. `next_parcel` makes tracking codes unique. Labels without `url_key`
 * are in answers only.
 */
const TABLES = `
  CREATE TABLE meta (
    generation INTEGER NOT NULL, secret TEXT NOT NULL, clock_offset INTEGER NOT NULL DEFAULT 0,
    faults TEXT NOT NULL DEFAULT '[]', next_parcel INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE shops (no INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE products (no INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE returns (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, name TEXT NOT NULL, status INTEGER NOT NULL,
    order_id TEXT NOT NULL, order_name TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    refunded_first INTEGER, refunded_last INTEGER, doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX returns_by_name ON returns (name);
  CREATE INDEX returns_by_order_id ON returns (order_id);
  CREATE INDEX returns_by_order_name ON returns (order_name);
  CREATE INDEX returns_listed ON returns (created, no, shop, status, updated, refunded_first, refunded_last);
  CREATE TABLE label_sets (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, client_shipment_id TEXT NOT NULL, created INTEGER NOT NULL,
    doc TEXT NOT NULL
  ) STRICT;
  CREATE INDEX label_sets_by_shipment ON label_sets (client_shipment_id, shop);
  CREATE TABLE labels (
    label_set INTEGER NOT NULL, position INTEGER NOT NULL, tracking_code TEXT NOT NULL UNIQUE,
    tracking_url TEXT, format TEXT NOT NULL, url_key TEXT UNIQUE, document BLOB NOT NULL,
    PRIMARY KEY (label_set, position)
  ) STRICT;
`

/** 0 without any table, undefined for a file that is not ours. */
export function schemaVersion(db: Database): number | undefined {
  const row = new Statements(db).get<{ tables: number; ours: number; version: number }>(
    `SELECT count(*) AS tables, coalesce(sum(name IN ('meta', 'products', 'returns')), 0) AS ours,
      (SELECT user_version FROM pragma_user_version) AS version FROM sqlite_schema WHERE type = 'table'`,
  )
  if (row === undefined || row.tables === 0) return 0
  return row.ours === 3 ? row.version : undefined
}

export function createTables(db: Database): void {
  db.exec(`${TABLES} PRAGMA user_version = ${SCHEMA_VERSION}`)
}

export function dropTables(db: Database): void {
  const tables = new Statements(db).all<{ name: string }>(
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  )
  for (const { name } of tables) db.exec(`DROP TABLE ${name}`)
}
