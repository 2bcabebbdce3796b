import { nearest, usageError } from '../../errors.ts'
import { digitsOf } from '../../wire/money.ts'
import type { Shop } from '../demo/catalogue.ts'
import type { checkNewReturn } from '../scenarios/scenario.ts'
import { type Customer, FIRST_RETURN, type LineRow, PARTS_PER_RETURN, partNo } from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import { divideRounded } from './amounts.ts'
import { executeRefunds, latest, refundGroups, requestedTransport } from './lifecycle.ts'

/** Amounts are in major units: `19.99`. */
export type NewReturn = ReturnType<typeof checkNewReturn>

const MAX_PRICE = 1_000_000
const MAX_QUANTITY = 1000
const MAX_LINES = PARTS_PER_RETURN - 1
const TAX_PERCENT = 21
const SAME_CURRENCY = 1_000_000

/** @throws AppError `usage` for a wrong value */
export function addNewReturn(data: WritableSnapshot, shop: Shop, input: NewReturn, now: number): number {
  const service = serviceNo(shop, input.carrierServiceCode)
  const fee = minorUnits(shop, 'fee', input.fee ?? 0)
  const lines = linesOf(shop, input.lines ?? [{}])
  const orderName = input.orderName.trim()
  const last = data.lastReturn()
  const no = (last?.no ?? FIRST_RETURN - 1) + 1
  // Return numbers follow the order of creation.
  const created = latest(last?.created ?? 0, now)
  const siblings = data.returnsOfOrder(shop.no, orderName)
  const { orderId = String(5_700_000_000_000 + no), customer = sampleCustomer(no) } = siblings[0] ?? {}
  const isPending = input.needsValidation !== true
  const made = {
    no,
    shop: shop.no,
    name: freeName(data, shop.no, orderName, siblings.length + 1),
    status: isPending ? ('PENDING' as const) : ('NEEDS_VALIDATION' as const),
    orderId,
    orderName,
    created,
    updated: created,
    customer,
    currency: shop.currency,
    rate: SAME_CURRENCY,
    fee,
    warehouse: 0,
    lines,
    service,
    transports: isPending ? [requestedTransport({ shop: shop.no }, partNo(no, 0), service, created)] : [],
    refunds: refundGroups(lines, fee).map((group, position) => ({
      no: partNo(no, position),
      status: 'PENDING' as const,
      created,
      ...group,
    })),
  }
  // These modes are due at once if nothing is validated.
  data.addReturn(executeRefunds(made, isPending ? ['INSTANT', 'PRE_VALIDATION'] : ['INSTANT'], created))
  return no
}

/** Skips names of another order's returns. */
function freeName(data: WritableSnapshot, shop: number, orderName: string, nth: number): string {
  const name = `R#-${orderName}${nth === 1 ? '' : `-${nth}`}`
  const isTaken = data.findNamed(name).some((named) => named.shop === shop)
  return isTaken ? freeName(data, shop, orderName, nth + 1) : name
}

function linesOf(shop: Shop, input: NonNullable<NewReturn['lines']>): LineRow[] {
  if (input.length > MAX_LINES) {
    throw usageError(`lines: from 1 to ${MAX_LINES} are needed`)
  }
  return input.map((line, i) => {
    const path = `lines[${i}]`
    const sku = checkSku(shop, line.sku, `${path}.sku`)
    const price = minorUnits(shop, `${path}.price`, line.price ?? 49.95)
    const discount = minorUnits(shop, `${path}.discount`, line.discount ?? 0)
    if (discount > price) throw usageError(`${path}.discount: is more than the price`)
    const { quantity = 1, exchange } = line
    if (quantity > MAX_QUANTITY) {
      throw usageError(`${path}.quantity: must be a whole number from 1 to ${MAX_QUANTITY}`)
    }
    const paid = price - discount
    return {
      sku,
      quantity,
      price,
      discount,
      tax: paid - divideRounded(paid * 100, 100 + TAX_PERCENT),
      reason: 0,
      type: line.refundType ?? (exchange === undefined ? 'ORIGINAL_PAYMENT_METHOD' : 'EXCHANGE'),
      mode: line.refundMode ?? 'POST_VALIDATION',
      exchange: exchange && {
        sku: checkSku(shop, exchange.sku, `${path}.exchange.sku`),
        price:
          exchange.price === undefined
            ? undefined
            : minorUnits(shop, `${path}.exchange.price`, exchange.price),
      },
    }
  })
}

function checkSku({ code, products }: Shop, sku: string | undefined, path: string) {
  const known = products.flatMap(({ items }) => items.map((item) => item.sku))
  const found = sku === undefined ? known[0] : known.find((each) => each === sku)
  if (found !== undefined) return found
  throw usageError(
    `${path}: ${code} has no item ${sku}`,
    `did you mean ${nearest(sku ?? '', known) ?? known[0]}?`,
  )
}

function serviceNo(shop: Shop, code: string | undefined) {
  if (code === undefined) return 0
  const position = shop.services.findIndex((service) => service.carrierServiceCode === code)
  if (position >= 0) return position
  const known = shop.services.map(({ carrierServiceCode }) => carrierServiceCode).join(', ')
  throw usageError(`carrierServiceCode: ${shop.code} has no carrier service ${code}`, `use one of ${known}`)
}

function minorUnits({ currency }: Shop, path: string, major: number) {
  const minor = Math.round(major * 10 ** digitsOf(currency))
  if (major <= MAX_PRICE) return minor
  throw usageError(`${path}: must be an amount from 0 to ${MAX_PRICE}`)
}

function sampleCustomer(no: number): Customer {
  return {
    id: String(6_900_000_000_000 + no),
    fullName: 'Sam Sample',
    email: `sam.sample${no}@example.com`,
    phone: '+34600000000',
    address: { line1: 'Calle Mayor, 1', city: 'Madrid', postalCode: '28013', countryCode: 'ES' },
  }
}
