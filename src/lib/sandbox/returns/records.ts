import { REFUND_MODES, REFUND_STATUSES, REFUND_TYPES } from '../../wire/enumerations.ts'
import type { Refund } from '../../wire/refunds.ts'
import { formatServiceDate } from '../../wire/time.ts'
import { toMajor } from '../money.ts'
import { PARTS_PER_RETURN, type Product, type RefundRow } from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'
import { amountsOf, totalsOf } from './amounts.ts'

export interface Presenter {
  timeZone: string
  /** `http://host:port`, for the platform's own addresses. */
  origin: string
  product(no: number): Product
}

/** Decided: `amount` is what the customer gets, the lines' amounts less `fee`. */
export function refundRecord(stored: StoredReturn, refund: RefundRow, presenter: Presenter): Refund {
  const { currency } = stored.doc
  const baseCurrency = stored.shop.currency
  const date = dateWriter(presenter.timeZone)
  const lines = refund.lines.flatMap((position) => {
    const line = stored.doc.lines[position]
    return line === undefined ? [] : [{ line, position }]
  })
  const items = lines.map(({ line }) => line)
  const own = totalsOf(stored, items, refund.fee, 'own')
  const base = totalsOf(stored, items, refund.fee, 'base')
  return {
    id: String(refund.no),
    returnId: String(stored.no),
    refundType: REFUND_TYPES[refund.type],
    refundMode: REFUND_MODES[refund.mode],
    status: REFUND_STATUSES[refund.status],
    amount: toMajor(own.amount - own.fee, currency),
    fee: toMajor(own.fee, currency),
    tax: toMajor(own.tax, currency),
    currency,
    baseAmount: toMajor(base.amount - base.fee, baseCurrency),
    baseFee: toMajor(base.fee, baseCurrency),
    baseTax: toMajor(base.tax, baseCurrency),
    baseCurrency,
    createdAt: date(refund.created),
    ...(refund.executed === null ? {} : { executedAt: date(refund.executed) }),
    lineItems: lines.map(({ line, position }) => ({
      returnLineItemId: lineId(stored.no, position),
      sku: presenter.product(line.product).variants[line.variant]?.sku,
      quantity: line.quantity,
      amount: toMajor(amountsOf(stored, line, 'own').returnAmount, currency),
    })),
    ...(refund.reference === null ? {} : { externalReference: refund.reference }),
  }
}

type DateWriter = (seconds: number) => string

export function dateWriter(timeZone: string): DateWriter {
  return (seconds) => formatServiceDate(Math.round(seconds * 1000), timeZone)
}

export function lineId(returnNo: number, position: number): string {
  return partId(returnNo * PARTS_PER_RETURN + position + 1)
}

/** Of a transport, refund or line. Put together of two numbers: one beyond 31 bits takes several times as long to write. */
export function partId(no: number): string {
  const part = no % PARTS_PER_RETURN
  return `${(no - part) / PARTS_PER_RETURN}${PART_DIGITS[part]}`
}

const PART_DIGITS = Array.from({ length: PARTS_PER_RETURN }, (_, part) => String(part).padStart(2, '0'))
