import { type Goods, requestFromReturn } from '../../labels/request/from-return.ts'
import { readTrackingNumber } from '../../mappings/tracking-numbers.ts'
import { csvRow } from '../../output/formats/csv.ts'
import { stringifyJson } from '../../wire/json.ts'
import { grouped } from '../../wire/raw.ts'
import { labelIdFor } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import { instantToWallTime } from '../../wire/time.ts'

interface SampleFile {
  name: string
  content: string | Uint8Array
  /** Command that takes it as `FILE`. */
  line: string
  isInput?: boolean
}

/** A return whose parcel the customer has not handed in yet. */
interface Waiting {
  record: Return
  shipmentId: string
  carrier: string
  code: string
  requestedMs: number
}

/** Few enough that lists share no return of the usual demo data. */
const ROWS = 3
const CARRIER_ZONE = 'Europe/Berlin'
const SERVICE = 'SBX_STANDARD'

export function sampleFiles(pending: readonly Return[]): SampleFile[] {
  const returns = ofBusiestShop(pending)
  const waiting = returns.flatMap(asWaiting)
  const oldest = waiting.toReversed()
  const [first] = waiting
  const goods = goodsOf(pending)
  const requests = waiting.slice(0, ROWS).map(({ record, shipmentId }) =>
    requestFromReturn(record, {
      clientShipmentId: shipmentId,
      carrierServiceCode: SERVICE,
      goodsOf: (sku) => goods.get(sku) ?? {},
    }),
  )
  const labelled = waiting.filter(({ record }) => record.activeTransportation?.carrierLabel)
  const name = first?.record.name ?? 'RETURN'
  const shop = returns[0]?.shopCode
  const map = '--map shipmentId=Return --map trackingStatus=State --map shopCode=Shop'
  return [
    {
      name: 'names.txt',
      content: lines(waiting.map(({ record }) => record.name)),
      line: 'returns get -',
      isInput: true,
    },
    {
      name: 'updates.csv',
      content: table([
        UPDATE_FIELDS,
        ...oldest
          .slice(0, ROWS)
          .map(({ record, carrier, code }) => [
            record.name,
            'SHIPPING_IN_PROGRESS',
            carrier,
            code,
            record.shopCode,
          ]),
      ]),
      line: 'tracking push --file FILE --only-new',
    },
    {
      name: 'export.csv',
      content: carrierExport(oldest.slice(-2 * ROWS).slice(0, ROWS)),
      line: `mappings init FILE --name dpd --time-zone ${CARRIER_ZONE}`,
    },
    {
      name: 'ups.csv',
      content: upsExport(oldest.slice(ROWS, 2 * ROWS)),
      line: `tracking push --file FILE --mapping ups --shop ${shop} --yes`,
    },
    {
      name: 'orders.csv',
      content: table([
        ['Return', 'State', 'Shop'],
        ...oldest
          .slice(-ROWS)
          .map(({ record: { name, shopCode } }) => [name, 'Shipping in progress', shopCode]),
      ]),
      line: `tracking push --file FILE ${map} --dry-run`,
    },
    { name: 'label.json', content: document(requests[0]), line: 'labels create --from FILE --out label.pdf' },
    {
      name: 'requests.ndjson',
      content: lines(requests.map((request) => stringifyJson(request))),
      line: 'labels create --from FILE',
    },
    {
      name: 'goods.csv',
      content: table([
        ['sku', 'hsCode', 'originCountryCode', 'weight'],
        ...[...goods].map(([sku, one]) => [sku, one.hsCode, one.originCountryCode, one.weight]),
      ]),
      line: `labels create --for ${name} --goods FILE`,
    },
    {
      name: 'shipments.csv',
      content: table([
        ['clientShipmentId'],
        ...labelled.slice(0, ROWS).map(({ shipmentId }) => [shipmentId]),
      ]),
      line: `labels download --file FILE --shop ${shop}`,
    },
    {
      name: 'update.json',
      content: document(labelUpdate(labelled[0]?.record)),
      line: `labels update ${labelled[0]?.record.name ?? name} --from FILE --dry-run`,
    },
    {
      name: 'request.json',
      content: document(methodsRequest(returns[0])),
      line: 'methods calculate --from FILE',
    },
    { name: 'faults.json', content: document(FAULTS), line: 'sandbox faults --file FILE' },
    { name: 'scenario.json', content: document(scenarioOf(shop)), line: 'sandbox play FILE' },
  ]
}

function ofBusiestShop(pending: readonly Return[]) {
  const [most = []] = [...grouped(pending, ({ shopCode }) => shopCode).values()].sort(
    (a, b) => b.length - a.length,
  )
  return most
}

function asWaiting(record: Return): Waiting[] {
  const { activeTransportation: transport, name } = record
  if (transport?.status !== 'REQUESTED' || !transport.id) return []
  const { id, carrierCode, carrierReference, createdAt } = transport
  return [
    {
      record,
      shipmentId: labelIdFor(name, id),
      carrier: carrierCode ?? '',
      code: carrierReference ?? `DEMO${id}`,
      requestedMs: Date.parse(createdAt ?? ''),
    },
  ]
}

const UPDATE_FIELDS = ['shipmentId', 'trackingStatus', 'carrierName', 'trackingNumber', 'shopCode']

/** Imitates titles, semicolons, words and dates of a country, its encoding, a total. */
function carrierExport(parcels: readonly Waiting[]): Uint8Array {
  const rows = parcels.map(({ record, code, requestedMs }, index) => {
    // A minute later is neither in the past nor in the future.
    const [date = '', time = ''] = instantToWallTime(requestedMs + 60_000, CARRIER_ZONE).split('T')
    const day = date.split('-').reverse().join('.')
    return [code, record.name, index === 0 ? 'Zugestellt' : 'In Zustellung', `${day} ${time.slice(0, 5)}`]
  })
  const text = [
    ['Sendungsübersicht', '', '', ''],
    [],
    ['Paketnummer', 'Kundenreferenz', 'Status', 'Datum'],
    ...rows,
    ['Gesamt', rows.length, '', ''],
  ]
  return Buffer.from(text.map((cells) => `${cells.join(';')}\r\n`).join(''), 'latin1')
}

/** Check digits hold. The day after suits every zone in which the dates may be read. */
function upsExport(parcels: readonly Waiting[]) {
  const rows = parcels.map(({ record, requestedMs }, index) => {
    const number = [...'0123456789']
      .map((digit) => `1Z5R893903575671${index}${digit}`)
      .find((one) => readTrackingNumber(one, 'UPS')?.isValid)
    const date = instantToWallTime(requestedMs + 86_400_000, 'UTC')
      .replace('T', ' ')
      .slice(0, 16)
    return [number, record.name, index === 0 ? 'D' : 'I', date]
  })
  return table([['Tracking Number', 'Reference', 'Status', 'Date'], ...rows])
}

function table(rows: readonly (readonly unknown[])[]) {
  return rows.map(csvRow).join('')
}

function lines(texts: readonly string[]) {
  return texts.map((text) => `${text}\n`).join('')
}

function document(value: unknown) {
  return `${stringifyJson(value, 2)}\n`
}

/** T-shirts, trousers, shoes and bags. */
const HS_CODES = ['610910', '620342', '640399', '420222']

function goodsOf(returns: readonly Return[]): Map<string, Goods> {
  const skus = returns.flatMap(({ returnLineItems }) => (returnLineItems ?? []).map(({ sku }) => sku))
  const sorted = [...new Set(skus)].sort()
  return new Map(
    sorted.map((sku, index) => [
      sku,
      { hsCode: HS_CODES[index % HS_CODES.length], originCountryCode: 'PT', weight: 0.4 },
    ]),
  )
}

/** Body of `PUT /shipping_labels` (spec §4.4). */
function labelUpdate(record: Return | undefined): object {
  return {
    shopCode: record?.shopCode,
    shipmentId: record?.name,
    shipmentIdType: 'RETURN_NAME',
    shippingLabels: [
      { carrierTrackingCode: 'ABC123', carrierTrackingUrl: 'https://carrier.example/track/ABC123' },
    ],
  }
}

/** Body of `POST /return_methods` (spec §4.6). */
function methodsRequest(record: Return | undefined): object {
  const { postalCode, city, countryCode } = record?.customer?.address ?? {}
  return {
    shopCode: record?.shopCode,
    currencyCode: record?.currency,
    originAddress: { city, postalCode, countryCode },
    returnLineItems: (record?.returnLineItems ?? []).map(({ sku, quantity }) => ({ sku, quantity })),
    client: { id: record?.ecommerceOrder?.customerId, tier: 'GOLD' },
  }
}

const FAULTS = [{ route: 'POST /shipping_trackings', kind: 'reset', rate: 0.05, seed: 7, count: 10 }]

function scenarioOf(shop: string | undefined): object {
  return {
    title: 'Handed in, and delivered',
    steps: [
      { do: 'create', as: 'parcel', shop, orderName: 'TRIED', lines: [{ price: 20 }] },
      { do: 'track', return: 'parcel', trackingStatus: 'SHIPPING_IN_PROGRESS' },
      { do: 'advance', by: '2d' },
      { do: 'track', return: 'parcel', trackingStatus: 'SHIPPING_COMPLETED' },
      { do: 'expect', return: 'parcel', status: 'RECEPTION_COMPLETED' },
    ],
  }
}
