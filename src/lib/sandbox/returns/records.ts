import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnLineItem } from '../../wire/returns.ts'
import { formatServiceDate } from '../../wire/time.ts'
import type { ActiveTransportation, Transportation } from '../../wire/transportations.ts'
import { itemOf, required, shopOf } from '../demo/catalogue.ts'
import REASONS from '../demo/reasons.json'
import { absoluteUrl, labelsOf, trackingOf } from '../labels/sets.ts'
import { clientReference, merchantReturnName } from '../labels/shipments.ts'
import {
  type LabelData,
  type LineRow,
  partNo,
  type RefundRow,
  type ReturnRow,
  type TransportRow,
} from '../store/rows.ts'
import { inBothCurrencies, lineAmounts, toMajor, totalsOf } from './amounts.ts'
import SCAN_TEXTS from './scan-texts.json'

// Fields are in the order of the answer.

export interface RecordOptions {
  timeZone: string
  origin: string
}

/** Spec §2.1. */
export function returnRecord(stored: ReturnRow, options: RecordOptions): Return {
  const { iban, lines, fee, orderId, orderName } = stored
  const { id: customerId, ...customer } = stored.customer
  const shop = shopOf(stored)
  const date = dateWriter(options)
  const { own, base } = inBothCurrencies(stored, (convert) => {
    const { amount, fee: totalReturnFee, tax } = totalsOf(lines, fee, convert)
    const totalRefund = amount - totalReturnFee
    return { totalReturnFee, totalReturnAmount: amount, totalTax: tax, totalRefund }
  })
  const transport = stored.transports.at(-1)
  return {
    id: String(stored.no),
    shopCode: shop.code,
    name: stored.name,
    merchantReturnName: merchantReturnName(stored),
    createdAt: date(stored.created),
    updatedAt: date(stored.updated),
    cancelledAt: date(stored.cancelled),
    status: stored.status,
    ...own,
    customerIban: iban,
    accountHolderName: iban && customer.fullName,
    ...base,
    customer,
    ecommerceOrder: { id: orderId, name: orderName, customerId },
    origin: customer,
    destination: shop.warehouses[stored.warehouse] ?? {},
    returnLineItems: lines.map((line, position) => lineRecord(stored, line, position)),
    activeTransportation: transport && activeTransportationRecord(stored, transport, options),
  }
}

/** Spec §2.2, §2.3. */
function lineRecord(stored: ReturnRow, line: LineRow, position: number): ReturnLineItem {
  const { productId, variantId, imageUrl, ...item } = itemOf(line.sku)
  const id = String(partNo(stored.no, position))
  const { quantity, exchange } = line
  const { own, base } = inBothCurrencies(stored, (convert) => lineAmounts(line, convert))
  const wanted = exchange && itemOf(exchange.sku)
  return {
    id,
    ...item,
    ...own,
    ...base,
    quantity,
    imageUrl,
    ecommerceLineItem: { lineItemId: `14${id}`, productId, variantId },
    returnReason: { ...REASONS[line.reason], additionalInfo: line.note ?? '' },
    refundType: line.type,
    refundMode: line.mode,
    exchangeLineItems: wanted && [
      {
        id: `${id}1`,
        productName: wanted.productName,
        variantName: wanted.variantName,
        sku: wanted.sku,
        price: toMajor(exchange?.price ?? line.price, stored.currency),
        quantity,
        vendor: wanted.vendor,
        ecommerceProductId: wanted.productId,
        ecommerceVariantId: wanted.variantId,
      },
    ],
  }
}

/** Decided: `amount` is what the customer gets, the lines' amounts less `fee`. */
export function refundRecord(stored: ReturnRow, refund: RefundRow, options: RecordOptions): Refund {
  const date = dateWriter(options)
  const lines = refund.lines.map((position) => required(stored.lines[position], 'line'))
  const { own, base } = inBothCurrencies(stored, (convert) => {
    const { amount, fee, tax } = totalsOf(lines, refund.fee, convert)
    return { amount: amount - fee, fee, tax }
  })
  return {
    id: String(refund.no),
    returnId: String(stored.no),
    refundType: refund.type,
    refundMode: refund.mode,
    status: refund.status,
    ...own,
    ...base,
    createdAt: date(refund.created),
    executedAt: date(refund.executed),
    lineItems: lines.map((line, i) => ({
      returnLineItemId: String(partNo(stored.no, refund.lines[i] ?? 0)),
      sku: line.sku,
      quantity: line.quantity,
      amount: toMajor((line.price - line.discount) * line.quantity, stored.currency),
    })),
    externalReference: refund.reference,
  }
}

function dateWriter({ timeZone }: RecordOptions) {
  return (seconds: number | undefined) =>
    seconds === undefined ? undefined : formatServiceDate(Math.round(seconds * 1000), timeZone)
}

/** Spec §2.4; events are in the order of receipt. */
export function transportRecord(
  stored: ReturnRow,
  transport: TransportRow,
  options: RecordOptions,
): Transportation {
  const date = dateWriter(options)
  const shown = (labels: readonly LabelData[]) => labels.map((label) => withAddress(label, options))
  return {
    ...activeTransportationRecord(stored, transport, options),
    updatedAt: date(transport.updated),
    trackingEvents: transport.events.map(({ status, date: happened, received, report }) => ({
      status,
      description: report?.description ?? SCAN_TEXTS[status],
      date: date(happened),
      receivedAt: date(received),
      applied: report?.isLate !== true,
      ...(report && { trackingNumber: report.number ?? null }),
      trackingUrl: report?.url ?? null,
      carrierName: report?.carrier ?? null,
    })),
    formerTrackingNumbers: transport.formerNumbers,
    // Decided: in the form of a request that registers them.
    shippingLabels: shown(labelsOf(shopOf(stored), transport)),
    formerShippingLabels: (transport.formerLabels ?? []).map(({ replaced, labels }) => ({
      replacedAt: date(replaced),
      shippingLabels: shown(labels),
    })),
  }
}

function activeTransportationRecord(
  stored: ReturnRow,
  transport: TransportRow,
  options: RecordOptions,
): ActiveTransportation {
  const { no, status, created } = transport
  const shop = shopOf(stored)
  const { serviceMessage, serviceType, carrierCode, carrierServiceCode } = required(
    shop.services[transport.service],
    'carrier service',
  )
  const [label = {}] = labelsOf(shop, transport)
  const { carrierTrackingCode, carrierTrackingUrl } = trackingOf(shop, transport)
  return {
    id: String(no),
    createdAt: dateWriter(options)(created),
    status,
    serviceMessage,
    serviceType,
    carrierCode: transport.carrier ?? carrierCode,
    carrierServiceCode,
    carrierLabel: withAddress(label, options).url,
    carrierTrackingUrl,
    carrierPickupReference: transport.pickupReference,
    carrierReference: carrierTrackingCode,
    clientReference: clientReference(stored, transport),
    pickupDate: transport.pickupDate,
  }
}

function withAddress({ url, ...label }: LabelData, { origin }: RecordOptions): LabelData {
  return { ...label, url: url && absoluteUrl(url, origin) }
}
