import { describe, expect, test } from 'vitest'
import { columnsOf } from '../../../src/lib/output/columns.ts'
import { detailsText } from '../../../src/lib/output/formats/details.ts'
import { createRenderer } from '../../../src/lib/output/renderer.ts'
import { fieldNames, type View } from '../../../src/lib/output/view.ts'
import { resultsView } from '../../../src/lib/services/conformance/run.result.ts'
import { refundsView } from '../../../src/lib/services/returns/refunds.result.ts'
import { returnDetails } from '../../../src/lib/services/returns/return-details.ts'
import { returnsView } from '../../../src/lib/services/returns/returns.result.ts'
import {
  transportationDetails,
  transportationsView,
} from '../../../src/lib/services/returns/transportations.result.ts'
import { type Refund, refundSchema } from '../../../src/lib/wire/refunds.ts'
import { type Return, returnSchema } from '../../../src/lib/wire/returns.ts'
import { type Transportation, transportationSchema } from '../../../src/lib/wire/transportations.ts'
import { memoryStreams } from '../../helpers/memory-streams.ts'

const PARTY = {
  fullName: 'Zoë García',
  email: 'zoe@example.com',
  phone: '+34 600 123 456',
  address: { line1: 'Gran Vía 1', city: 'Madrid', postalCode: '28013', countryCode: 'ES' },
}

const RETURN: Return = {
  id: '7f3c',
  shopCode: 'shop-es',
  name: 'R#-1001',
  createdAt: '2026-03-01 10:00:00Z',
  status: 'RECEPTION_IN_PROGRESS',
  totalReturnFee: 3.5,
  totalReturnAmount: 52.5,
  totalRefund: 49,
  currency: 'GBP',
  baseTotalRefund: 57.4,
  baseCurrency: 'EUR',
  customer: PARTY,
  ecommerceOrder: { id: '1', name: '1001' },
  origin: PARTY,
  destination: { fullName: 'Warehouse' },
  returnLineItems: [
    {
      sku: 'A-1',
      barcode: '1',
      productName: 'Shirt',
      variantName: 'M',
      price: 30,
      paid: 25.5,
      returnAmount: 25.5,
      quantity: 2,
      returnReason: { code: 'SIZE', reason: 'Too small', additionalInfo: 'The sleeves are too short' },
      refundType: 'EXCHANGE',
      refundMode: 'DROP_OFF',
      exchangeLineItems: [
        {
          productName: 'Shirt',
          variantName: 'L',
          sku: 'A-2',
          price: 30,
          quantity: 2,
          ecommerceProductId: 'p',
          ecommerceVariantId: 'v',
        },
      ],
    },
  ],
  activeTransportation: {
    id: 't1',
    status: 'SHIPPING_IN_PROGRESS',
    carrierCode: 'SBX',
    carrierReference: 'TRK1',
    carrierTrackingUrl: 'https://example.com/TRK1',
  },
}

const TRANSPORTATION: Transportation = {
  ...RETURN.activeTransportation,
  serviceMessage: 'Drop-off',
  trackingEvents: [
    { status: 'SHIPPING_IN_PROGRESS', date: '2026-03-02 08:00:00Z', description: 'Scanned', applied: true },
  ],
}

const REFUND: Refund = {
  id: 'f1',
  status: 'EXECUTED',
  refundType: 'STORE_CREDIT',
  refundMode: 'DROP_OFF',
  amount: 52.5,
  fee: 3.5,
  currency: 'GBP',
  executedAt: '2026-03-02 08:00:00Z',
}

async function table<T>(view: View<T>, records: unknown[]): Promise<string[]> {
  const memory = memoryStreams({ columns: 120 })
  const renderer = createRenderer({
    streams: memory.streams,
    format: 'table',
    headers: true,
    timeZone: 'Europe/Madrid',
  })
  const items: Iterable<T> = records as T[]
  await renderer.render({ kind: 'list', items, view })
  return (await memory.written()).out
    .replaceAll(/\x1b\[\d+m/g, '')
    .split('\n')
    .slice(0, -1)
}

test('returns are shown in a terminal of 120 columns', async () => {
  expect(await table(returnsView, [RETURN])).toEqual([
    'NAME     STATUS                  CREATED           CUSTOMER    ITEMS     REFUND  TRANSPORT               CARRIER',
    'R#-1001  on its way to the shop  2026-03-01 11:00  Zoë García      2  49.00 GBP  on its way to the shop  SBX',
  ])
})

test('transports and refunds are shown in a table', async () => {
  expect(await table(transportationsView, [TRANSPORTATION])).toEqual([
    'ID  STATUS                  CARRIER  SERVICE   TRACKING  EVENTS',
    't1  on its way to the shop  SBX      Drop-off  TRK1           1',
  ])
  expect(await table(refundsView, [REFUND])).toEqual([
    'ID  STATUS    TYPE          MODE                             AMOUNT       FEE  EXECUTED',
    'f1  executed  store credit  when the parcel is handed in  52.50 GBP  3.50 GBP  2026-03-02 09:00',
  ])
})

describe.each([
  { title: 'returns', view: returnsView as View<unknown>, schema: returnSchema },
  { title: 'transportations', view: transportationsView as View<unknown>, schema: transportationSchema },
  { title: 'refunds', view: refundsView as View<unknown>, schema: refundSchema },
])('the view of $title', ({ view, schema }) => {
  const columns = columnsOf(view, 'all')

  test('a view offers every field of the record as a path', async () => {
    expect(await fieldNames(view.schema)).toEqual(Object.keys(schema.shape))
  })

  test('a view names each column once', () => {
    expect(new Set(columns.map(({ name }) => name)).size).toBe(columns.length)
  })

  test.each([
    {},
    { customer: null, returnLineItems: 'none', activeTransportation: 7, trackingEvents: null, lineItems: 3 },
    { origin: { address: null }, ecommerceOrder: {}, returnLineItems: [{}, null], trackingEvents: 'none' },
  ])('a view shows an incomplete record: %j', async (record) => {
    expect(await table(view, [record])).toHaveLength(2)
  })
})

const IN_SHORT = { where: 'On its way.', money: '49.00 GBP.', next: 'Wait.' }
const text = (sections: Parameters<typeof detailsText>[0]) =>
  detailsText(sections, { timeZone: 'Europe/Madrid', colour: false, maxWidth: undefined, inWords: true })

test('details show one return in full', async () => {
  const shown = await text(returnDetails({ record: RETURN, refunds: [REFUND] }, IN_SHORT))
  expect(shown.split('\n').map((line) => line.replaceAll(/ {2,}/g, ' | '))).toEqual([
    'Where | On its way.',
    'Money | 49.00 GBP.',
    'Next | Wait.',
    '',
    'Return | R#-1001',
    'Status | on its way to the shop',
    'ID | 7f3c',
    'Shop | shop-es',
    'Order | 1001',
    'Created | 2026-03-01 11:00',
    '',
    'Customer',
    ' | Name | Zoë García',
    ' | E-mail | zoe@example.com',
    ' | Phone | +34 600 123 456',
    ' | Address | Gran Vía 1, 28013 Madrid, ES',
    '',
    'Items',
    ' | SKU | PRODUCT | QTY | PAID | TO RETURN | REFUND',
    ' | A-1 | Shirt · M | 2 | 25.50 GBP | 25.50 GBP | exchange',
    '',
    'Reasons',
    ' | A-1 | Too small (SIZE): “The sleeves are too short”',
    '',
    'Exchanged for',
    ' | INSTEAD OF | SKU | PRODUCT | QTY | PRICE',
    ' | A-1 | A-2 | Shirt · L | 2 | 30.00 GBP',
    '',
    'Amounts',
    ' | Items | 52.50 GBP',
    ' | Fee | 3.50 GBP',
    ' | Refund | 49.00 GBP',
    ' | Refund in EUR | 57.40 EUR',
    '',
    'Transport',
    ' | Transport | t1',
    ' | Status | on its way to the shop',
    ' | Carrier | SBX',
    ' | Carrier reference | TRK1',
    ' | Tracking | https://example.com/TRK1',
    '',
    'Refunds',
    ' | ID | STATUS | MODE | AMOUNT | FEE | EXECUTED',
    ' | f1 | executed | when the parcel is handed in | 52.50 GBP | 3.50 GBP | 2026-03-02 09:00',
    '',
    'Origin',
    ' | Name | Zoë García',
    ' | E-mail | zoe@example.com',
    ' | Phone | +34 600 123 456',
    ' | Address | Gran Vía 1, 28013 Madrid, ES',
    '',
    'Destination',
    ' | Name | Warehouse',
    '',
  ])
})

test('details show one transport with its events', async () => {
  const shown = await text(transportationDetails(TRANSPORTATION))
  expect(shown).toContain('Service            Drop-off\n')
  expect(shown).toMatch(
    /Tracking events\n.*DATE.*\n {2}2026-03-02 09:00 {2}on its way to the shop {2}Scanned {2,}true\n$/,
  )
})

test('details of an empty record are empty', async () => {
  expect(
    await text(
      returnDetails(
        {
          record: JSON.parse(
            '{"returnLineItems":[{"exchangeLineItems":[{}, null]},{"exchangeLineItems":3}]}',
          ),
        },
        { where: '', money: '', next: '' },
      ),
    ),
  ).toMatch(/^Items\n/)
  expect(await text(transportationDetails({}))).toBe('')
})

test('checks on a narrow terminal keep the column of what was found', async () => {
  const { streams, written } = memoryStreams({ columns: 60 })
  const row = {
    ...{ id: 'errors.unknown-path', specified: 'A path that there is not is a 404', source: '', basis: '' },
    ...{ observed: 'HTTP 404 NF01', verdict: 'pass', durationMs: 1 },
  }
  const renderer = createRenderer({ streams, format: 'table', headers: false, timeZone: 'UTC' })
  await renderer.render({ kind: 'list', items: [row], view: resultsView })
  expect((await written()).out).toMatch(/^errors\.unknown-path {2}.*HTTP 404 NF01 {2}pass\n/)
})
