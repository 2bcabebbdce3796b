import { type Database, prepareQuery } from './database.ts'

/** Raised when tables, their contents or the demo data become incompatible with older files. */
export const SCHEMA_VERSION = 6

const TABLES = `
  CREATE TABLE meta (generation INTEGER NOT NULL, secret TEXT NOT NULL) STRICT;
  CREATE TABLE shops (no INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE products (no INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE customers (no INTEGER PRIMARY KEY, doc TEXT NOT NULL) STRICT;
  CREATE TABLE returns (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, name TEXT NOT NULL, status INTEGER NOT NULL,
    order_id TEXT NOT NULL, order_name TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    cancelled INTEGER, customer INTEGER NOT NULL, transport INTEGER, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE transports (
    no INTEGER PRIMARY KEY, status INTEGER NOT NULL, service INTEGER NOT NULL, created INTEGER NOT NULL,
    updated INTEGER NOT NULL, doc TEXT NOT NULL
  ) STRICT;
  CREATE TABLE refunds (
    no INTEGER PRIMARY KEY, status INTEGER NOT NULL, type INTEGER NOT NULL, mode INTEGER NOT NULL,
    created INTEGER NOT NULL, executed INTEGER, fee INTEGER NOT NULL, reference TEXT, lines TEXT NOT NULL
  ) STRICT;
  CREATE TABLE return_columns (first INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT;
`

/** `next_parcel` makes tracking codes unique; a document without `url_key` is in the answer only. */
const LABEL_TABLES = `
  CREATE TABLE parcel_counter (next_parcel INTEGER NOT NULL) STRICT;
  INSERT INTO parcel_counter VALUES (0);
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

/** `return_changes` lists changed returns in order; `return_columns`, written seldom, holds those up to `merged`. */
const CHANGE_TABLES = `
  ALTER TABLE meta ADD COLUMN merged INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE meta ADD COLUMN clock_offset INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE return_changes (seq INTEGER PRIMARY KEY, no INTEGER NOT NULL) STRICT;
`

/** Places of transports in their order, set only where it has a second return or transport. */
const NUMBERED_TRANSPORTS = `
  WITH several AS (
    SELECT shop, order_name FROM returns WHERE name <> 'R#-' || order_name
    UNION SELECT shop, order_name FROM transports t JOIN returns r ON r.no = t.no / 100 WHERE t.no % 100 = 2
  ), ranked AS (
    SELECT t.no, row_number() OVER (PARTITION BY r.shop, r.order_name ORDER BY t.created, t.no) AS nth
    FROM several s JOIN returns r ON r.shop = s.shop AND r.name >= 'R#-' || s.order_name
      AND r.name < 'R#-' || s.order_name || '.' AND r.order_name = s.order_name
      JOIN transports t ON t.no BETWEEN r.no * 100 + 1 AND r.no * 100 + 99
  )
  UPDATE transports SET doc = json_set(doc, '$.nth', ranked.nth)
  FROM ranked WHERE ranked.no = transports.no AND ranked.nth > 1;
`

/** JSON: faults in force with their counts, and how far the last move of the clock has come. */
const STEERING = `
  ALTER TABLE meta ADD COLUMN faults TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE meta ADD COLUMN move TEXT;
`

/** JSON lists of `TransportCells` and `RefundCells` in the return's row: a report reads one row and writes one. */
const WHOLE_RETURNS = `
  ALTER TABLE returns ADD COLUMN transports TEXT NOT NULL DEFAULT '[]';
  ALTER TABLE returns ADD COLUMN refunds TEXT NOT NULL DEFAULT '[]';
  UPDATE returns SET transports = (
    SELECT json_group_array(json_array(no, status, service, created, updated, json(doc)))
    FROM (SELECT * FROM transports WHERE no BETWEEN returns.no * 100 + 1 AND returns.no * 100 + 99 ORDER BY no)
  ), refunds = (
    SELECT json_group_array(json_array(no, status, type, mode, created, executed, fee, reference, json(lines)))
    FROM (SELECT * FROM refunds WHERE no BETWEEN returns.no * 100 + 1 AND returns.no * 100 + 99 ORDER BY no)
  );
  ALTER TABLE returns DROP COLUMN transport;
  DROP TABLE transports;
  DROP TABLE refunds;
`

/** What each version changed, from version 1 on. */
const CHANGES: readonly string[] = [LABEL_TABLES, CHANGE_TABLES, NUMBERED_TRANSPORTS, STEERING, WHOLE_RETURNS]

/** Made before the rows, whose names and orders mostly ascend: SQLite would sort them all in memory. */
const INDEXES = `
  CREATE INDEX returns_by_name ON returns (name);
  CREATE INDEX returns_by_order ON returns (order_id);
`

/** 0 without any table, undefined for a file that is not ours. */
export function schemaVersion(db: Database): number | undefined {
  const row = prepareQuery<{ tables: number; ours: number; version: number }>(
    db,
    `SELECT count(*) AS tables, coalesce(sum(name = 'return_columns'), 0) AS ours,
      (SELECT user_version FROM pragma_user_version) AS version FROM sqlite_schema WHERE type = 'table'`,
  ).get()
  if (row === undefined || row.tables === 0) return 0
  return row.ours === 1 ? row.version : undefined
}

export function createTables(db: Database): void {
  db.exec(TABLES)
  db.exec(INDEXES)
  bringUpToDate(db, 1)
}

export function bringUpToDate(db: Database, version: number): void {
  for (const change of CHANGES.slice(version - 1)) db.exec(change)
  db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`)
}

export function dropTables(db: Database): void {
  const tables = prepareQuery<{ name: string }>(
    db,
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  ).all()
  for (const { name } of tables) db.exec(`DROP TABLE ${name}`)
}
