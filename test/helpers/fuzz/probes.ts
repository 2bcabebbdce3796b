import fc from 'fast-check'
import type { Sandbox } from '../../../src/lib/sandbox/index.ts'
import {
  leadsTo,
  PUDO_LOCATION_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../../src/lib/wire/enumerations.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { fixture } from '../fixture.ts'
import { valuesOf } from '../values-of.ts'
import { bent, ODD, ODD_TEXTS, rubbish } from './bent-json.ts'

/** A request and the certain facts about its answer. */
export interface Probe {
  method: string
  /** Path and query. */
  target: string
  headers: [name: string, value: string][]
  body?: string | Uint8Array<ArrayBuffer> | undefined
  /** True if the token must be accepted. */
  isAuthentic: boolean
  /** True if the path is in its plain form, so that its operation is certain. */
  isPlain: boolean
}

/** Parts of valid requests. */
export interface World {
  sandbox: Sandbox
  returns: readonly Return[]
}

export type ProbeGroup = (typeof PROBE_GROUPS)[number]
export const PROBE_GROUPS = [
  'list returns',
  'read one return',
  'read labels',
  'make labels',
  'update labels',
  'report tracking',
  'calculate methods',
  'search points',
  'anything',
] as const

const PREFIX = '/integration/v1'
const SERVICES = ['SBX_STANDARD', 'SBX_PDF_ONLY', 'SBX_LABEL_FREE', 'SBX_URL_ONLY', 'SBX_REFUSES', 'SBX_SLOW']
const SLOW_LABELS = ['SBX_PDF_ONLY', 'SBX_LABEL_FREE']
const ZONES = [
  'UTC',
  'Europe/Madrid',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Pacific/Apia',
  'Africa/Monrovia',
]
const WALL_TIMES = [
  '2026-01-01T00:00:00',
  '2026-03-29T02:30:00',
  '2025-10-26T02:30:00',
  '2026-04-15T12:00:00',
]
/** Shipments with labels from the start. */
export const CLIENT_SHIPMENTS = ['A-1', 'Ñandú 2', '😀', 'x'.repeat(300)]

/** Probes of every route by group: valid, nearly valid and garbage requests. */
export function probesOf({ sandbox, returns }: World): Record<ProbeGroup, fc.Arbitrary<Probe>> {
  const shops = valuesOf(sandbox.shops(), 'code')
  const [firstShop = ''] = shops
  const ofOne = shops.map((shop) => sandbox.issueToken({ shops: [shop] }))
  const ofAll = sandbox.issueToken()
  const token = fc.oneof(
    { weight: 4, arbitrary: fc.constant(ofAll) },
    { weight: 1, arbitrary: fc.constantFrom(...ofOne) },
  )
  const authorization = authorizations(sandbox, ofAll, token)
  const shopCode = fc.constantFrom(...shops)
  const someReturn = fc.constantFrom(...returns)
  const underWay = returns.filter(({ activeTransportation: t }) => leadsTo(t?.status, 'SHIPPING_FAILED'))
  const transports = returns.flatMap(({ activeTransportation }) => activeTransportation?.id ?? [])

  const get = (method: fc.Arbitrary<string>, target: fc.Arbitrary<string>): fc.Arbitrary<Probe> =>
    fc
      .record({ method, target, authorization })
      .map(({ authorization: [isAuthentic, headers], ...rest }) => ({
        ...rest,
        headers,
        isAuthentic,
        isPlain: true,
      }))
  const send = (method: string, path: string, document: fc.Arbitrary<unknown>): fc.Arbitrary<Probe> =>
    fc
      .record({
        authorization,
        more: fc.oneof({ weight: 9, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: oddHeaders }),
        body: fc.oneof(
          { weight: 4, arbitrary: document.map((value) => JSON.stringify(value)) },
          { weight: 7, arbitrary: bent(document) },
          { weight: 1, arbitrary: rubbish(document) },
        ),
        search: fc.constantFrom('', '', '', '?explain=true', '?%', '?a=1&a=2&__proto__=3'),
      })
      .map(({ authorization: [isAuthentic, headers], more, body, search }) => ({
        method,
        target: PREFIX + path + search,
        headers: [...headers, ...more],
        body,
        isAuthentic,
        isPlain: true,
      }))
  const readMethod = fc.constantFrom('GET', 'GET', 'GET', 'HEAD')
  const readQuery = query({ shop_code: shopCode, time_zone: fc.constantFrom(...ZONES) })
  const listQuery = query({
    shop_code: shopCode,
    time_zone: fc.constantFrom(...ZONES),
    name: someReturn.map(({ name }) => name),
    status: fc.constantFrom(...RETURN_STATUSES),
    ecommerce_order: someReturn.map(({ ecommerceOrder }) => ecommerceOrder.name ?? ecommerceOrder.id),
    created_from: fc.constantFrom(...WALL_TIMES),
    created_to: fc.constantFrom(...WALL_TIMES),
    updated_from: fc.constantFrom(...WALL_TIMES),
    refunded_to: fc.constantFrom(...WALL_TIMES),
    limit: fc.constantFrom('1', '7', '500', '501', '0', '00', '1.0', '99999999999999999999'),
    page: fc.constantFrom('1', '2', '9007199254740991', '9007199254740992', '0'),
  })
  const id = fc.oneof(
    { weight: 4, arbitrary: someReturn.map((each) => each.id ?? '') },
    { weight: 1, arbitrary: oddPart },
  )
  const transport = fc.oneof(fc.constantFrom(...transports), oddPart)
  const groups: Record<Exclude<ProbeGroup, 'anything'>, fc.Arbitrary<Probe>> = {
    'list returns': get(
      readMethod,
      listQuery.map((text) => `${PREFIX}/returns${text}`),
    ),
    'read one return': get(
      readMethod,
      fc
        .record({ id, transport, search: readQuery, part: fc.nat(3) })
        .map(({ id: one, transport: other, search, part }) => {
          const parts = ['', '/transportations', `/transportations/${other}`, '/refunds']
          return `${PREFIX}/returns/${one}${parts[part] ?? ''}${search}`
        }),
    ),
    'read labels': get(
      readMethod,
      query({ client_shipment_id: fc.constantFrom(...CLIENT_SHIPMENTS), shopCode }, 0.9).map(
        (text) => `${PREFIX}/shipping_labels${text}`,
      ),
    ),
    'make labels': send('POST', '/shipping_labels', labelDocument(fc.constant(firstShop))),
    'update labels': send(
      'PUT',
      '/shipping_labels',
      updateDocument(fc.constantFrom(...(underWay.length > 0 ? underWay : returns))),
    ),
    'report tracking': send('POST', '/shipping_trackings', trackingDocument(someReturn)),
    'calculate methods': send('POST', '/return_methods', methodsDocument(shopCode)),
    'search points': send('POST', '/pudos', pudosDocument(shopCode)),
  }
  const plain = fc.oneof(...Object.values(groups))
  return { ...groups, anything: anything(plain, returns[0]?.id ?? '1', transports[0] ?? '1') }
}

type Authorization = [isAuthentic: boolean, headers: [string, string][]]

function authorizations(
  sandbox: Sandbox,
  ofAll: string,
  token: fc.Arbitrary<string>,
): fc.Arbitrary<Authorization> {
  const good = token.map((text): Authorization => [true, [['Authorization', `Bearer ${text}`]]])
  const [head = '', claims = '', signature = ''] = ofAll.split('.')
  const none = Buffer.from('{"alg":"none"}').toString('base64url')
  const bad = [
    ...['', 'Bearer', 'Bearer ', `Basic ${ofAll}`, ofAll, `Bearer ${ofAll} ${ofAll}`, `Bearer ${ofAll}.x`],
    ...[`Bearer ${none}.${claims}.`, `Bearer ${none}.${claims}.${signature}`, `Bearer ${head}.${claims}`],
    ...[
      `Bearer ${head}..${signature}`,
      `Bearer ${head}.${claims}.${'A'.repeat(43)}`,
      `Bearer ${'.'.repeat(99)}`,
    ],
    ...[`Bearer ${sandbox.issueToken({ lifetimeSeconds: -1 })}`, `Bearer\t${ofAll}`, 'Bearer \xff\xfe'],
    ...[`Bearer ${ofAll.slice(0, -1)}`, `Bearer ${'x'.repeat(5000)}`, 'Bearer __proto__', `Bearer=${ofAll}`],
  ].map((value): Authorization => [false, [['Authorization', value]]])
  const others: Authorization[] = [
    [false, []],
    [true, [['authorization', `bEARER   ${ofAll} `]]],
    [
      false,
      [
        ['Authorization', `Bearer ${ofAll}`],
        ['Authorization', `Bearer ${ofAll}`],
      ],
    ],
  ]
  return fc.oneof(
    { weight: 19, arbitrary: good },
    { weight: 1, arbitrary: fc.constantFrom(...bad, ...others) },
  )
}

const oddHeaders = fc.array(
  fc.constantFrom<[string, string]>(...ODD.headers, ['Cookie', `a=${'b'.repeat(3000)}`]),
  { minLength: 1, maxLength: 4 },
)

/** One path segment in its written form. */
const oddPart = fc.oneof(
  fc.constantFrom(...ODD.percent),
  fc.constantFrom(...ODD_TEXTS, '1', '99999999999999999999').map((text) => encoded(text) || '0'),
)

function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString())
}

/** Random query of mostly valid parameters, also unknown and repeated ones. `share` is the probability of each. */
function query(known: Record<string, fc.Arbitrary<string>>, share = 0.25): fc.Arbitrary<string> {
  const names = Object.keys(known)
  const rightValues = Object.entries(known).map(([name, value]) =>
    fc
      .tuple(fc.nat({ max: 99 }), value)
      .map(([percent, text]) => (percent < share * 100 ? `${name}=${encoded(text)}` : '')),
  )
  const odd = fc
    .record({
      name: fc.constantFrom(...names, ...names, 'unknown', '', '__proto__', 'limit[]', 'LIMIT'),
      value: fc.oneof(fc.constantFrom(...ODD_TEXTS).map(encoded), fc.constantFrom(...ODD.percent)),
      glue: fc.constantFrom('=', '=', '=', '', '=='),
    })
    .map(({ name, value, glue }) => `${name}${glue}${value}`)
  return fc
    .tuple(
      fc.tuple(...rightValues),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant([]) },
        { weight: 1, arbitrary: fc.array(odd, { minLength: 1, maxLength: 3 }) },
      ),
    )
    .map(([right, wrong]) => {
      const parts = [...right, ...wrong].filter((part) => part !== '')
      return parts.length === 0 ? '' : `?${parts.join('&')}`
    })
}

export const example = (name: string) => fixture(`wire/${name}`)

/** A label request that is cheap to carry out. */
export function labelExample(shopCode: string, clientShipmentId: string, changes: object = {}): object {
  const fields = { shopCode, clientShipmentId, carrierServiceCode: 'SBX_URL_ONLY', labelFormat: 'ZPL' }
  return { ...example('label-request.full.json'), ...fields, ...changes }
}

function labelDocument(shopCode: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const full = example('label-request.full.json')
  const old = example('label-request-1.2.10.full.json')
  const abroad = { ...full.origin.address, countryCode: 'GB', postalCode: 'SW7 5QJ', city: 'London' }
  return fc
    .record({
      isOld: fc.boolean(),
      isAbroad: fc.boolean(),
      shopCode,
      clientShipmentId: fc.oneof(
        { weight: 9, arbitrary: fc.nat().map((n) => `B-${n}`) },
        { weight: 1, arbitrary: fc.constantFrom(...CLIENT_SHIPMENTS, '\ud800') },
      ),
      // A PDF and a QR code take ten times as long as the rest of the request.
      carrierServiceCode: fc.oneof(
        { weight: 19, arbitrary: fc.constantFrom(...SERVICES.filter((code) => !SLOW_LABELS.includes(code))) },
        { weight: 1, arbitrary: fc.constant('SBX_LABEL_FREE') },
      ),
      labelFormat: fc.oneof(
        { weight: 19, arbitrary: fc.constant('ZPL') },
        { weight: 1, arbitrary: fc.constant('PDF') },
      ),
    })
    .map(({ isOld, isAbroad, ...fields }) => {
      const base = isOld ? old : full
      return { ...base, ...fields, ...(isAbroad ? { origin: { ...base.origin, address: abroad } } : {}) }
    })
}

function updateDocument(someReturn: fc.Arbitrary<Return>): fc.Arbitrary<unknown> {
  const { shippingLabels } = example('label-update.full.json')
  return fc.record({ of: someReturn, by: fc.nat(3) }).map(({ of, by }) => {
    const ids = [
      ['RETURN_NAME', of.name],
      ['CLIENT_REFERENCE', of.activeTransportation?.clientReference],
      ['MERCHANT_RETURN_NAME', of.merchantReturnName],
      [undefined, of.name],
    ]
    const [shipmentIdType, shipmentId] = ids[by] ?? []
    return { shopCode: of.shopCode, shipmentId, shipmentIdType, shippingLabels }
  })
}

function trackingDocument(someReturn: fc.Arbitrary<Return>): fc.Arbitrary<unknown> {
  const full = example('tracking-request.full.json')
  return fc
    .record({
      of: someReturn,
      // A drop-off has no pick-up.
      trackingStatus: fc.constantFrom(...TRANSPORTATION_STATUSES, ...TRANSPORTATION_STATUSES.slice(3, 5)),
      // Few different updates keep histories short. Most returns have ended and take no unknown number.
      trackingNumber: fc.constantFrom('A', 'B', undefined),
      trackingDate: fc.constantFrom(
        undefined,
        undefined,
        '2025-01-01T10:00:00Z',
        '2026-04-15T11:00:00+02:00',
        '2026-04-16T00:00:00.5Z',
      ),
    })
    .map(({ of, trackingDate = of.createdAt, ...fields }) => ({
      ...{ ...full, ...fields, trackingDate },
      ...{ shopCode: of.shopCode, shipmentId: of.name },
    }))
}

function methodsDocument(shopCode: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const full = example('methods-request.full.json')
  return fc
    .record({
      shopCode,
      currencyCode: fc.constantFrom('EUR', 'GBP', 'USD', 'SEK', 'JPY', 'XXX'),
      countryCode: fc.constantFrom('ES', 'GB', 'US', 'SE', 'JP', 'PT'),
      tier: fc.constantFrom('basic', 'gold', ''),
    })
    .map(({ countryCode, tier, ...fields }) => ({
      ...full,
      ...fields,
      originAddress: { ...full.originAddress, countryCode },
      client: { ...full.client, tier: tier || full.client.tier },
    }))
}

/** A search for points. */
export function pudosExample(shopCode: string): object {
  return { ...example('pudos-request.full.json'), shopCode }
}

function pudosDocument(shopCode: fc.Arbitrary<string>): fc.Arbitrary<unknown> {
  const full = example('pudos-request.full.json')
  return fc
    .record({
      shopCode,
      carrierServices: fc.subarray([
        { code: 'SBX_STANDARD' },
        { code: 'STORE_DROPOFF' },
        { code: 'X' },
        { code: 7 },
      ]),
      limit: fc.constantFrom(1, 5, '2'),
      place: fc.constantFrom(
        {},
        { latitude: 40.4, longitude: -3.7 },
        { latitude: '41.5', longitude: 2 },
        { latitude: 90, longitude: 180 },
      ),
      range: fc.constantFrom(0.001, 10, 100),
      locationType: fc.constantFrom(undefined, ...PUDO_LOCATION_TYPES),
    })
    .map(({ place, ...fields }) => ({
      ...full,
      latitude: undefined,
      longitude: undefined,
      ...fields,
      ...place,
    }))
}

/** Wrong methods, paths and prefixes, and mixed-up parts of valid requests. */
function anything(plain: fc.Arbitrary<Probe>, id: string, transport: string): fc.Arbitrary<Probe> {
  const piece = fc.oneof(
    fc.constantFrom(
      ...['returns', 'shipping_labels', 'shipping_trackings', 'return_methods', 'pudos', 'refunds'],
    ),
    fc.constantFrom(...['transportations', 'integration', 'v1', 'v2', 'labels', 'x.pdf', '__sandbox']),
    fc.constantFrom(
      ...[id, transport, '', '.', '..', 'openapi.json', 'RETURNS', '%72eturns', 'returns%2F1', ';a=b'],
    ),
    oddPart,
  )
  const path = fc.oneof(
    fc.array(piece, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
    fc.array(piece, { maxLength: 4 }).map((parts) => `${PREFIX}/${parts.join('/')}`),
    fc.constantFrom('/', '/openapi.json', '/labels/x.pdf', `${PREFIX}/returns/`, `${PREFIX}//returns`),
  )
  const method = fc.constantFrom(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'get',
    'FOO',
    'M-SEARCH',
  )
  const withBody = (probe: Probe, changed: string): Probe =>
    // A method without a body can't have one here.
    /^(?:get|head)$/i.test(changed)
      ? { ...probe, method: changed, body: undefined }
      : { ...probe, method: changed }
  return fc.oneof(
    fc.record({ probe: plain, method }).map(({ probe, method: changed }) => withBody(probe, changed)),
    fc.record({ probe: plain, method, path }).map(({ probe, method: changed, path: target }) => ({
      ...withBody(probe, changed),
      target,
      isPlain: false,
    })),
    fc.record({ probe: plain, more: oddHeaders }).map(({ probe, more }) => ({
      ...probe,
      headers: [...probe.headers, ...more],
    })),
  )
}
