import { lastTransport, type ReturnFacts } from '../../insight/case.ts'
import { columnsOf } from '../../output/columns.ts'
import { Money } from '../../output/formats/cell.ts'
import type { Field, Section } from '../../output/formats/details.ts'
import { toFields } from '../../output/result.ts'
import { addressLines } from '../../wire/address-lines.ts'
import { numberText } from '../../wire/json.ts'
import { joinParts, objectsIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return, ReturnLineItem } from '../../wire/returns.ts'
import { refundsView } from './refunds.result.ts'
import { lineItems } from './returns.result.ts'
import { eventsSection, transportFields } from './transportations.result.ts'

export interface ReturnSummary {
  where: string
  money: string
  next: string
}

export function summarySection({ where, money, next }: ReturnSummary): Section {
  return {
    isText: true,
    fields: toFields({ Where: where, Money: money, Next: next }),
  }
}

const CARD_ITEMS = 5

const FORMATS = {
  Status: { kind: 'status', words: 'returnStatus' },
  Created: { kind: 'date' },
  Updated: { kind: 'date' },
  Cancelled: { kind: 'date' },
} as const

/** Fits a screen of 80 × 24: the answer first, then fields that identify the return. */
export function answerCard(facts: ReturnFacts, short: ReturnSummary): Section[] {
  const { record: r } = facts
  const transport = lastTransport(facts)
  const items = lineItems(r)
  const left = items.length - CARD_ITEMS
  const { fullName, address } = r.customer ?? {}
  const place = joinParts([address?.city, address?.countryCode], ' ')
  return [
    summarySection(short),
    {
      inWords: true,
      fields: [
        ...toFields(
          {
            Return: joinParts([r.name, r.ecommerceOrder?.name, r.shopCode], ' · '),
            Status: r.status,
            Created: r.createdAt,
            Updated: r.updatedAt,
            Customer: joinParts([fullName, place]),
          },
          FORMATS,
        ),
        ...items.slice(0, CARD_ITEMS).map((item, index) => ({
          label: index === 0 ? 'Items' : '',
          value: `${numberText(item.quantity)} × ${joined(item.productName, item.variantName) || item.sku}`,
        })),
        { label: '', value: left > 0 ? `${left} more: --full` : '' },
        ...toFields({ Carrier: transport?.carrierCode, Code: transport?.carrierReference }),
      ],
    },
  ]
}

export function returnDetails(
  { record: r, transportations, refunds }: ReturnFacts,
  short: ReturnSummary,
): Section[] {
  const active = objectsIn(transportations).find(({ id }) => id === r.activeTransportation?.id)
  const transport = active ?? r.activeTransportation
  return [
    summarySection(short),
    {
      fields: toFields(
        {
          Return: r.name,
          Status: r.status,
          ID: r.id,
          Shop: r.shopCode,
          Order: r.ecommerceOrder?.name ?? r.ecommerceOrder?.id,
          Created: r.createdAt,
          Updated: r.updatedAt,
          Cancelled: r.cancelledAt,
        },
        FORMATS,
      ),
    },
    { title: 'Customer', fields: partyFields(r.customer) },
    itemsSection(r),
    { title: 'Reasons', fields: lineItems(r).map(reasonField) },
    exchangeSection(r),
    amountsSection(r),
    { title: 'Transport', fields: transport ? transportFields(transport) : [] },
    eventsSection('Scans', transport),
    refundsSection(refunds),
    { title: 'Origin', fields: partyFields(r.origin) },
    { title: 'Destination', fields: partyFields(r.destination) },
  ]
}

function itemsSection(r: Return): Section {
  return {
    title: 'Items',
    columns: [
      { header: 'SKU' },
      { header: 'PRODUCT', flexible: true },
      { header: 'QTY', kind: 'number' },
      { header: 'PAID', kind: 'money' },
      { header: 'TO RETURN', kind: 'money' },
      { header: 'REFUND', words: 'refundType' },
    ],
    rows: lineItems(r).map((item) => {
      const currency = item.currency ?? r.currency
      return [
        item.sku,
        joined(item.productName, item.variantName),
        item.quantity,
        new Money(item.paid ?? item.price, currency),
        new Money(item.returnAmount, currency),
        item.refundType,
      ]
    }),
  }
}

/** `Too small (SIZE): “the sleeves are too short”`, as the customer wrote it. */
function reasonField({ sku, returnReason }: ReturnLineItem): Field {
  const { code, reason, additionalInfo } = returnReason ?? {}
  const known = reason && code ? `${reason} (${code})` : (reason ?? code)
  const own = additionalInfo ? `“${additionalInfo}”` : undefined
  return { label: sku ?? '', value: joinParts([known, own], ': ') }
}

function refundsSection(refunds: readonly Refund[] | undefined): Section {
  const columns = columnsOf(refundsView).filter(({ name }) => name !== 'type')
  const rows = objectsIn(refunds).map((refund) => columns.map(({ value }) => value(refund)))
  return { title: 'Refunds', columns, rows }
}

function exchangeSection(r: Return): Section {
  return {
    title: 'Exchanged for',
    columns: [
      { header: 'INSTEAD OF' },
      { header: 'SKU' },
      { header: 'PRODUCT' },
      { header: 'QTY', kind: 'number' },
      { header: 'PRICE', kind: 'money' },
    ],
    rows: lineItems(r).flatMap((item) =>
      objectsIn(item.exchangeLineItems).map((exchange) => [
        item.sku,
        exchange.sku,
        joined(exchange.productName, exchange.variantName),
        exchange.quantity,
        new Money(exchange.price, item.currency ?? r.currency),
      ]),
    ),
  }
}

function amountsSection(r: Return): Section {
  const amounts = [
    ['Items', r.totalReturnAmount, r.baseTotalReturnAmount],
    ['Fee', r.totalReturnFee, r.baseTotalReturnFee],
    ['Tax', r.totalTax, r.baseTotalTax],
    ['Refund', r.totalRefund, r.baseTotalRefund],
  ] as const
  const isForeign = Boolean(r.baseCurrency) && r.baseCurrency !== r.currency
  return {
    title: 'Amounts',
    fields: [
      ...amounts.map(([label, amount]) => ({ label, value: new Money(amount, r.currency) })),
      ...(isForeign ? amounts : []).map(([label, , base]) => ({
        label: `${label} in ${r.baseCurrency}`,
        value: new Money(base, r.baseCurrency),
      })),
      ...toFields({ IBAN: r.customerIban, 'Account of': r.accountHolderName }),
    ],
  }
}

function joined(first: unknown, second: unknown) {
  return joinParts([first, second], ' · ')
}

/** The platform may leave a party out. */
function partyFields(party: Partial<Return['origin' | 'customer']> | null | undefined) {
  const { fullName, email, phone, address } = party ?? {}
  return toFields({
    Name: fullName,
    'E-mail': email,
    Phone: phone,
    Address: address && joinParts([...addressLines(address).all, address.countryCode]),
  })
}
