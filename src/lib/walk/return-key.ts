import { stringifyJson } from '../wire/json.ts'
import { plainText } from '../wire/plain.ts'
import type { Return } from '../wire/returns.ts'

/** The id, which the specification does not require (spec §2.1); else the name, unique in a shop; else everything. */
export function keyOf(record: Return): string {
  const [id, name, shop] = [record.id, record.name, record.shopCode].map((value) => plainText(value))
  return id || (name ? `${shop ?? ''} ${name}` : stringifyJson(record))
}
