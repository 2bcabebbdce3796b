import { describe, expect, it } from 'vitest'
import { calculateMethods } from '../../../../src/lib/sandbox/methods/calculate.ts'
import { BUILT_IN_RULES } from '../../../../src/lib/sandbox/methods/rule-book.ts'
import type { MethodRule, RuleFile } from '../../../../src/lib/sandbox/methods/rules.ts'
import { fixture } from '../../../helpers/fixture.ts'
import { methodsRequest, type RequestParts } from '../../../helpers/methods-requests.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')

const ONE: MethodRule = {
  code: 'ONE',
  serviceType: 'drop-off',
  service: 'POST',
  isLabelFree: false,
  priority: 1,
  fees: [{ amounts: { EUR: '2.95' } }],
  refundMode: 'INSTANT',
}

/** The smallest rules: one method, from Spain, 30 days; changed as a test wants it. */
function rules(method: Partial<MethodRule> = {}, file: Partial<RuleFile> = {}): RuleFile {
  const place = { line1: 'Dock 1', city: 'Getafe', postalCode: '28906', countryCode: 'ES' }
  return {
    window: { days: 30 },
    services: { POST: { name: 'Post', countries: ['ES'] } },
    locations: { A: { fullName: 'A', ...place }, B: { fullName: 'B', ...place } },
    destination: [{ to: 'A' }],
    methods: [{ ...ONE, ...method }],
    ...file,
  }
}

const calculate = (file: RuleFile, parts: RequestParts = {}) =>
  calculateMethods(file, methodsRequest(parts), NOW)
const only = (file: RuleFile, parts: RequestParts = {}) => calculate(file, parts).returnMethods[0]
const why = (file: RuleFile, parts: RequestParts = {}) => calculate(file, parts).explanations[0]

it('a method has every field of the specification', () => {
  expect(only(rules({ promotions: [{ promoType: 'PRIORITY_REFUND' }] }))).toEqual({
    code: 'ONE',
    serviceType: 'drop-off',
    currencyCode: 'EUR',
    isLabelFree: false,
    returnFee: 2.95,
    priority: 1,
    visible: true,
    carrierService: { code: 'POST', carrierDisplayName: 'Post', carrierExternalCode: 'POST' },
    destinationLocation: {
      code: 'A',
      fullName: 'A',
      line1: 'Dock 1',
      city: 'Getafe',
      postalCode: '28906',
      countryCode: 'ES',
    },
    promotions: [{ promoType: 'PRIORITY_REFUND' }],
    refundMode: 'INSTANT',
  })
})

it('methods are sorted by priority, then code', () => {
  const methods = [
    { ...ONE, code: 'b', priority: 2 },
    { ...ONE, code: 'B', priority: 2 },
    { ...ONE, code: 'Z', priority: 1 },
  ]
  const codes = (list: MethodRule[]) =>
    calculate(rules({}, { methods: list })).returnMethods.map(({ code }) => code)
  expect(codes(methods)).toEqual(['Z', 'B', 'b'])
  expect(codes(methods.reverse())).toEqual(['Z', 'B', 'b'])
})

interface Offer {
  what: string
  method?: Partial<MethodRule>
  file?: Partial<RuleFile>
  request?: RequestParts
  /** Rule of the reason against the method. */
  rule?: string
}

it.each<Offer>(fixture('methods/offers.yaml'))(
  'methods are offered by the rules: $what',
  ({ method, file, request, rule }) => {
    const { returnMethods, explanations } = calculate(rules(method, file), request)
    expect(returnMethods).toHaveLength(rule === undefined ? 1 : 0)
    expect(explanations[0]?.offered).toBe(rule === undefined)
    if (rule !== undefined) expect(explanations[0]?.reasons.map((one) => one.rule)).toEqual([rule])
  },
)

it('an excluded method lists all reasons at once', () => {
  const found = why(rules({ tiers: ['gold'], countries: ['PT'] }), { country: 'FR', currency: 'USD' })
  expect(found?.reasons.map(({ rule }) => rule)).toEqual([
    'services.POST.countries',
    'methods[0].countries',
    'methods[0].tiers',
    'methods[0].fees[0].amounts',
  ])
})

interface FeeCase {
  what: string
  fees: MethodRule['fees']
  request?: RequestParts
  fee?: number
}

it.each<FeeCase>(fixture('methods/fees.yaml'))('fee of a method: $what', ({ fees, request, fee }) => {
  expect(only(rules({ fees }), request)?.returnFee).toBe(fee)
})

const gold = { tiers: ['gold'] }

it('the refund mode is the first that fits, else the default one', () => {
  const file = rules({
    refundModes: [
      { ...gold, mode: 'DROP_OFF' },
      { countries: ['PT'], mode: 'MANUAL' },
    ],
  })
  expect(only(file, { tier: 'gold' })?.refundMode).toBe('DROP_OFF')
  expect(only(file)?.refundMode).toBe('INSTANT')
})

it('promotions are those that fit, in the currency of the request', () => {
  const file = rules({
    fees: [{ amounts: { EUR: '1', GBP: '1' } }],
    promotions: [
      { promoType: 'DISCOUNT_COUPON_FIXED', amounts: { EUR: '5.50' } },
      { ...gold, promoType: 'DISCOUNT_COUPON_PERCENTAGE', percent: '12.5' },
    ],
  })
  expect(only(file)?.promotions).toEqual([{ promoType: 'DISCOUNT_COUPON_FIXED', promoAmount: 5.5 }])
  expect(only(file, { currency: 'GBP', tier: 'gold' })?.promotions).toEqual([
    { promoType: 'DISCOUNT_COUPON_PERCENTAGE', promoAmount: 12.5 },
  ])
})

it.each<[string, RequestParts, string]>([
  ['vendor of all items', { items: [{ productVendor: 'Elm' }, { productVendor: 'elm' }] }, 'B'],
  ['vendor of some', { items: [{ productVendor: 'Elm' }, {}] }, 'A'],
  ['fulfilment centre', { deliveredAt: '2026-04-14', center: 'north' }, 'B'],
  ['other centre', { deliveredAt: '2026-04-14', center: 'south' }, 'A'],
  ['neither', {}, 'A'],
])('the destination has the %s', (_name, parts, code) => {
  const destination = [{ vendors: ['ELM'], to: 'B' }, { fulfillmentCenters: ['NORTH'], to: 'B' }, { to: 'A' }]
  expect(only(rules({}, { destination }), parts)?.destinationLocation?.code).toBe(code)
})

describe('items and the order', () => {
  const order = (fulfillments: object[], items: object[] = [{ id: 'l1', sku: 'S1', quantity: 1 }]) => ({
    ...methodsRequest(),
    returnLineItems: items as never,
    ecommerceOrder: {
      id: '1',
      lineItems: [
        {
          id: 'l1',
          sku: 'S1',
          productTags: ['Hygiene'],
          primaryProductCategory: 'Shoes',
          productVendor: 'Elm',
        },
        { id: 'l2', sku: 'S2' },
      ],
      fulfillments: fulfillments as never,
    },
  })
  const early = {
    deliverAt: '2026-01-01',
    fulfillmentCenter: 'N',
    fulfillmentLineItems: [{ lineItemid: 'l1' }],
  }
  const late = {
    deliverAt: '2026-04-10',
    fulfillmentCenter: 'S',
    fulfillmentLineItems: [{ lineItemid: 'l2' }],
  }
  const inTime = (request: never) => calculateMethods(rules(), request, NOW).returnMethods.length === 1

  it.each<[string, object[], object[], boolean]>([
    ['its own delivery', [early, late], [{ id: 'l1', sku: 'S1', quantity: 1 }], false],
    ['found by SKU', [early, late], [{ sku: 'S1', quantity: 1 }], false],
    ['another line was late', [early, late], [{ id: 'l2', sku: 'S2', quantity: 1 }], true],
    [
      'one of two is late',
      [early, late],
      [
        { sku: 'S2', quantity: 1 },
        { sku: 'S1', quantity: 1 },
      ],
      false,
    ],
    [
      'in two deliveries the last counts',
      [early, { ...late, ...{ fulfillmentLineItems: early.fulfillmentLineItems } }],
      [{ sku: 'S1', quantity: 1 }],
      true,
    ],
    ['listed nowhere: the last of all', [early, late], [{ sku: 'S9', quantity: 1 }], true],
    ['no dates at all', [{ fulfillmentCenter: 'N' }], [{ sku: 'S1', quantity: 1 }], true],
  ])('delivery: %s', (_name, fulfillments, items, expected) => {
    expect(inTime(order(fulfillments, items) as never)).toBe(expected)
  })

  it.each([{ tags: ['hygiene'] }, { categories: ['shoes'] }, { vendors: ['ELM'] }])(
    'facts that the item lacks come from its line: %j',
    (test) => {
      const found = calculateMethods(rules({ excluded: [test] }), order([]), NOW)
      expect(found.returnMethods).toEqual([])
    },
  )
})

it('the id distinguishes two items with one SKU', () => {
  const line = (id: string, tag: string) => ({ id, sku: 'S', productTags: [tag] })
  const request = {
    ...methodsRequest({ items: [{ id: 'l2', sku: 'S' }] }),
    ecommerceOrder: { id: '1', lineItems: [line('l1', 'sale'), line('l2', 'new')] },
  }
  const offers = (tag: string) =>
    calculateMethods(rules({ excluded: [{ tags: [tag] }] }), request, NOW).returnMethods.length
  expect([offers('sale'), offers('new')]).toEqual([1, 0])
})

it('the built-in rules of all shops answer a plain request of their country', () => {
  const currencies = { ES: 'EUR', GB: 'GBP', US: 'USD', JP: 'JPY', SE: 'SEK' }
  const countries = ['ES', 'GB', 'US', 'JP', 'SE'] as const
  const found = Object.values(BUILT_IN_RULES).map((file, i) => {
    const country = countries[i] ?? 'ES'
    return calculate(file, { country, currency: currencies[country] }).returnMethods.length
  })
  expect(found).toEqual([6, 5, 5, 5, 5])
})
