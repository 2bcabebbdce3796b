import * as z from 'zod'
import { nearest } from '../../errors.ts'
import { PROMOTION_TYPES, REFUND_MODES, SERVICE_TYPES } from '../../wire/enumerations.ts'
import { digitsOf } from '../../wire/money.ts'
import { choice, problemsOf } from '../problems.ts'

// One file for each shop, since spec §4.6 fixes no rules. Strict objects failIf misspelt rules.

const country = z.string().regex(/^[A-Z]{2}$/, 'must be an ISO country code such as ES')
const currency = z.string().regex(/^[A-Z]{3}$/, 'must be an ISO currency code such as EUR')
/** Text, since binary fractions are inexact. */
const amount = z
  .string()
  .regex(/^\d{1,7}(?:\.\d{1,3})?$/, 'must be an amount in quotation marks such as "4.95"')
const countries = z.array(country).min(1)
const words = z.array(z.string().min(1)).min(1)
const days = z.int().min(0).max(3650)
const text = z.string()

const itemTest = z.strictObject({
  tags: words.optional(),
  categories: words.optional(),
  vendors: words.optional(),
  reasons: words.optional(),
})
export type ItemTest = z.infer<typeof itemTest>

/** `reasons` fit when every item has one. */
const requestTest = {
  countries: countries.optional(),
  tiers: words.optional(),
  reasons: words.optional(),
}

/** Days after the delivery. The first of `items` that fits an item outweighs `days`. */
const returnWindow = z.strictObject({
  days,
  items: z.array(itemTest.extend({ days })).optional(),
})

const fee = z.strictObject({
  ...requestTest,
  /** Amount that selects the step of a fee. */
  by: choice(['totalPaid', 'totalAmountSpent']).optional(),
  perUnit: z.boolean().optional(),
  /** One amount, or steps of which the highest reached counts. */
  amounts: z.record(
    currency,
    z.union(
      [amount, z.array(z.strictObject({ from: amount, fee: amount })).min(1)],
      'must be an amount such as "4.95", or steps',
    ),
  ),
})

const promotion = z.strictObject({
  ...requestTest,
  promoType: choice(PROMOTION_TYPES),
  /** Left out in other currencies. */
  amounts: z.record(currency, amount).optional(),
  percent: amount.optional(),
})

/** The first that fits all items counts. */
const destinations = z
  .array(
    z.strictObject({
      countries: countries.optional(),
      vendors: words.optional(),
      fulfillmentCenters: words.optional(),
      to: text,
    }),
  )
  .min(1)

const location = z.strictObject({
  fullName: text,
  line1: text,
  line2: text.optional(),
  city: text,
  postalCode: text,
  regionCode: text.optional(),
  countryCode: country,
  latitude: text.optional(),
  longitude: text.optional(),
  phone: text.optional(),
  email: text.optional(),
})

const method = z.strictObject({
  code: z.string().regex(/^[\w-]+$/, 'must be of letters, digits, _ and -'),
  serviceType: choice(SERVICE_TYPES),
  service: text,
  isLabelFree: z.boolean(),
  priority: z.int().min(1),
  visible: z.boolean().optional(),
  countries: countries.optional(),
  tiers: words.optional(),
  window: returnWindow.optional(),
  excluded: z.array(itemTest).optional(),
  only: z.array(itemTest).min(1).optional(),
  /** The first that fits counts. */
  fees: z.array(fee).min(1),
  promotions: z.array(promotion).optional(),
  refundMode: choice(REFUND_MODES),
  /** The first mode that fits outweighs `refundMode`. */
  refundModes: z.array(z.strictObject({ ...requestTest, mode: choice(REFUND_MODES) })).optional(),
  destination: destinations.optional(),
})
export type MethodRule = z.infer<typeof method>

export const ruleFileSchema = z.strictObject({
  $schema: text.optional(),
  about: text.optional(),
  window: returnWindow,
  excluded: z.array(itemTest).optional(),
  services: z.record(
    text,
    z.strictObject({
      name: text,
      externalCode: text.optional(),
      countries,
      /** Prefixes of postal codes that are not served, by country. */
      exceptPostalCodes: z.record(country, z.array(z.string().min(1))).optional(),
    }),
  ),
  locations: z.record(text, location),
  destination: destinations,
  methods: z.array(method),
})
export type RuleFile = z.infer<typeof ruleFileSchema>

export interface RuleProblem {
  path: string
  message: string
}

/** Returns no rules if there are problems. */
export function readRules(
  input: unknown,
  services: readonly string[],
): { rules?: RuleFile; problems: RuleProblem[] } {
  const { data, error } = ruleFileSchema.safeParse(input)
  const problems = data
    ? referenceProblems(data, services)
    : problemsOf(error, input).map(({ path = 'the file', message }) => ({ path, message }))
  return { rules: problems.length === 0 ? data : undefined, problems }
}

function referenceProblems(rules: RuleFile, services: readonly string[]) {
  const problems: RuleProblem[] = []
  const failIf = (isWrong: unknown, path: string, message: string) => {
    if (isWrong) problems.push({ path, message })
  }
  const known = (path: string, what: string, code: string, codes: readonly string[]) => {
    const meant = nearest(code, codes)
    const hint = meant === undefined ? `; there are ${codes.join(', ')}` : `; is ${meant} meant?`
    failIf(!codes.includes(code), path, `there is no ${what} ${JSON.stringify(code)}${hint}`)
  }
  const checkDestinations = (path: string, list: MethodRule['destination'] = []) => {
    for (const [i, { to, countries, vendors, fulfillmentCenters }] of list.entries()) {
      known(`${path}[${i}].to`, 'location', to, Object.keys(rules.locations))
      const isPartial = countries || vendors || fulfillmentCenters
      failIf(isPartial && i === list.length - 1, `${path}[${i}]`, 'the last one has to be for all the rest')
    }
  }
  const checkAmounts = (path: string, amounts: z.infer<typeof fee>['amounts'] = {}) => {
    for (const [code, value] of Object.entries(amounts)) {
      const digits = digitsOf(code)
      const fees = typeof value === 'string' ? [value] : value.flatMap(({ from, fee: paid }) => [from, paid])
      for (const one of fees) {
        const isTooFine = (one.split('.')[1]?.length ?? 0) > digits
        failIf(isTooFine, `${path}.${code}`, `${one} has more decimals than ${code} has, which is ${digits}`)
      }
    }
  }
  for (const code of Object.keys(rules.services)) {
    known(`services.${code}`, 'carrier service of this shop', code, services)
  }
  checkDestinations('destination', rules.destination)
  for (const [i, { code, ...rule }] of rules.methods.entries()) {
    const path = `methods[${i}]`
    const isTaken = rules.methods.findIndex((other) => other.code === code) < i
    failIf(isTaken, `${path}.code`, `${code} is the code of another method already`)
    known(`${path}.service`, 'service under "services"', rule.service, Object.keys(rules.services))
    checkDestinations(`${path}.destination`, rule.destination)
    for (const [j, { amounts }] of rule.fees.entries()) checkAmounts(`${path}.fees[${j}].amounts`, amounts)
    for (const [j, { promoType, amounts, percent }] of (rule.promotions ?? []).entries()) {
      const place = `${path}.promotions[${j}]`
      checkAmounts(`${place}.amounts`, amounts)
      const isFixed = promoType === 'DISCOUNT_COUPON_FIXED'
      failIf(isFixed && !amounts, place, 'a fixed coupon needs "amounts"')
      const isPercentage = promoType === 'DISCOUNT_COUPON_PERCENTAGE'
      failIf(isPercentage && percent === undefined, place, 'a coupon in percent needs "percent"')
    }
  }
  return problems
}
