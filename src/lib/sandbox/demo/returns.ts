import {
  REFUND_MODES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../wire/enumerations.ts'
import { convert, decimals, divideRounded } from '../returns/amounts.ts'
import {
  FIRST_RETURN,
  type LineDoc,
  PARTS_PER_RETURN,
  type ReturnRow,
  type TransportRow,
} from '../store/rows.ts'
import type { DemoShop } from './catalogue.ts'
import { randomIban } from './check-digits.ts'
import { makeCustomer } from './customers.ts'
import { type History, makeRefunds, tellHistory } from './history.ts'
import { Random } from './random.ts'
import {
  COUNTRIES,
  type Country,
  type CountryCode,
  EURO_PPM,
  RETURN_REASONS,
  type ServiceSeed,
} from './seed-data.ts'

const SPAN_SECONDS = 400 * 86_400
/** Every 25th return is the second one of an order that was made some days before. */
const SECOND_EVERY = 25

/** Index of the order's first return. */
function indexOfFirst(returns: number, index: number): number {
  if (index % SECOND_EVERY !== SECOND_EVERY - 1) return index
  const first = index - distance(returns)
  return first < 0 ? index : first
}

/** Index of the order's second return, if there is one. */
function indexOfSecond(returns: number, index: number): number | undefined {
  const second = index + distance(returns)
  return second < returns && indexOfFirst(returns, second) === index ? second : undefined
}

/** Never to the position of a second return, and never to one that is the first of two already. */
function distance(returns: number): number {
  return 7 + Math.round((returns * 3 * 86_400) / SPAN_SECONDS) * SECOND_EVERY
}

const RETURN_STREAM = 2

type RefundMode = (typeof REFUND_MODES)[number]
type RefundType = (typeof REFUND_TYPES)[number]

export interface Demo {
  seed: number
  returns: number
  customers: number
  /** Start of the day of the seeding, seconds; everything happened before it. */
  anchor: number
  shops: readonly DemoShop[]
}

/** The return at a position from 0, oldest first; its transports without their places in the order. */
function makeReturn(demo: Demo, index: number): ReturnRow {
  const random = new Random(demo.seed, RETURN_STREAM, index)
  const first = indexOfFirst(demo.returns, index)
  const order = makeOrder(demo, first)
  const { shop, merchant } = order.home.shop
  const country: Country = COUNTRIES[order.home.country]
  const serviceNo = random.pick([0, 0, 0, 0, 1, 1, 1, 2, 3, 4])
  const service = merchant.services[serviceNo]
  if (service === undefined) throw new Error(`${shop.code} lacks a carrier service`)

  const needsValidation = random.chance(0.25)
  const isRejected = needsValidation && random.chance(0.15)
  const createdAt = creationTime(demo, index, random)
  const history = tellHistory(random, {
    createdAt,
    until: demo.anchor,
    needsValidation,
    isRejected,
    serviceType: service[0],
  })
  const rate = ratePpm(country.currency, shop.currency)
  const mode = pickMode(random, service[0], needsValidation && !isRejected)
  const lines = makeLines(random, order.home.shop, country, mode)
  const isFree = lines.every((line) => REFUND_TYPES[line.type] === 'EXCHANGE')
  const fee = isFree
    ? 0
    : convert(service[5], ratePpm(shop.currency, country.currency), shop.currency, country.currency)
  const no = FIRST_RETURN + index
  const iban = pickIban(random, order.home.country, lines)
  return {
    no,
    shop: shop.no,
    name: `R#-${order.name}${first === index ? '' : '-2'}`,
    status: RETURN_STATUSES.indexOf(history.status),
    orderId: order.id,
    orderName: order.name,
    created: createdAt,
    updated: history.updatedAt,
    cancelled: history.cancelledAt ?? null,
    customer: order.home.customer,
    doc: {
      currency: country.currency,
      rate,
      fee,
      warehouse: random.below(shop.warehouses.length),
      ...(iban === undefined ? {} : { iban }),
      lines,
    },
    transports: makeTransports(random, no, serviceNo, service, history),
    refunds: makeRefunds(random, no, createdAt, lines, fee, history),
  }
}

function makeOrder(demo: Demo, index: number) {
  const random = new Random(demo.seed, RETURN_STREAM + 1, index)
  const home = makeCustomer(demo.seed, demo.shops, random.below(demo.customers))
  return {
    home,
    id: String(5_600_000_000_000 + index * 65_537 + random.below(65_537)),
    name: `${home.shop.merchant.orderPrefix}${104_000 + index}`,
  }
}

/** Evenly over the days and mostly around noon; in the order of numbers. */
function creationTime(demo: Demo, index: number, random: Random): number {
  const gap = SPAN_SECONDS / demo.returns
  const jitter = random.next() * Math.min(gap / 2, 6 * 3600)
  const day = (demo.anchor - 60 - (demo.returns - 1 - index) * gap - jitter) / 86_400
  const whole = Math.floor(day)
  const part = day - whole
  return Math.floor((whole + part + (0.6 / (2 * Math.PI)) * Math.sin(2 * Math.PI * part)) * 86_400)
}

function ratePpm(from: string, to: string): number {
  return Math.round(((EURO_PPM[from] ?? 1_000_000) * 1_000_000) / (EURO_PPM[to] ?? 1_000_000))
}

/** Refunds before a validation need one, and those on drop-off a parcel that is dropped off. */
function pickMode(random: Random, serviceType: ServiceSeed[0], isValidated: boolean): RefundMode {
  if (isValidated && random.chance(0.4)) return 'PRE_VALIDATION'
  const modes: RefundMode[] = [
    'POST_VALIDATION',
    'POST_VALIDATION',
    'POST_VALIDATION',
    'SHIPPING_COMPLETED',
    'SHIPPING_COMPLETED',
    'SHIPPING_IN_PROGRESS',
    'INSTANT',
    'MANUAL',
  ]
  if (serviceType.startsWith('drop-off')) modes.push('DROP_OFF', 'DROP_OFF')
  return random.pick(modes)
}

function pickType(random: Random): RefundType {
  const draw = random.below(20)
  if (draw < 12) return 'ORIGINAL_PAYMENT_METHOD'
  if (draw < 15) return 'EXCHANGE'
  return draw < 18 ? 'STORE_CREDIT' : 'GIFT_CARD'
}

function makeLines(
  random: Random,
  { shop, catalogue }: DemoShop,
  country: Country,
  mode: RefundMode,
): LineDoc[] {
  const count = random.pick([1, 1, 1, 1, 2, 2, 3, 4])
  const type = pickType(random)
  return Array.from({ length: count }, () => {
    const { product, price: basePrice } = random.pick(catalogue)
    const variant = random.below(product.variants.length)
    const price = localPrice(basePrice, shop.currency, country.currency)
    const discount = random.chance(0.35) ? divideRounded(price * random.pick([10, 15, 20, 30]), 100) : 0
    const paid = price - discount
    const lineType = random.chance(0.15) ? pickType(random) : type
    return {
      product: product.no,
      variant,
      quantity: random.chance(0.1) ? 2 : 1,
      price,
      discount,
      tax: paid - divideRounded(paid * 100, 100 + country.taxPercent),
      reason: random.below(RETURN_REASONS.length),
      ...(random.chance(0.25) ? { note: random.pick(country.remarks) } : {}),
      type: REFUND_TYPES.indexOf(lineType),
      mode: REFUND_MODES.indexOf(mode !== 'INSTANT' && random.chance(0.04) ? 'MANUAL' : mode),
      ...(lineType === 'EXCHANGE' ? { exchange: (variant + 1) % product.variants.length } : {}),
    }
  })
}

/** Prices abroad are set, not converted: 46.95 and not 46.37. */
function localPrice(price: number, from: string, to: string): number {
  if (from === to) return price
  const converted = convert(price, ratePpm(from, to), from, to)
  return decimals(to) === 0
    ? Math.max(10, Math.round(converted / 10) * 10)
    : Math.floor(converted / 100) * 100 + 95
}

function pickIban(random: Random, country: CountryCode, lines: readonly LineDoc[]): string | undefined {
  const isPaidBack = lines.some((line) => REFUND_TYPES[line.type] === 'ORIGINAL_PAYMENT_METHOD')
  return isPaidBack && random.chance(0.2) ? randomIban(country, random) : undefined
}

function makeTransports(
  random: Random,
  returnNo: number,
  serviceNo: number,
  service: ServiceSeed,
  history: History,
): TransportRow[] {
  return history.transports.map((transport, position) => {
    const isPickUp = service[0] === 'pick-up'
    const isKnown = service[0] !== 'do-it-yourself' || transport.events.length > 0
    return {
      no: returnNo * PARTS_PER_RETURN + position + 1,
      status: TRANSPORTATION_STATUSES.indexOf(transport.status),
      service: serviceNo,
      created: transport.createdAt,
      updated: transport.updatedAt,
      doc: {
        ...(isKnown ? { reference: random.fill(service[4]) } : {}),
        ...(isPickUp ? pickUp(random, transport.createdAt) : {}),
        events: transport.events.map(({ status, date, receivedAt }) => [
          TRANSPORTATION_STATUSES.indexOf(status),
          date,
          receivedAt,
        ]),
      },
    }
  })
}

function pickUp(random: Random, requestedAt: number) {
  return {
    pickupReference: random.fill('PU########'),
    pickupDate: new Date((requestedAt + 86_400) * 1000).toISOString().slice(0, 10),
  }
}

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
