import Libsql from 'libsql'
import { normalIdentifier } from '../../wire/return-names.ts'

const MAX_NAMES = 100
const RECENT = 500

/**
 * Quick, read-only access to a mirror's file for completion. Fails if it is locked. Checks and the query builder would
 * take too long.
 */
export class MirrorGlance {
  readonly #db: Libsql.Database

  constructor(
    file: string,
    private readonly shop: string | undefined,
  ) {
    this.#db = new Libsql(file, { readonly: true, timeout: 0 })
  }

  /** Returns the names that continue the text, in its form: with or without `R#-`. */
  returnNames(typed: string): string[] {
    const begin = normalIdentifier(typed)
    const shop = this.shop ?? null
    const rows =
      begin === ''
        ? this.#texts(
            `select name from returns where ifnull(shop_code, '') = coalesce(?, shop_code, '')
             order by sort_key desc, id desc limit ?`,
            shop,
            MAX_NAMES,
          )
        : this.#texts(
            `select distinct r.name from identifiers i join returns r on r.id = i.return_id
             where i.value >= ? and i.value < ? and ifnull(shop_code, '') = coalesce(?, shop_code, '') limit ?`,
            begin,
            `${begin}\u{10ffff}`,
            shop,
            MAX_NAMES,
          )
    const hasStart = /^R#/i.test(typed)
    return rows
      .map((name) => (hasStart ? name : name.replace(/^R#-/, '')))
      .filter((name) => normalIdentifier(name).startsWith(begin))
      .map((name) => typed + name.slice(typed.length))
  }

  recent(column: 'carrier' | 'carrier_service' | 'shop_code'): string[] {
    return this.#texts(
      `select distinct ${column} 
       from (select ${column} from returns order by sort_key desc, id desc limit ?) order by 1`,
      RECENT,
    )
  }

  #texts(query: string, ...values: (string | number | null)[]) {
    const rows = this.#db
      .prepare(query)
      .raw()
      .all(...values)
    return rows.flatMap((row) => (Array.isArray(row) && typeof row[0] === 'string' ? [row[0]] : []))
  }
}

/** False for a file whose first copy was refused, or failed before it began. */
export function hasOrigin(file: string): boolean {
  try {
    const db = new Libsql(file, { readonly: true, timeout: 0 })
    const found = db.prepare("select 1 from meta where name = 'origin'").get()
    db.close()
    return found !== undefined
  } catch {
    return true
  }
}
