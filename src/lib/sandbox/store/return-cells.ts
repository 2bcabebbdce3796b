import type { CaseCells, ReturnCells } from './queries.ts'
import type { RefundRow, ReturnCase, Shop, TransportRow } from './rows.ts'
import type { StoredReturn } from './snapshot.ts'

/** A row of the query `returns`. */
export function returnOfCells(row: ReturnCells, shops: readonly Shop[]): StoredReturn {
  const [no, shop, name, status, orderId, orderName, created, updated, cancelled, doc, transports, customer] =
    row
  const known = shops[shop]
  if (known === undefined) throw new Error(`The data file has no shop ${shop}`)
  return {
    no,
    shop: known,
    name,
    status,
    orderId,
    orderName,
    created,
    updated,
    cancelled,
    doc: JSON.parse(doc),
    customer: JSON.parse(customer),
    transport: listOf<TransportRow>(transports).at(-1),
  }
}

export function caseOfCells(cells: CaseCells): ReturnCase {
  const [no, shop, name, orderName, status, created, updated, cancelled, transports, refunds] = cells
  return {
    ...{ no, shop, name, status, orderName, created, updated, cancelled },
    transports: listOf<TransportRow>(transports),
    refunds: listOf<RefundRow>(refunds),
  }
}

function listOf<T>(text: string): T[] {
  return JSON.parse(text)
}
