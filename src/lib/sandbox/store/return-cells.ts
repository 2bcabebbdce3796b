import type { ReturnCells } from './queries.ts'
import type { Shop } from './rows.ts'
import type { StoredReturn } from './snapshot.ts'

/** A row of the query `returns`. */
export function returnOfCells(row: ReturnCells, shops: readonly Shop[]): StoredReturn {
  const [no, shop, name, status, orderId, orderName, created, updated, cancelled, doc, customer, transport] =
    row
  const [, , , , , , , , , , , , transportStatus, service, transportCreated, transportUpdated, transportDoc] =
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
    transport:
      transport === null
        ? undefined
        : {
            no: transport,
            status: transportStatus,
            service,
            created: transportCreated,
            updated: transportUpdated,
            doc: JSON.parse(transportDoc),
          },
  }
}
