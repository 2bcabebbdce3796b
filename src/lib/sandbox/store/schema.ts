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

/** What each version but the last changed, from version 1 on. */
const CHANGES: readonly string[] = [LABEL_TABLES, CHANGE_TABLES, NUMBERED_TRANSPORTS, STEERING]

/** The version of data that are being moved, which programs of no version take. */
const MOVING = 1000
/** Numbers of returns moved in one transaction, whose memory and time others wait for. */
const PART = 2000

/**
 * Version 6: transports and refunds in the return's row, as JSON lists of `TransportCells` and `RefundCells`. Other
 * tables have the former rows until they are moved. Indexes come before the rows, whose names and orders mostly ascend:
 * SQLite would sort them all in memory.
 */
const BEGIN_MOVE = `
  ALTER TABLE returns RENAME TO former_returns;
  ALTER TABLE transports RENAME TO former_transports;
  ALTER TABLE refunds RENAME TO former_refunds;
  DROP INDEX IF EXISTS returns_by_name;
  DROP INDEX IF EXISTS returns_by_order;
  CREATE TABLE returns (
    no INTEGER PRIMARY KEY, shop INTEGER NOT NULL, name TEXT NOT NULL, status INTEGER NOT NULL,
    order_id TEXT NOT NULL, order_name TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL,
    cancelled INTEGER, customer INTEGER NOT NULL, doc TEXT NOT NULL, transports TEXT NOT NULL, refunds TEXT NOT NULL
  ) STRICT;
  CREATE INDEX returns_by_name ON returns (name);
  CREATE INDEX returns_by_order ON returns (order_id);
`
const END_MOVE = 'DROP TABLE former_returns; DROP TABLE former_transports; DROP TABLE former_refunds;'

function movePart(db: Database, first: number): void {
  const last = first + PART - 1
  db.exec(`
    INSERT INTO returns SELECT no, shop, name, status, order_id, order_name, created, updated, cancelled, customer, doc, (
      SELECT json_group_array(json_array(no, status, service, created, updated, json(doc))) FROM (
        SELECT * FROM former_transports t WHERE t.no BETWEEN r.no * 100 + 1 AND r.no * 100 + 99 ORDER BY t.no
      )
    ), (
      SELECT json_group_array(json_array(no, status, type, mode, created, executed, fee, reference, json(lines))) FROM (
        SELECT * FROM former_refunds f WHERE f.no BETWEEN r.no * 100 + 1 AND r.no * 100 + 99 ORDER BY f.no
      )
    ) FROM former_returns r WHERE no BETWEEN ${first} AND ${last} ORDER BY no;
    DELETE FROM former_returns WHERE no <= ${last};
    DELETE FROM former_transports WHERE no <= ${last} * 100 + 99;
    DELETE FROM former_refunds WHERE no <= ${last} * 100 + 99;
  `)
}

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
  for (let version = 1; version !== SCHEMA_VERSION; ) version = bringFurther(db, version)
}

export function canBringFurther(version: number): boolean {
  return (version >= 1 && version < SCHEMA_VERSION) || version === MOVING
}

/** Changes data of an older version, or goes on with it: as much as fits a transaction. @returns their version then */
export function bringFurther(db: Database, version: number): number {
  const next = version === MOVING ? moveFurther(db) : MOVING
  if (version !== MOVING) for (const change of [...CHANGES.slice(version - 1), BEGIN_MOVE]) db.exec(change)
  db.exec(`PRAGMA user_version = ${next}`)
  return next
}

function moveFurther(db: Database): number {
  const { first } = prepareQuery<{ first: number | null }>(
    db,
    'SELECT min(no) AS first FROM former_returns',
  ).get() ?? { first: null }
  if (first === null) db.exec(END_MOVE)
  else movePart(db, first)
  return first === null ? SCHEMA_VERSION : MOVING
}

export function dropTables(db: Database): void {
  const tables = prepareQuery<{ name: string }>(
    db,
    "SELECT name FROM sqlite_schema WHERE type = 'table'",
  ).all()
  for (const { name } of tables) db.exec(`DROP TABLE ${name}`)
}
