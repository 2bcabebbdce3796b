import fc from 'fast-check'
import { expect, test } from 'vitest'
import { calculateMethods } from '../../../src/lib/sandbox/methods/calculate.ts'
import { BUILT_IN_RULES } from '../../../src/lib/sandbox/methods/rule-book.ts'
import type { MethodRule, RuleFile } from '../../../src/lib/sandbox/methods/rules.ts'
import { methodsRequest } from '../../helpers/methods-requests.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')

const SHOPS = Object.keys(BUILT_IN_RULES)
const shop = fc.constantFrom(...SHOPS)
const cents = (max: number) => fc.nat({ max }).map((n) => (n / 100).toFixed(2))
const item = fc.record({
  sku: fc.constantFrom('A', 'B', 'C', 'D'),
  quantity: fc.integer({ min: 1, max: 9 }),
  returnReasonCode: fc.constantFrom('DAMAGED', 'DEFECTIVE', 'CHANGED_MIND', 'LATE', 'WRONG_ITEM'),
  productTags: fc.subarray(['final-sale', 'outlet', 'bulky', 'lithium', 'fuel', 'sale', 'other']),
  primaryProductCategory: fc.constantFrom('Shoes', 'Furniture', 'Electronics', 'Underwear', 'Mattresses'),
  productVendor: fc.constantFrom('Lumenworks', 'Menorca Artesana', 'Cuero & Cía.', 'Elm'),
})
const parts = fc.record({
  currency: fc.constantFrom('EUR', 'SEK', 'USD', 'GBP', 'JPY', 'DKK'),
  country: fc.constantFrom('ES', 'PT', 'SE', 'US', 'GB', 'JP', 'FI'),
  postalCode: fc.constantFrom('28013', '35001', '90001', '22100', '99501'),
  tier: fc.constantFrom('basic', 'gold', 'platinum', 'member', 'pro'),
  paid: cents(3_000_000),
  spent: cents(9_000_000),
  deliveredAt: fc.constantFrom('2026-04-14', '2026-04-01', '2026-03-10', '2026-01-01'),
  items: fc.array(item, { minLength: 1, maxLength: 6 }),
})
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never

const calculate = (file: RuleFile, wanted: Parts) => calculateMethods(file, methodsRequest(wanted), NOW)

/** The fee of each method offered, by code. */
const fees = (file: RuleFile, wanted: Parts) =>
  new Map(calculate(file, wanted).returnMethods.map(({ code, returnFee }) => [code, Number(returnFee)]))

/** Whatever is said, more spending takes no method away and raises no fee. */
function expectNotDearer(file: RuleFile, wanted: Parts, more: Partial<Parts>) {
  const before = fees(file, wanted)
  const after = fees(file, { ...wanted, ...more })
  expect([...after.keys()]).toEqual([...before.keys()])
  for (const [code, fee] of before) expect(after.get(code)).toBeLessThanOrEqual(fee)
}

const addition = cents(3_000_000)
const plus = (a: string, b: string) =>
  ((Math.round(Number(a) * 100) + Math.round(Number(b) * 100)) / 100).toFixed(2)

test('more spending never raises a fee of the built-in rules', () => {
  fc.assert(
    fc.property(shop, parts, addition, addition, (code, wanted, paid, spent) => {
      const more = { paid: plus(wanted.paid, paid), spent: plus(wanted.spent, spent) }
      expectNotDearer(BUILT_IN_RULES[code]!, wanted, more)
    }),
    { numRuns: 400 },
  )
})

/** Fees that fall as the amount rises, in any order of the file. */
const fallingSteps = fc.uniqueArray(fc.nat({ max: 5000 }), { minLength: 1, maxLength: 6 }).chain((froms) =>
  fc
    .tuple(
      fc.array(fc.nat({ max: 9999 }), { minLength: froms.length, maxLength: froms.length }),
      fc.boolean(),
    )
    .map(([prices, isReversed]) => {
      const rising = [...froms].sort((a, b) => a - b)
      const falling = [...prices].sort((a, b) => b - a)
      const steps = rising.map((from, i) => ({
        from: String(from),
        fee: ((falling[i] ?? 0) / 100).toFixed(2),
      }))
      return isReversed ? steps.reverse() : steps
    }),
)
const plain = { ...BUILT_IN_RULES['LUMBRE-ES']! }
const first = plain.methods.find(({ code }) => code === 'OWN_CARRIER')!
const withMethod = (more: Partial<MethodRule>) => ({ ...plain, methods: [{ ...first, ...more }] })

test('more spending never raises a fee with any falling steps', () => {
  fc.assert(
    fc.property(
      fallingSteps,
      fc.nat({ max: 5000 }),
      fc.nat({ max: 5000 }),
      fc.boolean(),
      (steps, a, b, perUnit) => {
        const file = withMethod({ fees: [{ perUnit, amounts: { EUR: steps } }] })
        const fee = (paid: number) =>
          calculateMethods(file, methodsRequest({ paid }), NOW).returnMethods[0]?.returnFee
        const [less, more] = [fee(Math.min(a, b)), fee(Math.max(a, b))]
        // Below the lowest step there is no fee, and no method.
        if (less !== undefined) expect(Number(more)).toBeLessThanOrEqual(Number(less))
      },
    ),
    { numRuns: 400 },
  )
})

test('an excluded item never gets a method, whatever is returned with it', () => {
  const excluded: Record<string, object> = {
    'LUMBRE-ES': { productTags: ['x', 'Final-Sale'] },
    'HARROW-UK': { productTags: ['PERSONALISED'] },
    'PINECREST-US': { productTags: ['fuel'] },
    'SORA-JP': { productTags: ['made-to-order'] },
    'FJORD-SE': { productTags: ['made-to-measure'] },
  }
  fc.assert(
    fc.property(shop, parts, fc.nat({ max: 6 }), (code, wanted, at) => {
      const items = wanted.items.toSpliced(at, 0, { ...wanted.items[0]!, ...excluded[code] })
      const { returnMethods, explanations } = calculate(BUILT_IN_RULES[code]!, { ...wanted, items })
      expect(returnMethods).toEqual([])
      expect(explanations.length).toBeGreaterThan(0)
      expect(explanations.every(({ offered }) => !offered)).toBe(true)
    }),
  )
})

test('the answer and its explanation do not depend on the order of the items', () => {
  const shuffled = parts.chain((wanted) =>
    fc
      .shuffledSubarray(wanted.items, { minLength: wanted.items.length })
      .map((items) => ({ wanted, other: { ...wanted, items } })),
  )
  fc.assert(
    fc.property(shop, shuffled, (code, { wanted, other }) => {
      const file = BUILT_IN_RULES[code]!
      expect(calculate(file, other)).toEqual(calculate(file, wanted))
    }),
    { numRuns: 400 },
  )
})

test('a fee by the unit is exact to the last digit', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 9_999_999 }),
      fc.nat({ max: 99 }),
      fc.integer({ min: 1, max: 100_000 }),
      (whole, part, units) => {
        const text = `${whole}.${String(part).padStart(2, '0')}`
        const file = withMethod({ fees: [{ perUnit: true, amounts: { EUR: text } }] })
        const request = methodsRequest({ items: [{ quantity: units }] })
        const fee = calculateMethods(file, request, NOW).returnMethods[0]?.returnFee
        // Whole cents as big integers are the independent computation.
        const hundredths = (BigInt(whole) * 100n + BigInt(part)) * BigInt(units)
        const exact = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`.replace(
          /\.?0+$/,
          '',
        )
        expect(JSON.stringify(fee)).toBe(hundredths % 100n === 0n ? String(hundredths / 100n) : exact)
      },
    ),
  )
})

test('methods are offered exactly if they are explained as offered', () => {
  fc.assert(
    fc.property(shop, parts, (code, wanted) => {
      const { returnMethods, explanations } = calculate(BUILT_IN_RULES[code]!, wanted)
      const offered = valuesOf(
        explanations.filter((one) => one.offered),
        'code',
      )
      expect(valuesOf(returnMethods, 'code').sort()).toEqual(offered.sort())
      expect(explanations.every(({ reasons }) => reasons.length > 0)).toBe(true)
    }),
  )
})
