import type { ReturnRow, TransportRow } from '../store/rows.ts'
import { indexOfFirst, indexOfSecond } from './orders.ts'
import { type Demo, makeReturn } from './returns.ts'

/** The return at a position from 0, oldest first, with all its parts: transports have their places in the order. */
export function numberedReturn(demo: Demo, index: number): ReturnRow {
  const made = makeReturn(demo, index)
  const first = indexOfFirst(demo.returns, index)
  const other = first === index ? indexOfSecond(demo.returns, index) : first
  if (other === undefined && made.transports.length < 2) return made
  const others = other === undefined ? [] : makeReturn(demo, other).transports
  const ordered = [...made.transports, ...others].sort((a, b) => a.created - b.created || a.no - b.no)
  return { ...made, transports: made.transports.map((each) => withPlace(each, ordered.indexOf(each) + 1)) }
}

/** The first of an order goes without. */
function withPlace(transport: TransportRow, nth: number): TransportRow {
  return nth === 1 ? transport : { ...transport, doc: { ...transport.doc, nth } }
}
