import { setImmediate as nextTurn } from 'node:timers/promises'
import { digitsOf } from '../../wire/money.ts'
import { convert, divideRounded } from '../returns/amounts.ts'
import { refundGroups, requestedPickUp } from '../returns/lifecycle.ts'
import {
  FIRST_RETURN,
  type LineRow,
  partNo,
  type RefundMode,
  type RefundRow,
  type ReturnRow,
  type TransportRow,
} from '../store/rows.ts'
import { insertReturn, type Statements } from '../store/snapshot.ts'
import { COUNTRIES, type Country, required, type Shop } from './catalogue.ts'
import EURO_PPM from './euro-ppm.json'
import { type History, simulateHistory } from './history.ts'
import { makeCustomer, randomIban } from './people.ts'
import { Random } from './random.ts'
import REASONS from './reasons.json'

const DAY = 86_400
const SPAN = 400 * DAY
/** Every 25th return is the second one of an order that was made some days before. */
const SECOND_EVERY = 25
const RETURN_STREAM = 2
const FAILED_REFUNDS = 0.02
const BATCH = 2000

export interface SeedOptions {
  seed: number
  returns: number
  /** Epoch milliseconds. The data end at the start of this UTC day. */
  now: number
  onSeeding?: (done: number, total: number) => void
  onNote?: (text: string) => void
}

export async function seedDemoData(sql: Statements, options: SeedOptions) {
  const { returns, onSeeding } = options
  onSeeding?.(0, returns)
  for (let index = 0; index < returns; index++) {
    insertReturn(sql, numberedReturn(options, index))
    if (index % BATCH === BATCH - 1) {
      onSeeding?.(index + 1, returns)
      await nextTurn()
    }
  }
  onSeeding?.(returns, returns)
}

function numberedReturn(demo: SeedOptions, index: number): ReturnRow {
  const made = makeReturn(demo, index)
  const first = indexOfFirst(demo.returns, index)
  const other = first === index ? indexOfSecond(demo.returns, index) : first
  const others = other === undefined ? [] : makeReturn(demo, other).transports
  const ordered = [...made.transports, ...others].sort((a, b) => a.created - b.created || a.no - b.no)
  const transports = made.transports.map((each) => ({ ...each, nth: ordered.indexOf(each) + 1 }))
  return { ...made, transports }
}

function indexOfFirst(returns: number, index: number) {
  if (index % SECOND_EVERY !== SECOND_EVERY - 1) return index
  const first = index - distance(returns)
  return first < 0 ? index : first
}

function indexOfSecond(returns: number, index: number) {
  const second = index + distance(returns)
  return second < returns && indexOfFirst(returns, second) === index ? second : undefined
}

/** Distance of an order's two returns. It never leads to another pair. */
function distance(returns: number) {
  return 7 + Math.round((returns * 3 * DAY) / SPAN) * SECOND_EVERY
}

function makeReturn(demo: SeedOptions, index: number): ReturnRow {
  const random = new Random(demo.seed, RETURN_STREAM, index)
  const first = indexOfFirst(demo.returns, index)
  const order = makeOrder(demo, first)
  const { shop, country: countryCode, customer } = order.home
  const country = COUNTRIES[countryCode]
  const service = random.pick([0, 0, 0, 0, 1, 1, 1, 2, 3, 4])
  const { serviceType, fee: shopFee, trackingCodePattern } = required(shop.services[service], 'service')
  const needsValidation = random.chance(0.25)
  const isRejected = needsValidation && random.chance(0.15)
  const until = Math.floor(demo.now / 1000 / DAY) * DAY
  const created = creationTime(demo.returns, until, index, random)
  const isPickUp = serviceType === 'pick-up'
  const history = simulateHistory(random, { created, until, needsValidation, isRejected, isPickUp })
  const { currency } = country
  const mode = pickMode(random, serviceType, needsValidation && !isRejected)
  const lines = makeLines(random, shop, country, mode)
  const isFree = lines.every(({ type }) => type === 'EXCHANGE')
  const fee = isFree ? 0 : convert(shopFee, ratePpm(shop.currency, currency), shop.currency, currency)
  const no = FIRST_RETURN + index
  const isPaidBack = lines.some(({ type }) => type === 'ORIGINAL_PAYMENT_METHOD')
  const iban = isPaidBack && random.chance(0.2) ? randomIban(countryCode, random) : undefined
  const warehouse = random.below(shop.warehouses.length)
  const transports = history.transports.map((leg, position): TransportRow => {
    const isKnown = serviceType !== 'do-it-yourself' || leg.events.length > 0
    const reference = isKnown ? random.fill(trackingCodePattern) : undefined
    const pickUp = isPickUp ? requestedPickUp(random.fill('########'), leg.created) : {}
    return { no: partNo(no, position), service, ...leg, reference, ...pickUp }
  })
  return {
    no,
    shop: shop.no,
    name: `R#-${order.name}${first === index ? '' : '-2'}`,
    status: history.status,
    orderId: order.id,
    orderName: order.name,
    created,
    updated: history.updated,
    cancelled: history.cancelled,
    customer,
    currency,
    rate: ratePpm(currency, shop.currency),
    fee,
    warehouse,
    iban,
    lines,
    transports,
    refunds: makeRefunds(no, lines, fee, history),
  }
}

function makeOrder({ seed, returns }: SeedOptions, index: number) {
  const random = new Random(seed, RETURN_STREAM + 1, index)
  const home = makeCustomer(seed, random.below(Math.ceil(returns * 0.4)))
  return {
    home,
    id: String(5_600_000_000_000 + index * 65_537 + random.below(65_537)),
    name: `${home.shop.orderPrefix}${104_000 + index}`,
  }
}

function creationTime(returns: number, until: number, index: number, random: Random) {
  const gap = SPAN / returns
  const jitter = random.next() * Math.min(gap / 2, DAY / 4)
  const day = (until - 60 - (returns - 1 - index) * gap - jitter) / DAY
  const whole = Math.floor(day)
  const part = day - whole
  return Math.floor((whole + part + (0.6 / (2 * Math.PI)) * Math.sin(2 * Math.PI * part)) * DAY)
}

function ratePpm(from: string, to: string) {
  const ppm: Readonly<Record<string, number>> = EURO_PPM
  return Math.round(((ppm[from] ?? 1_000_000) * 1_000_000) / (ppm[to] ?? 1_000_000))
}

/** `PRE_VALIDATION` needs a validation, `DROP_OFF` a drop-off service. */
function pickMode(random: Random, serviceType: string, isValidated: boolean): RefundMode {
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

function pickType(random: Random) {
  const draw = random.below(20)
  if (draw < 12) return 'ORIGINAL_PAYMENT_METHOD'
  if (draw < 15) return 'EXCHANGE'
  return draw < 18 ? 'STORE_CREDIT' : 'GIFT_CARD'
}

function makeLines(random: Random, shop: Shop, country: Country, mode: RefundMode): LineRow[] {
  const count = random.pick([1, 1, 1, 1, 2, 2, 3, 4])
  const mainType = pickType(random)
  return Array.from({ length: count }, () => {
    const { items, price: basePrice } = random.pick(shop.products)
    const variant = random.below(items.length)
    const price = localPrice(basePrice, shop.currency, country.currency)
    const discount = random.chance(0.35) ? divideRounded(price * random.pick([10, 15, 20, 30]), 100) : 0
    const paid = price - discount
    const type = random.chance(0.15) ? pickType(random) : mainType
    const other = items[(variant + 1) % items.length]
    return {
      sku: required(items[variant], 'variant').sku,
      quantity: random.chance(0.1) ? 2 : 1,
      price,
      discount,
      tax: paid - divideRounded(paid * 100, 100 + country.taxPercent),
      reason: random.below(REASONS.length),
      note: random.chance(0.25) ? random.pick(country.remarks) : undefined,
      type,
      mode: mode !== 'INSTANT' && random.chance(0.04) ? 'MANUAL' : mode,
      exchange: type === 'EXCHANGE' ? other && { sku: other.sku } : undefined,
    }
  })
}

/** Rounds to usual prices: 46.95, not 46.37. */
function localPrice(price: number, from: string, to: string) {
  if (from === to) return price
  const converted = convert(price, ratePpm(from, to), from, to)
  return digitsOf(to) === 0
    ? Math.max(10, Math.round(converted / 10) * 10)
    : Math.floor(converted / 100) * 100 + 95
}

function makeRefunds(
  returnNo: number,
  lines: readonly LineRow[],
  fee: number,
  { random, status, due, created }: History,
) {
  const isCalledOff = status === 'DISCARDED' || status === 'EXPIRED'
  return refundGroups(lines, fee).flatMap((group, position): RefundRow[] => {
    const at = due[group.mode]
    // A return that is called off leaves open refunds unpaid.
    if (at === undefined && isCalledOff) return []
    const refund: RefundRow = { no: partNo(returnNo, position), status: 'PENDING', created, ...group }
    if (at === undefined) return [refund]
    if (random.chance(FAILED_REFUNDS)) return [{ ...refund, status: 'FAILED' }]
    return [{ ...refund, status: 'EXECUTED', executed: at, reference: random.fill('rf_@##@####@##') }]
  })
}
