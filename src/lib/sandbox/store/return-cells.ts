import { binaryOf, textOf } from '../json-text.ts'
import type { CaseCells } from './queries.ts'
import type {
  Customer,
  Party,
  RefundRow,
  ReturnCase,
  ReturnDoc,
  ReturnParts,
  ReturnRow,
  Shop,
  TransportDoc,
  TransportRow,
} from './rows.ts'
import type { StoredCustomer, StoredReturn } from './snapshot.ts'

/** In the order of the table's columns. */
export function returnValues(row: ReturnRow, { transports, refunds }: ReturnParts) {
  const { no, shop, name, status, orderId, orderName, created, updated, cancelled, customer, doc } = row
  const head = [no, shop, name, status, orderId, orderName, created, updated, cancelled, customer] as const
  return [...head, JSON.stringify(doc), transportsText(transports), refundsText(refunds)] as const
}

/** As in a return's row: names of members would take a fifth of the file. */
type TransportCells = readonly [
  no: number,
  status: number,
  service: number,
  created: number,
  updated: number,
  doc: TransportDoc,
]
type RefundCells = readonly [
  no: number,
  status: number,
  type: number,
  mode: number,
  created: number,
  executed: number | null,
  fee: number,
  reference: string | null,
  lines: number[],
]

export function transportsText(rows: readonly TransportRow[]): string {
  return JSON.stringify(
    rows.map(
      ({ no, status, service, created, updated, doc }): TransportCells => [
        no,
        status,
        service,
        created,
        updated,
        doc,
      ],
    ),
  )
}

function transportsOf(text: string): TransportRow[] {
  const rows: TransportCells[] = JSON.parse(text)
  return rows.map(transportOf)
}

function transportOf([no, status, service, created, updated, doc]: TransportCells): TransportRow {
  return { no, status, service, created, updated, doc }
}

export function refundsText(rows: readonly RefundRow[]): string {
  return JSON.stringify(
    rows.map(
      ({ no, status, type, mode, created, executed, fee, reference, lines }): RefundCells => [
        no,
        status,
        type,
        mode,
        created,
        executed,
        fee,
        reference,
        lines,
      ],
    ),
  )
}

export function refundsOf(text: string): RefundRow[] {
  const rows: RefundCells[] = JSON.parse(text)
  return rows.map(([no, status, type, mode, created, executed, fee, reference, lines]) => ({
    ...{ no, status, type, mode, created, executed, fee, reference, lines },
  }))
}

/** JSON, the id first. */
export function customerText({ id, ...person }: Customer): string {
  return JSON.stringify({ id, ...person })
}

/** Pages show the rest as it is: parsed and written anew, it would take a tenth of their time. */
function customerOf(line: string): StoredCustomer {
  const end = line.indexOf('"', ID_AT)
  const isKnown = line.startsWith(CUSTOMER_START) && line.startsWith('",', end)
  if (!isKnown) throw new Error(`The data file has a customer that can't be read: ${textOf(line)}`)
  return { id: line.slice(ID_AT, end), person: `{${line.slice(end + 2)}` }
}

const CUSTOMER_START = '{"id":"'
const ID_AT = CUSTOMER_START.length

export function partyOf({ person }: StoredCustomer): Party {
  return JSON.parse(textOf(person))
}

/** A return's line of the query `returns`. */
type ReturnCells = readonly [
  no: number,
  shop: number,
  status: number,
  created: number,
  updated: number,
  cancelled: number | null,
  name: string,
  orderId: string,
  orderName: string,
  doc: ReturnDoc,
  transports: TransportCells[],
]

/** Of the query `returns`. */
export function* returnsOfLines(lines: Uint8Array, shops: readonly Shop[]): Iterable<StoredReturn> {
  const texts = binaryOf(lines).split('\n')
  for (let i = 1; i < texts.length; i += 2) yield returnOf(texts[i - 1] ?? '', texts[i] ?? '', shops)
}

function returnOf(line: string, customer: string, shops: readonly Shop[]): StoredReturn {
  const cells: ReturnCells = JSON.parse(textOf(line))
  const [no, shop, status, created, updated, cancelled, name, orderId, orderName, doc, transports] = cells
  const known = shops[shop]
  if (known === undefined) throw new Error(`The data file has no shop ${shop}`)
  const last = transports.at(-1)
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
    doc,
    customer: customerOf(customer),
    transport: last && transportOf(last),
  }
}

export function caseOfCells(cells: CaseCells): ReturnCase {
  const [no, shop, name, orderName, status, created, updated, cancelled, transports, refunds] = cells
  return {
    ...{ no, shop, name, status, orderName, created, updated, cancelled },
    transports: transportsOf(transports),
    refunds: refundsOf(refunds),
  }
}
