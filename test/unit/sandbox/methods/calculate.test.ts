import { describe, expect, it } from 'vitest'
import { calculateMethods } from '../../../../src/lib/sandbox/methods/calculate.ts'
import { BUILT_IN_RULES } from '../../../../src/lib/sandbox/methods/rule-book.ts'
import type { MethodRule, RuleFile } from '../../../../src/lib/sandbox/methods/rules.ts'
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

describe('a method', () => {
  it('is written with every field of the specification', () => {
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

  it('stands by priority, then code, in any order of the file', () => {
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
})

const post = (more: object) => ({ services: { POST: { name: 'Post', countries: ['ES'], ...more } } })
const shoes = { categories: ['Shoes'] }
const longer = (days: number) => ({ window: { days: 30, items: [{ ...shoes, days }] } })

/** `[what, method, file, request, the reason's rule if it is not offered]`. */
const OFFERS: [string, Partial<MethodRule>, Partial<RuleFile>, RequestParts, string | undefined][] = [
  ['country served', {}, {}, {}, undefined],
  ['country not served', {}, {}, { country: 'FR' }, 'services.POST.countries'],
  ['country not of the method', { countries: ['PT'] }, {}, {}, 'methods[0].countries'],
  [
    'region not served',
    {},
    post({ exceptPostalCodes: { ES: ['28 0'] } }),
    {},
    'services.POST.exceptPostalCodes.ES',
  ],
  ['region served', {}, post({ exceptPostalCodes: { ES: ['35'], PT: ['28'] } }), {}, undefined],
  ['tier', { tiers: ['Gold'] }, {}, { tier: 'gold ' }, undefined],
  ['other tier', { tiers: ['Gold'] }, {}, {}, 'methods[0].tiers'],
  ['last day of the window', {}, {}, { deliveredAt: '2026-03-16' }, undefined],
  ['day after the window', {}, {}, { deliveredAt: '2026-03-15' }, 'window'],
  ['delivered tomorrow', {}, {}, { deliveredAt: '2026-04-16' }, undefined],
  ["method's own window", { window: { days: 60 } }, {}, { deliveredAt: '2026-03-01' }, undefined],
  [
    'shorter window of some items',
    {},
    longer(14),
    { deliveredAt: '2026-03-31', items: [{}, { primaryProductCategory: 'shoes' }] },
    'window',
  ],
  [
    'longer window of some items',
    {},
    longer(60),
    { deliveredAt: '2026-03-01', items: [{ primaryProductCategory: 'Shoes' }] },
    undefined,
  ],
  [
    'tag excluded',
    { excluded: [{ tags: ['X'] }] },
    {},
    { items: [{ productTags: ['a', 'x'] }] },
    'methods[0].excluded[0]',
  ],
  [
    'one of two excluded',
    { excluded: [shoes] },
    {},
    { items: [{}, { primaryProductCategory: 'SHOES' }] },
    'methods[0].excluded[0]',
  ],
  [
    'vendor excluded by the shop',
    {},
    { excluded: [{ vendors: ['V'] }] },
    { items: [{ productVendor: 'v' }] },
    'excluded[0]',
  ],
  [
    'reason excluded',
    {},
    { excluded: [{ tags: ['q'] }, { reasons: ['LATE'] }] },
    { items: [{ returnReasonCode: 'LATE' }] },
    'excluded[1]',
  ],
  [
    'half of a test does not exclude',
    { excluded: [{ ...shoes, reasons: ['LATE'] }] },
    {},
    { items: [{ returnReasonCode: 'LATE' }] },
    undefined,
  ],
  ['only some, all are', { only: [shoes] }, {}, { items: [{ primaryProductCategory: 'Shoes' }] }, undefined],
  [
    'only some, one is not',
    { only: [shoes] },
    {},
    { items: [{}, { primaryProductCategory: 'Shoes' }] },
    'methods[0].only',
  ],
  ['no fee in the currency', {}, {}, { currency: 'USD' }, 'methods[0].fees[0].amounts'],
  ['a currency called toString', {}, {}, { currency: 'toString' }, 'methods[0].fees[0].amounts'],
  [
    'no fee for the country',
    { fees: [{ countries: ['PT'], amounts: { EUR: '1' } }] },
    {},
    {},
    'methods[0].fees',
  ],
  [
    'below the lowest step',
    { fees: [{ amounts: { EUR: [{ from: '50', fee: '1' }] } }] },
    {},
    { paid: 49.99 },
    'methods[0].fees[0].amounts.EUR',
  ],
]

describe('offered', () => {
  it.each(OFFERS)('%s', (_name, method, file, parts, rule) => {
    const { returnMethods, explanations } = calculate(rules(method, file), parts)
    expect(returnMethods).toHaveLength(rule === undefined ? 1 : 0)
    expect(explanations[0]?.offered).toBe(rule === undefined)
    if (rule !== undefined) expect(explanations[0]?.reasons.map((one) => one.rule)).toEqual([rule])
  })

  it('all reasons against it are told at once', () => {
    const found = why(rules({ tiers: ['gold'], countries: ['PT'] }), { country: 'FR', currency: 'USD' })
    expect(found?.reasons.map(({ rule }) => rule)).toEqual([
      'services.POST.countries',
      'methods[0].countries',
      'methods[0].tiers',
      'methods[0].fees[0].amounts',
    ])
  })
})

const steps = (...pairs: [string, string][]) => ({ EUR: pairs.map(([from, fee]) => ({ from, fee })) })
const falling = steps(['0', '4.95'], ['50', '1.95'], ['100', '0'])

/** `[what, fees, request, fee]`. */
const FEES: [string, MethodRule['fees'], RequestParts, number | undefined][] = [
  ['the first that fits', [{ tiers: ['gold'], amounts: { EUR: '1' } }, { amounts: { EUR: '2' } }], {}, 2],
  ['by tier', [{ tiers: ['gold'], amounts: { EUR: '1' } }, { amounts: { EUR: '2' } }], { tier: 'GOLD' }, 1],
  ['by country', [{ countries: ['ES'], amounts: { EUR: '1' } }, { amounts: { EUR: '2' } }], {}, 1],
  [
    'by reason, all',
    [{ reasons: ['DAMAGED'], amounts: { EUR: '0' } }, { amounts: { EUR: '2' } }],
    { items: [{ returnReasonCode: 'damaged' }] },
    0,
  ],
  [
    'by reason, not all',
    [{ reasons: ['DAMAGED'], amounts: { EUR: '0' } }, { amounts: { EUR: '2' } }],
    { items: [{ returnReasonCode: 'DAMAGED' }, {}] },
    2,
  ],
  ['first step', [{ amounts: falling }], {}, 4.95],
  ['a cent below a step', [{ amounts: falling }], { paid: '49.99' }, 4.95],
  ['exactly a step', [{ amounts: falling }], { paid: 50 }, 1.95],
  ['highest step', [{ amounts: falling }], { paid: 1e12 }, 0],
  [
    'steps in another order',
    [{ amounts: steps(['100', '0'], ['0', '4.95'], ['50', '1.95']) }],
    { paid: 70 },
    1.95,
  ],
  ['by what was spent', [{ by: 'totalAmountSpent', amounts: falling }], { paid: 200, spent: 50 }, 1.95],
  [
    'by the unit, exactly',
    [{ perUnit: true, amounts: { EUR: '0.1' } }],
    { items: [{ quantity: 1 }, { quantity: '2' }] },
    0.3,
  ],
  [
    'no fee in that currency, though a later rule has one',
    [{ tiers: ['basic'], amounts: { USD: '1' } }, { amounts: { EUR: '2' } }],
    {},
    undefined,
  ],
]

describe('fees', () => {
  it.each(FEES)('%s', (_name, fees, parts, fee) => {
    expect(only(rules({ fees }), parts)?.returnFee).toBe(fee)
  })
})

describe('refund mode, promotions, destination', () => {
  const gold = { tiers: ['gold'] }

  it('refund mode: the first that fits, else the common one', () => {
    const file = rules({
      refundModes: [
        { ...gold, mode: 'DROP_OFF' },
        { countries: ['PT'], mode: 'MANUAL' },
      ],
    })
    expect(only(file, { tier: 'gold' })?.refundMode).toBe('DROP_OFF')
    expect(only(file)?.refundMode).toBe('INSTANT')
  })

  it('promotions: those that fit, in the currency of the request', () => {
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
  ])('destination: %s', (_name, parts, code) => {
    const destination = [
      { vendors: ['ELM'], to: 'B' },
      { fulfillmentCenters: ['NORTH'], to: 'B' },
      { to: 'A' },
    ]
    expect(only(rules({}, { destination }), parts)?.destinationLocation?.code).toBe(code)
  })
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

it('the id tells two lines with one SKU apart', () => {
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
