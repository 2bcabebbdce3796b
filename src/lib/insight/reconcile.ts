import Big from 'big.js'
import { numberText } from '../wire/json.ts'
import { objectsIn } from '../wire/raw.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return, ReturnLineItem } from '../wire/returns.ts'
import { isExecuted, nameOf, type ReturnFacts } from './case.ts'
import { isDue } from './refund-due.ts'

/** Fields in the return's currency; `BASE` has those in the shop's. */
const OWN = {
  line: 'returnAmount',
  amount: 'totalReturnAmount',
  fee: 'totalReturnFee',
  refund: 'totalRefund',
  refundAmount: 'amount',
  refundFee: 'fee',
  currency: 'currency',
} as const
const BASE = {
  line: 'baseReturnAmount',
  amount: 'baseTotalReturnAmount',
  fee: 'baseTotalReturnFee',
  refund: 'baseTotalRefund',
  refundAmount: 'baseAmount',
  refundFee: 'baseFee',
  currency: 'baseCurrency',
} as const
type CurrencyFields = typeof OWN | typeof BASE

type DifferenceKind =
  | 'total'
  | 'not-refunded'
  | 'not-due'
  | 'twice'
  | 'line'
  | 'refund'
  | 'fee'
  | 'currency'
  | 'type'
  | 'foreign'

export interface Difference {
  name: string
  id: string | undefined
  shop: string | undefined
  kind: DifferenceKind
  line?: string
  refund?: string
  currency: string | undefined
  expected: string
  actual: string
  difference?: string
  why: string
}

/**
 * Compares the worth of a return with its executed refunds, by line and currency, once its refund mode makes
 * them due. Amounts and refunds that were not sent are not compared.
 */
export function reconcile(facts: ReturnFacts): Difference[] {
  return new Reconciliation(facts).differences()
}

class Reconciliation {
  readonly #record: Return
  readonly #lines: readonly ReturnLineItem[]
  readonly #found: Difference[] = []

  constructor(private readonly facts: ReturnFacts) {
    this.#record = facts.record
    this.#lines = objectsIn(facts.record.returnLineItems)
  }

  differences() {
    for (const fields of [OWN, BASE]) this.#compareTotals(fields)
    if (this.facts.refunds !== undefined) this.#compareRefunds(objectsIn(this.facts.refunds))
    return this.#found
  }

  #compareTotals(fields: CurrencyFields) {
    const { line, amount, fee, refund, currency } = fields
    const record = this.#record
    const lines = sum(this.#lines.map((one) => one[line]))
    const [whole, cost] = [decimal(record[amount]), decimal(record[fee])]
    const about = { kind: 'total', currency: record[currency] } as const
    this.#compare(lines, whole, { ...about, why: `${amount}: the sum of the lines` })
    const rest = whole && cost && whole.minus(cost)
    this.#compare(rest, decimal(record[refund]), { ...about, why: `${refund}: ${amount} less ${fee}` })
  }

  #compareRefunds(refunds: readonly Refund[]) {
    const own = refunds.filter((refund) => this.#isOwn(refund))
    const executed = own.filter(isExecuted)
    const repeated = new Set(this.#lines.flatMap((line) => this.#compareLine(line, executed)))
    for (const refund of executed) this.#compareRefund(refund)
    const once = executed.filter((refund) => !repeated.has(refund))
    const open = own.filter((refund) => !isExecuted(refund))
    for (const fields of [OWN, BASE]) this.#compareSums(fields, once, open)
  }

  #isOwn(refund: Refund) {
    const { id } = this.#record
    const isOther = Boolean(refund.returnId && id) && refund.returnId !== id
    const ids = this.#lines.map((line) => line.id)
    const unknown = objectsIn(refund.lineItems).filter(({ returnLineItemId: of }) => of && !ids.includes(of))
    if (!isOther && unknown.length === 0) return true
    const [expected, actual] = isOther
      ? [`return ${id}`, `return ${numberText(refund.returnId)}`]
      : ['lines of the return', `line ${unknown.map((one) => numberText(one.returnLineItemId)).join(', ')}`]
    this.#add({ kind: 'foreign', refund: refund.id, expected, actual, why: 'not of this return' })
    return false
  }

  /** @returns refunds that pay the line more than it is worth */
  #compareLine(line: ReturnLineItem, executed: readonly Refund[]): Refund[] {
    const worth = lineWorth(line)
    const shares = executed.flatMap((refund) =>
      objectsIn(refund.lineItems)
        .filter(({ returnLineItemId }) => Boolean(line.id) && returnLineItemId === line.id)
        .map((share) => ({ refund, amount: decimal(share.amount) })),
    )
    const currency = line.currency ?? this.#record.currency
    const about = { line: line.sku, refund: shares.at(-1)?.refund.id, currency }
    const due = isDue(line.refundMode, this.facts)
    if (shares.length === 0) {
      const isListed = executed.every((refund) => Array.isArray(refund.lineItems))
      const why = `${line.refundMode} is due`
      if (due === 'due' && isListed) this.#compare(worth, new Big(0), { ...about, kind: 'not-refunded', why })
      return []
    }
    const paid = sum(shares.map(({ amount }) => amount))
    const repeated = shares.filter((_, at) => {
      const until = sum(shares.slice(0, at + 1).map(({ amount }) => amount))
      return at > 0 && worth && until?.gt(worth)
    })
    if (repeated.length > 0) {
      const why = `${shares.length} executed refunds have it`
      this.#compare(worth, paid, { ...about, kind: 'twice', why })
    } else if (due === 'not-due') {
      const why = `${line.refundMode} is not due yet`
      this.#compare(new Big(0), paid, { ...about, kind: 'not-due', why })
    } else if (shares.every(({ refund }) => hasSameCurrency(refund.currency, currency))) {
      this.#compare(worth, paid, { ...about, kind: 'line', why: 'the line is to be returned with' })
    }
    const expected = line.refundType
    for (const { id: refund, refundType: actual } of shares.map((share) => share.refund)) {
      if (!actual || !expected || actual === expected) continue
      const why = 'how it is refunded'
      this.#add({ ...about, refund, currency: undefined, kind: 'type', expected, actual, why })
    }
    return repeated.map(({ refund }) => refund)
  }

  #compareRefund(refund: Refund) {
    for (const fields of [OWN, BASE]) {
      const currency = this.#record[fields.currency]
      const about = { refund: refund.id, currency }
      if (!hasSameCurrency(refund[fields.currency], currency)) {
        const [expected, actual] = [String(currency), String(refund[fields.currency])]
        this.#add({ ...about, kind: 'currency', expected, actual, why: `${fields.currency} of the return` })
        continue
      }
      const lines = this.#amountOfLines(refund, fields)
      const fee = decimal(refund[fields.refundFee])
      const why = `${fields.refundAmount}: its lines less its fee`
      const amount = decimal(refund[fields.refundAmount])
      this.#compare(lines && fee && lines.minus(fee), amount, { ...about, kind: 'refund', why })
    }
  }

  #amountOfLines(refund: Refund, fields: CurrencyFields) {
    if (!Array.isArray(refund.lineItems)) return undefined
    const shares = objectsIn(refund.lineItems)
    if (fields === OWN) return sum(shares.map(({ amount }) => amount))
    return sum(
      shares.map(({ returnLineItemId, amount }) => {
        const line = this.#lines.find(({ id }) => id === returnLineItemId)
        const worth = line && lineWorth(line)
        // Only a whole line has an amount in the shop's currency.
        return worth && decimal(amount)?.lt(worth) ? undefined : line?.[fields.line]
      }),
    )
  }

  /** Compares the fee with all refunds: open or dropped ones may bear it too. Compares amounts if lines are unknown. */
  #compareSums(fields: CurrencyFields, executed: readonly Refund[], open: readonly Refund[]) {
    if (executed.length === 0) return
    const currency = this.#record[fields.currency]
    if (!executed.every((refund) => hasSameCurrency(refund[fields.currency], currency))) return
    const fee = decimal(this.#record[fields.fee])
    const all = [...executed, ...open]
    const charged = sum(all.map((refund) => refund[fields.refundFee]))
    const named = all.flatMap((refund) => objectsIn(refund.lineItems)).map((share) => share.returnLineItemId)
    const isWhole = this.#lines.every(({ id }) => named.includes(id))
    const why = `${fields.fee} of the return, in its refunds`
    if (isWhole || (fee && charged?.gt(fee))) this.#compare(fee, charged, { kind: 'fee', currency, why })
    if (executed.every((refund) => Array.isArray(refund.lineItems))) return
    const expected = decimal(this.#record[fields.refund])
    const paid = sum(executed.map((refund) => refund[fields.refundAmount]))
    const isDueInAll = this.#lines.every(({ refundMode }) => isDue(refundMode, this.facts) === 'due')
    const about = { kind: 'refund', currency, why: `${fields.refund}: all executed refunds` } as const
    if ((isDueInAll && this.#lines[0]) || (expected && paid?.gt(expected)))
      this.#compare(expected, paid, about)
  }

  #compare(
    expected: Big | undefined,
    actual: Big | undefined,
    about: Omit<Found, 'expected' | 'actual' | 'difference'>,
  ) {
    if (expected === undefined || actual === undefined || expected.eq(actual)) return
    const difference = actual.minus(expected).toFixed()
    this.#add({ ...about, expected: expected.toFixed(), actual: actual.toFixed(), difference })
  }

  #add({ refund, currency, ...rest }: Found) {
    const { id, shopCode: shop } = this.#record
    const found = { name: nameOf(this.#record), id: id ?? undefined, shop, refund: refund ?? undefined }
    this.#found.push({ ...found, currency: currency ?? undefined, ...rest })
  }
}

type Found = Omit<Difference, 'name' | 'id' | 'shop' | 'refund' | 'currency'> &
  Partial<Record<'refund' | 'currency', string | null | undefined>>

function lineWorth({ returnAmount, paid, quantity }: ReturnLineItem) {
  const amount = decimal(returnAmount)
  if (amount) return amount
  const [each, units] = [decimal(paid), decimal(quantity)]
  return each && units && each.times(units)
}

/** A missing currency counts as the same. */
function hasSameCurrency(one: string | null | undefined, other: string | null | undefined) {
  return !one || !other || one === other
}

function decimal(value: unknown) {
  if (value === undefined || value === null || value === '') return undefined
  try {
    return new Big(String(value))
  } catch {
    return undefined
  }
}

function sum(values: readonly unknown[]) {
  const amounts = values.map((value) => (value instanceof Big ? value : decimal(value)))
  return amounts.reduce<Big | undefined>(
    (all, amount) => (all && amount ? all.plus(amount) : undefined),
    new Big(0),
  )
}
