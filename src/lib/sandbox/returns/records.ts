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
import {
  type LabelDoc,
  type LineDoc,
  PARTS_PER_RETURN,
  type Product,
  type RefundRow,
  type StoredReturn,
  type TransportRow,
} from '../store/rows.ts'
import { lineAmounts, toMajor, totalsOf } from './amounts.ts'

// Records as answers have them. The order of their fields is that of the answer; undefined ones are left out of JSON.

export interface Presenter {
  timeZone: string
  /** `http://host:port`, for the platform's own addresses. */
  origin: string
  product(no: number): Product
}

/** Spec §2.1. */
export function returnRecord(stored: StoredReturn, presenter: Presenter): Return {
  const { no, doc, shop, cancelled } = stored
  const { id: customerId, ...customer } = stored.customer
  const date = dateWriter(presenter.timeZone)
  const own = totalsOf(stored, doc.lines, doc.fee, 'own')
  const base = totalsOf(stored, doc.lines, doc.fee, 'base')
  const transport = stored.transports.at(-1)
  return {
    id: String(no),
    shopCode: shop.code,
    name: stored.name,
    merchantReturnName: merchantReturnName(stored),
    createdAt: date(stored.created),
    updatedAt: date(stored.updated),
    cancelledAt: cancelled === null ? undefined : date(cancelled),
    status: RETURN_STATUSES[stored.status],
    totalReturnFee: own.fee,
    totalReturnAmount: own.amount,
    totalTax: own.tax,
    totalRefund: own.refund,
    currency: own.currency,
    customerIban: doc.iban,
    accountHolderName: doc.iban === undefined ? undefined : customer.fullName,
    baseTotalReturnFee: base.fee,
    baseTotalReturnAmount: base.amount,
    baseTotalTax: base.tax,
    baseTotalRefund: base.refund,
    baseCurrency: base.currency,
    customer,
    ecommerceOrder: { id: stored.orderId, name: stored.orderName, customerId },
    origin: customer,
    destination: shop.warehouses[doc.warehouse] ?? {},
    returnLineItems: doc.lines.map((line, position) => lineRecord(stored, line, position, presenter)),
    activeTransportation: transport && activeTransportationRecord(stored, transport, presenter),
  }
}

/** Spec §2.2. */
function lineRecord(
  stored: StoredReturn,
  line: LineDoc,
  position: number,
  presenter: Presenter,
): ReturnLineItem {
  const { product, variant } = wantedItem(presenter, line.product, line.variant)
  const id = lineId(stored.no, position)
  const own = lineAmounts(stored, line, 'own')
  const base = lineAmounts(stored, line, 'base')
  return {
    id,
    productName: product.name,
    variantName: variant.name,
    sku: variant.sku,
    barcode: variant.barcode,
    vendor: product.vendor,
    price: own.price,
    discount: own.discount,
    paid: own.paid,
    tax: own.tax,
    returnAmount: own.returnAmount,
    currency: own.currency,
    basePrice: base.price,
    baseDiscount: base.discount,
    basePaid: base.paid,
    baseTax: base.tax,
    baseReturnAmount: base.returnAmount,
    baseCurrency: base.currency,
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
    exchangeLineItems: exchangeRecords(stored, line, id, presenter),
  }
}

/** Spec §2.3. */
function exchangeRecords({ doc }: StoredReturn, line: LineDoc, lineItemId: string, presenter: Presenter) {
  if (line.exchange === undefined) return undefined
  const { product, variant } = wantedItem(presenter, line.exchangeProduct ?? line.product, line.exchange)
  return [
    {
      id: `${lineItemId}1`,
      productName: product.name,
      variantName: variant.name,
      sku: variant.sku,
      price: toMajor(line.exchangePrice ?? line.price, doc.currency),
      quantity: line.quantity,
      vendor: product.vendor,
      ecommerceProductId: product.productId,
      ecommerceVariantId: variant.variantId,
    },
  ]
}

function wantedItem(presenter: Presenter, productNo: number, position: number) {
  const product = presenter.product(productNo)
  const variant = product.variants[position]
  if (variant === undefined) throw new Error(`Product ${productNo} has no variant ${position}`)
  return { product, variant }
}

/** Decided: `amount` is what the customer gets, the lines' amounts less `fee`. */
export function refundRecord(stored: StoredReturn, refund: RefundRow, presenter: Presenter): Refund {
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
    amount: own.refund,
    fee: own.fee,
    tax: own.tax,
    currency: own.currency,
    baseAmount: base.refund,
    baseFee: base.fee,
    baseTax: base.tax,
    baseCurrency: base.currency,
    createdAt: date(refund.created),
    executedAt: refund.executed === null ? undefined : date(refund.executed),
    lineItems: lines.map(({ line, position }) => ({
      returnLineItemId: lineId(stored.no, position),
      sku: presenter.product(line.product).variants[line.variant]?.sku,
      quantity: line.quantity,
      amount: lineAmounts(stored, line, 'own').returnAmount,
    })),
    externalReference: refund.reference ?? undefined,
  }
}

function dateWriter(timeZone: string): (seconds: number) => string {
  return (seconds) => formatServiceDate(Math.round(seconds * 1000), timeZone)
}

function lineId(returnNo: number, position: number): string {
  return String(returnNo * PARTS_PER_RETURN + position + 1)
}

/** The record of one transport (spec §2.4; decided: two more fields). Events are in the order of receipt. */
export function transportRecord(
  stored: StoredReturn,
  transport: TransportRow,
  presenter: Presenter,
): Transportation {
  const { doc } = transport
  const date = dateWriter(presenter.timeZone)
  const shown = (labels: readonly LabelDoc[]) => labels.map((label) => withAddress(label, presenter))
  return {
    ...activeTransportationRecord(stored, transport, presenter),
    updatedAt: date(transport.updated),
    trackingEvents: doc.events.map(([status, happened, received, report]) => ({
      status: TRANSPORTATION_STATUSES[status],
      description: report?.description ?? EVENT_DESCRIPTIONS[TRANSPORTATION_STATUSES[status] ?? 'REQUESTED'],
      date: date(happened),
      receivedAt: date(received),
      applied: report?.isLate !== true,
      // Absent from the carrier's own scans, which are known by any number that the transport has.
      ...(report && { trackingNumber: report.number ?? null }),
      trackingUrl: report?.url ?? null,
      carrierName: report?.carrier ?? null,
    })),
    formerTrackingNumbers: doc.formerNumbers,
    // Decided: the labels, and what they replaced, in the form of a request that registers them.
    shippingLabels: shown(registeredDocs(stored.shop, transport)),
    formerShippingLabels: (doc.formerLabels ?? []).map(({ replaced, labels }) => ({
      replacedAt: date(replaced),
      shippingLabels: shown(labels),
    })),
  }
}

function activeTransportationRecord(
  { shop, orderName }: StoredReturn,
  transport: TransportRow,
  presenter: Presenter,
): ActiveTransportation {
  const { no, status, created, doc } = transport
  const service = shop.services[transport.service]
  if (service === undefined) throw new Error(`${shop.code} has no carrier service ${transport.service}`)
  const { carrierTrackingCode, carrierTrackingUrl, url } = registeredDocs(shop, transport)[0] ?? {}
  return {
    id: String(no),
    createdAt: dateWriter(presenter.timeZone)(created),
    status: TRANSPORTATION_STATUSES[status],
    serviceMessage: service.serviceMessage,
    serviceType: service.serviceType,
    carrierCode: doc.carrier ?? service.carrierCode,
    carrierServiceCode: service.carrierServiceCode,
    carrierLabel: url === undefined ? undefined : absoluteUrl(url, presenter.origin),
    carrierTrackingUrl,
    carrierPickupReference: doc.pickupReference,
    carrierReference: carrierTrackingCode,
    clientReference: clientReference(shop, orderName, transport),
    pickupDate: doc.pickupDate,
  }
}

function withAddress({ url, ...label }: LabelDoc, { origin }: Presenter) {
  return { ...label, url: url === undefined ? undefined : absoluteUrl(url, origin) }
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
