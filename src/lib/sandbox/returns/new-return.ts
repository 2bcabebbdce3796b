import { AppError, nearest } from '../../errors.ts'
import { REFUND_MODES, REFUND_STATUSES, REFUND_TYPES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import {
  type Customer,
  FIRST_RETURN,
  type LineDoc,
  PARTS_PER_RETURN,
  type Product,
  type RefundRow,
  type ReturnCase,
  type Shop,
} from '../store/rows.ts'
import type { WritableSnapshot } from '../store/snapshot.ts'
import { decimals, divideRounded } from './amounts.ts'
import { executeRefunds, latest, refundGroups, requestedTransport } from './case.ts'

type RefundType = (typeof REFUND_TYPES)[number]
type RefundMode = (typeof REFUND_MODES)[number]

/** Amounts are in the shop's currency, in its major unit (`19.99`). */
export interface NewReturn {
  shop: string
  /** The return is `R#-{orderName}`, the second of it `R#-{orderName}-2` or the next free number. */
  orderName: string
  /** One of the shop's; default its first one. */
  carrierServiceCode?: string | undefined
  /** Default false: it waits for its parcel at once. */
  needsValidation?: boolean | undefined
  /** Fee of the return method, default 0. */
  fee?: number | undefined
  /** Default: one item of the shop. */
  lines?: readonly NewLine[] | undefined
}

export interface NewLine {
  /** Default any of the shop's. */
  sku?: string | undefined
  /** Price of one unit, taxes included; default 49.95. */
  price?: number | undefined
  discount?: number | undefined
  /** Default 1. */
  quantity?: number | undefined
  /** Default `ORIGINAL_PAYMENT_METHOD`, and `EXCHANGE` if something is wanted instead. */
  refundType?: RefundType | undefined
  /** Default `POST_VALIDATION`. */
  refundMode?: RefundMode | undefined
  /** Item that the customer wants instead, by default at the same price. */
  exchange?: { sku: string; price?: number | undefined } | undefined
}

const DEFAULT_PRICE = 49.95
const MAX_PRICE = 1_000_000
const MAX_QUANTITY = 1000
const MAX_LINES = PARTS_PER_RETURN - 1
const TAX_PERCENT = 21
const SAME_CURRENCY = 1_000_000

/** The return's number. `now` is in seconds. @throws AppError `usage` that names every mistake */
export function addNewReturn(data: WritableSnapshot, shop: Shop, wanted: NewReturn, now: number): number {
  const service = serviceNo(shop, wanted.carrierServiceCode)
  const fee = minorUnits(shop, 'fee', wanted.fee ?? 0)
  const lines = linesOf(data, shop, wanted.lines ?? [{}])
  const orderName = wanted.orderName.trim()
  if (orderName === '') throw new AppError('usage', 'orderName: must not be blank')

  const last = data.lastReturn()
  const no = (last?.no ?? FIRST_RETURN - 1) + 1
  // Numbers have the order of creation.
  const created = latest(last?.created ?? 0, now)
  const siblings = data.casesOfOrder(shop.no, orderName)
  const order = siblings[0] ?? {
    orderId: String(5_700_000_000_000 + no),
    customer: sampleCustomer(no),
  }
  const name = freeName(data, shop.no, orderName, siblings.length + 1)
  const isPending = wanted.needsValidation !== true
  const requested = {
    no: no * PARTS_PER_RETURN + 1,
    service,
    isPickUp: shop.services[service]?.serviceType === 'pick-up',
  }
  const fresh: ReturnCase = {
    no,
    shop: shop.no,
    name,
    orderName,
    status: RETURN_STATUSES.indexOf(isPending ? 'PENDING' : 'NEEDS_VALIDATION'),
    created,
    updated: created,
    cancelled: null,
    transports: isPending ? [requestedTransport(requested, created)] : [],
    refunds: refundsOf(no, lines, fee, created),
  }
  const made = executeRefunds(
    fresh,
    // Modes before validation are due at once if there is no validation.
    isPending ? ['INSTANT', 'PRE_VALIDATION'] : ['INSTANT'],
    created,
  )
  const doc = { currency: shop.currency, rate: SAME_CURRENCY, fee, warehouse: 0, lines, service }
  data.addReturn({ ...made, orderId: order.orderId, customer: order.customer, doc })
  return no
}

/** The return's name by its place in the order: the next place where another order's return has that name. */
function freeName(
  data: Pick<WritableSnapshot, 'casesOfOrder'>,
  shop: number,
  orderName: string,
  place: number,
): string {
  const rest = place === 1 ? orderName : `${orderName}-${place}`
  const orders = [rest, rest.replace(/-\d+$/, '')]
  const isTaken = orders.some((order) =>
    data.casesOfOrder(shop, order).some(({ name }) => name === `R#-${rest}`),
  )
  return isTaken ? freeName(data, shop, orderName, place + 1) : `R#-${rest}`
}

function linesOf(data: WritableSnapshot, shop: Shop, wanted: readonly NewLine[]): LineDoc[] {
  if (wanted.length < 1 || wanted.length > MAX_LINES) {
    throw new AppError('usage', `lines: from 1 to ${MAX_LINES} are needed`)
  }
  return wanted.map((line, i) => {
    const place = `lines[${i}]`
    const [product, variant] = findVariant(data, shop, line.sku, `${place}.sku`)
    const price = minorUnits(shop, `${place}.price`, line.price ?? DEFAULT_PRICE)
    const discount = minorUnits(shop, `${place}.discount`, line.discount ?? 0)
    if (discount > price) throw new AppError('usage', `${place}.discount: is more than the price`)
    const { quantity = 1, exchange } = line
    if (!Number.isInteger(quantity) || quantity < 1 || quantity > MAX_QUANTITY) {
      throw new AppError('usage', `${place}.quantity: must be a whole number from 1 to ${MAX_QUANTITY}`)
    }
    const paid = price - discount
    const type = line.refundType ?? (exchange === undefined ? 'ORIGINAL_PAYMENT_METHOD' : 'EXCHANGE')
    return {
      product: product.no,
      variant,
      quantity,
      price,
      discount,
      tax: paid - divideRounded(paid * 100, 100 + TAX_PERCENT),
      reason: 0,
      type: REFUND_TYPES.indexOf(type),
      mode: REFUND_MODES.indexOf(line.refundMode ?? 'POST_VALIDATION'),
      ...(exchange === undefined ? {} : exchangeOf(data, shop, exchange, place)),
    }
  })
}

function exchangeOf(
  data: WritableSnapshot,
  shop: Shop,
  { sku, price }: { sku: string; price?: number | undefined },
  place: string,
): Pick<LineDoc, 'exchange' | 'exchangeProduct' | 'exchangePrice'> {
  const [product, variant] = findVariant(data, shop, sku, `${place}.exchange.sku`)
  const exchangePrice = price === undefined ? undefined : minorUnits(shop, `${place}.exchange.price`, price)
  return {
    exchange: variant,
    exchangeProduct: product.no,
    ...(exchangePrice === undefined ? {} : { exchangePrice }),
  }
}

function findVariant(
  data: WritableSnapshot,
  shop: Shop,
  sku: string | undefined,
  place: string,
): [Product, number] {
  const known: string[] = []
  for (const product of data.products()) {
    for (const [position, variant] of product.variants.entries()) {
      // A shop's SKUs begin with its short code.
      if (!variant.sku.startsWith(`${shop.shortCode}-`)) continue
      if (sku === undefined || variant.sku === sku) return [product, position]
      known.push(variant.sku)
    }
  }
  const close = nearest(sku ?? '', known) ?? known[0]
  throw new AppError('usage', `${place}: ${shop.code} has no item ${sku}`, {
    hints: close === undefined ? [] : [`did you mean ${close}?`],
  })
}

function serviceNo(shop: Shop, code: string | undefined): number {
  if (code === undefined) return 0
  const position = shop.services.findIndex((service) => service.carrierServiceCode === code)
  if (position >= 0) return position
  const known = shop.services.map(({ carrierServiceCode }) => carrierServiceCode).join(', ')
  throw new AppError('usage', `carrierServiceCode: ${shop.code} has no carrier service ${code}`, {
    hints: [`use one of ${known}`],
  })
}

function minorUnits({ currency }: Shop, place: string, major: number): number {
  const minor = Math.round(major * 10 ** decimals(currency))
  if (Number.isFinite(major) && major >= 0 && major <= MAX_PRICE) return minor
  throw new AppError('usage', `${place}: must be an amount from 0 to ${MAX_PRICE}`)
}

function refundsOf(returnNo: number, lines: readonly LineDoc[], fee: number, created: number): RefundRow[] {
  return refundGroups(lines).map((group, position) => ({
    no: returnNo * PARTS_PER_RETURN + position + 1,
    status: REFUND_STATUSES.indexOf('PENDING'),
    type: group.type,
    mode: group.mode,
    created,
    executed: null,
    fee: group.bearsFee ? fee : 0,
    reference: null,
    lines: group.lines,
  }))
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
