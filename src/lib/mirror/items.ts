import { type Kysely, sql } from 'kysely'
import { isPostgres } from './search/text-index.ts'
import { type MirrorDb, PART_TABLES } from './tables.ts'

/** A value of an item as `plainText` has it. */
const text = (path: string) => sql`case json_type(value, ${sql.lit(path)})
  when 'true' then 'true' when 'false' then 'false' else cast(value ->> ${sql.lit(path)} as text) end`

/** As `plainDecimal`. */
const decimal = (path: string) => sql`case when json_type(value, ${sql.lit(path)}) in ('integer', 'real')
  then value ->> ${sql.lit(path)}
  when (value ->> ${sql.lit(path)}) glob '*[0-9]' and (value ->> ${sql.lit(path)}) not glob '*[^0-9.-]*'
  then cast(value ->> ${sql.lit(path)} as numeric) end`

/** SQLite reads items out of documents when somebody asks: to write them would take a tenth of a first copy. */
export async function createItemsView(db: Kysely<unknown>): Promise<void> {
  if (isPostgres(db)) return
  // A step that was broken off begins anew.
  const { rows } =
    await sql`select 1 from sqlite_schema where name = 'return_items' and type = 'table'`.execute(db)
  if (rows.length > 0) await sql`drop table return_items`.execute(db)
  await sql`create view if not exists return_items as
    select r.id as return_id, i.key as position, ${text('$.id')} as id, ${text('$.sku')} as sku,
      ${text('$.barcode')} as barcode, ${text('$.productName')} as product_name,
      ${text('$.variantName')} as variant_name, ${text('$.vendor')} as vendor,
      ${decimal('$.quantity')} as quantity, ${decimal('$.price')} as price, ${decimal('$.returnAmount')} as amount,
      ${text('$.currency')} as currency, ${text('$.returnReason.code')} as reason_code,
      ${text('$.returnReason.reason')} as reason, ${text('$.returnReason.additionalInfo')} as comment,
      ${text('$.refundType')} as refund_type, ${text('$.refundMode')} as refund_mode
    from returns r, json_each(r.document, '$.returnLineItems') i
    where json_type(r.document, '$.returnLineItems') = 'array'`.execute(db)
}

/** Whether items are a table, and not a view. */
export function storesItems(db: MirrorDb): boolean {
  return isPostgres(db)
}

/** Tables that hold a return's parts, by `return_id`. */
export function partTables(db: MirrorDb) {
  return storesItems(db) ? ([...PART_TABLES, 'return_items'] as const) : PART_TABLES
}
