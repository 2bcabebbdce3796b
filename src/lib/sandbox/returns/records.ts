import {
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../wire/enumerations.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnLineItem } from '../../wire/returns.ts'
import { formatServiceDate } from '../../wire/time.ts'
import type { ActiveTransportation, Transportation } from '../../wire/transportations.ts'
import { registeredDocs } from '../labels/registered.ts'
import { absoluteUrl } from '../labels/sets.ts'
import { clientReference, merchantReturnName } from '../labels/shipments.ts'
import { toMajor } from '../money.ts'
import {
  type LabelDoc,
  type LineDoc,
  PARTS_PER_RETURN,
  type Product,
  type RefundRow,
  type Shop,
  type TransportRow,
} from '../store/rows.ts'
import type { StoredReturn } from '../store/snapshot.ts'
import { amountsOf, totalsOf } from './amounts.ts'

export interface Presenter {
  timeZone: string
  /** `http://host:port`, for the platform's own addresses. */
  origin: string
  product(no: number): Product
}

/** Spec §2.1. */
export function returnRecord(stored: StoredReturn, presenter: Presenter): Return {
  const { doc, shop, customer, transport } = stored
  const { currency } = doc
  const date = dateWriter(presenter.timeZone)
  const totals = totalsOf(stored, doc.lines, doc.fee, 'own')
  const base = totalsOf(stored, doc.lines, doc.fee, 'base')
  const person = {
    fullName: customer.fullName,
    email: customer.email,
    phone: customer.phone,
    address: customer.address,
  }
  return {
    id: String(stored.no),
    shopCode: shop.code,
    name: stored.name,
    merchantReturnName: merchantReturnName(stored),
    createdAt: date(stored.created),
    updatedAt: date(stored.updated),
    ...(stored.cancelled === null ? {} : { cancelledAt: date(stored.cancelled) }),
    status: RETURN_STATUSES[stored.status],
    totalReturnFee: toMajor(totals.fee, currency),
    totalReturnAmount: toMajor(totals.amount, currency),
    totalTax: toMajor(totals.tax, currency),
    totalRefund: toMajor(totals.amount - totals.fee, currency),
    currency,
    ...(doc.iban === undefined ? {} : { customerIban: doc.iban, accountHolderName: customer.fullName }),
    baseTotalReturnFee: toMajor(base.fee, shop.currency),
    baseTotalReturnAmount: toMajor(base.amount, shop.currency),
    baseTotalTax: toMajor(base.tax, shop.currency),
    baseTotalRefund: toMajor(base.amount - base.fee, shop.currency),
    baseCurrency: shop.currency,
    customer: person,
    ecommerceOrder: { id: stored.orderId, name: stored.orderName, customerId: customer.id },
    origin: person,
    destination: { ...shop.warehouses[doc.warehouse] },
    returnLineItems: doc.lines.map((line, position) => lineRecord(stored, line, position, presenter)),
    ...(transport === undefined ? {} : { activeTransportation: activeRecord(stored, transport, presenter) }),
  }
}

/** The record of one transport (spec §2.4; decided: two more fields). Events are in the order of receipt. */
export function transportRecord(
  stored: StoredReturn,
  transport: TransportRow,
  presenter: Presenter,
): Transportation {
  const date = dateWriter(presenter.timeZone)
  return {
    ...activeRecord(stored, transport, presenter),
    updatedAt: date(transport.updated),
    trackingEvents: transport.doc.events.map(([status, happened, received, report]) => ({
      status: TRANSPORTATION_STATUSES[status],
      description: report?.description ?? EVENT_DESCRIPTIONS[TRANSPORTATION_STATUSES[status] ?? 'REQUESTED'],
      date: date(happened),
      receivedAt: date(received),
      applied: report?.isLate !== true,
    })),
    ...labelHistory(stored.shop, transport, presenter),
  }
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

const EVENT_DESCRIPTIONS: Readonly<Record<(typeof TRANSPORTATION_STATUSES)[number], string>> = {
  REQUESTED: 'Transport requested',
  PICK_UP_IN_PROGRESS: 'The driver is on the way',
  PICK_UP_COMPLETED: 'Parcel picked up',
  SHIPPING_IN_PROGRESS: 'Parcel in transit',
  SHIPPING_COMPLETED: 'Parcel delivered to the warehouse',
  PICK_UP_FAILED: 'Nobody at home',
  PICK_UP_CANCELLED: 'Pick-up called off',
  SHIPPING_FAILED: 'Parcel lost or damaged',
  SHIPPING_CANCELLED: 'Shipment called off',
}

/** Decided: the labels, and what they replaced, in the form of a request that registers them. */
function labelHistory(shop: Shop, transport: TransportRow, { timeZone, origin }: Presenter) {
  const date = dateWriter(timeZone)
  const shown = (list: readonly LabelDoc[]) =>
    list.map(({ url, ...label }) => ({
      ...label,
      ...(url === undefined ? {} : { url: absoluteUrl(url, origin) }),
    }))
  return {
    shippingLabels: shown(registeredDocs(shop, transport)),
    formerShippingLabels: (transport.doc.formerLabels ?? []).map((former) => ({
      replacedAt: date(former.replaced),
      shippingLabels: shown(former.labels),
    })),
  }
}

type DateWriter = (seconds: number) => string

function dateWriter(timeZone: string): DateWriter {
  return (seconds) => formatServiceDate(Math.round(seconds * 1000), timeZone)
}

function activeRecord(
  stored: StoredReturn,
  transport: TransportRow,
  { timeZone, origin }: Presenter,
): ActiveTransportation {
  const service = stored.shop.services[transport.service]
  if (service === undefined)
    throw new Error(`${stored.shop.code} has no carrier service ${transport.service}`)
  const { pickupReference, pickupDate, carrier } = transport.doc
  const { carrierTrackingCode, carrierTrackingUrl, url } = registeredDocs(stored.shop, transport)[0] ?? {}
  const id = String(transport.no)
  return {
    id,
    createdAt: dateWriter(timeZone)(transport.created),
    status: TRANSPORTATION_STATUSES[transport.status],
    serviceMessage: service.serviceMessage,
    serviceType: service.serviceType,
    carrierCode: carrier ?? service.carrierCode,
    carrierServiceCode: service.carrierServiceCode,
    ...(url === undefined ? {} : { carrierLabel: absoluteUrl(url, origin) }),
    ...(carrierTrackingUrl === undefined ? {} : { carrierTrackingUrl }),
    ...(pickupReference === undefined ? {} : { carrierPickupReference: pickupReference }),
    ...(carrierTrackingCode === undefined ? {} : { carrierReference: carrierTrackingCode }),
    clientReference: clientReference(stored.shop, stored.orderName, transport),
    ...(pickupDate === undefined ? {} : { pickupDate }),
  }
}

function lineRecord(
  stored: StoredReturn,
  line: LineDoc,
  position: number,
  presenter: Presenter,
): ReturnLineItem {
  const product = presenter.product(line.product)
  const { exchangeProduct, exchangePrice = line.price } = line
  const wanted = exchangeProduct === undefined ? product : presenter.product(exchangeProduct)
  const { currency } = stored.doc
  const baseCurrency = stored.shop.currency
  const own = amountsOf(stored, line, 'own')
  const base = amountsOf(stored, line, 'base')
  const id = lineId(stored.no, position)
  const variant = variantOf(product, line.variant)
  return {
    id,
    productName: product.name,
    variantName: variant.name,
    sku: variant.sku,
    barcode: variant.barcode,
    vendor: product.vendor,
    price: toMajor(own.price, currency),
    discount: toMajor(own.discount, currency),
    paid: toMajor(own.paid, currency),
    tax: toMajor(own.tax, currency),
    returnAmount: toMajor(own.returnAmount, currency),
    currency,
    basePrice: toMajor(base.price, baseCurrency),
    baseDiscount: toMajor(base.discount, baseCurrency),
    basePaid: toMajor(base.paid, baseCurrency),
    baseTax: toMajor(base.tax, baseCurrency),
    baseReturnAmount: toMajor(base.returnAmount, baseCurrency),
    baseCurrency,
    quantity: line.quantity,
    imageUrl: product.imageUrl,
    ecommerceLineItem: {
      lineItemId: `14${id}`,
      productId: product.productId,
      variantId: variant.variantId,
    },
    returnReason: { ...stored.shop.reasons[line.reason], additionalInfo: line.note ?? '' },
    refundType: REFUND_TYPES[line.type] ?? 'ORIGINAL_PAYMENT_METHOD',
    refundMode: REFUND_MODES[line.mode] ?? 'MANUAL',
    ...(line.exchange === undefined
      ? {}
      : {
          exchangeLineItems: [
            exchangeRecord(id, line, line.exchange, wanted, toMajor(exchangePrice, currency)),
          ],
        }),
  }
}

function exchangeRecord(lineItemId: string, line: LineDoc, wanted: number, product: Product, price: number) {
  const variant = variantOf(product, wanted)
  return {
    id: `${lineItemId}1`,
    productName: product.name,
    variantName: variant.name,
    sku: variant.sku,
    price,
    quantity: line.quantity,
    vendor: product.vendor,
    ecommerceProductId: product.productId,
    ecommerceVariantId: variant.variantId,
  }
}

function variantOf(product: Product, position: number): Product['variants'][number] {
  const variant = product.variants[position]
  if (variant === undefined) throw new Error(`Product ${product.no} has no variant ${position}`)
  return variant
}

function lineId(returnNo: number, position: number): string {
  return String(returnNo * PARTS_PER_RETURN + position + 1)
}
