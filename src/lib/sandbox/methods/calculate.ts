import Big from 'big.js'
import { isCountry } from '../../wire/geography.ts'
import {
  type MethodExplanation,
  type MethodsRequest,
  methodsRequestSchema,
  type ReturnMethod,
} from '../../wire/methods.ts'
import { ownValue } from '../../wire/raw.ts'
import { parseWallTime } from '../../wire/time.ts'
import { requestedShop } from '../http/auth.ts'
import type { Call } from '../http/platform.ts'
import { type FailIf, parseBody, toNumber } from '../http/received-request.ts'
import { isPostalCode } from '../labels/connections.ts'
import type { RuleFile } from './rules.ts'
import { blockersOf, fitsRequest, isOneOf, type Reason, type RuleContext, subjectOf } from './subject.ts'

/** More than any order has; keeps units times fee exact. */
const MAX_UNITS = 100_000

function checkRequest(request: MethodsRequest, failIf: FailIf) {
  const { currencyCode, originAddress, client, ecommerceOrder, returnLineItems } = request
  const { countryCode, postalCode } = originAddress
  const isMissing = (text: string, path: string) => failIf(text.trim() === '', `${path}: is missing`)
  failIf(!/^[A-Z]{3}$/.test(currencyCode), `currencyCode: ${currencyCode} is not an ISO currency code`)
  const path = 'originAddress.countryCode'
  failIf(!isCountry(countryCode), `${path}: ${countryCode} is not an ISO country code`)
  isMissing(postalCode, 'originAddress.postalCode')
  const isElsewhere = postalCode.trim() !== '' && !isPostalCode(postalCode, countryCode)
  failIf(isElsewhere, `originAddress.postalCode: ${postalCode} is not a postal code of ${countryCode}`)
  isMissing(client.tier, 'client.tier')
  failIf(toNumber(client.totalAmountSpent) < 0, 'client.totalAmountSpent: must not be negative')
  failIf(toNumber(ecommerceOrder?.totalPaid) < 0, 'ecommerceOrder.totalPaid: must not be negative')
  failIf(returnLineItems.length === 0, 'returnLineItems: at least one item is needed')
  let units = 0
  for (const [i, { sku, quantity }] of returnLineItems.entries()) {
    const [path, count] = [`returnLineItems[${i}]`, toNumber(quantity)]
    isMissing(sku, `${path}.sku`)
    failIf(!Number.isInteger(count) || count < 1, `${path}.quantity: must be a whole number from 1`)
    units += count
  }
  failIf(units > MAX_UNITS, `returnLineItems: more than ${MAX_UNITS} units in all`)
  for (const [i, { fulfilledAt, deliverAt }] of (ecommerceOrder?.fulfillments ?? []).entries()) {
    for (const [name, date] of Object.entries({ fulfilledAt, deliverAt })) {
      const isWrong = date && parseWallTime(`${date}T00:00`) === undefined
      failIf(isWrong, `ecommerceOrder.fulfillments[${i}].${name}: must be a date YYYY-MM-DD`)
    }
  }
}

/** `?explain=true` is our own (spec §4.6). */
export async function returnMethods(call: Call) {
  const book = await call.platform.rules()
  const request = parseBody(methodsRequestSchema, call.body(), checkRequest)
  const { rules, source, problems } = book.rulesFor(requestedShop(call.tokenShops, request.shopCode))
  const found = rules ? calculateMethods(rules, request, call.now) : { returnMethods: [], explanations: [] }
  if (call.url.searchParams.get('explain') !== 'true') return { returnMethods: found.returnMethods }
  return {
    ...found,
    rules: { source, problems: problems.map(({ path, message }) => `${path}: ${message}`) },
  }
}

/** Decided (spec §4.6): windows include their last day; items without a known delivery are in time. */
export function calculateMethods(rules: RuleFile, request: MethodsRequest, now: number) {
  const subject = subjectOf(request, now)
  const decided = rules.methods.map((rule, index) =>
    decide({ rules, rule, path: `methods[${index}]`, subject }),
  )
  const offered = decided.flatMap(({ method }) => (method ? [method] : []))
  return {
    returnMethods: offered.sort(
      (a, b) => Number(a.priority) - Number(b.priority) || (String(a.code) < String(b.code) ? -1 : 1),
    ),
    explanations: decided.map(({ explanation }) => explanation),
  }
}

function decide(context: RuleContext): { method?: ReturnMethod; explanation: MethodExplanation } {
  const { rules, rule, path, subject } = context
  const { code, priority } = rule
  const fee = feeOf(context)
  const blockers = blockersOf(context)
  if (fee.amount === undefined) blockers.push(fee.reason)
  if (blockers.length > 0 || fee.amount === undefined) {
    return { explanation: { code, offered: false, reasons: blockers } }
  }
  const mode = refundModeOf(context)
  const to = destinationOf(context)
  const reasons = [fee.reason, mode.reason, to.reason]
  if (rule.visible === false) reasons.push({ rule: `${path}.visible`, text: 'hidden from the customer' })
  const { countryCode, fullName, ...location } = rules.locations[to.code] ?? { countryCode: '', fullName: '' }
  const service = rules.services[rule.service]
  const promotions = promotionsOf(context)
  const method: ReturnMethod = {
    code,
    serviceType: rule.serviceType,
    currencyCode: subject.currency,
    isLabelFree: rule.isLabelFree,
    returnFee: fee.amount,
    priority,
    visible: rule.visible ?? true,
    carrierService: {
      code: rule.service,
      carrierDisplayName: service?.name ?? rule.service,
      carrierExternalCode: service?.externalCode ?? rule.service,
    },
    destinationLocation: { code: to.code, fullName, ...location, countryCode },
    promotions,
    refundMode: mode.mode,
  }
  return { method, explanation: { code, offered: true, reasons } }
}

function promotionsOf({ rule, subject }: RuleContext): ReturnMethod['promotions'] {
  return (rule.promotions ?? [])
    .filter((each) => fitsRequest(each, subject))
    .flatMap(({ promoType, amounts, percent }) => {
      if (promoType === 'PRIORITY_REFUND') return { promoType }
      const value = promoType === 'DISCOUNT_COUPON_FIXED' ? amounts?.[subject.currency] : percent
      return value === undefined ? [] : { promoType, promoAmount: Number(value) }
    })
}

function refundModeOf({ rule, path, subject }: RuleContext) {
  const index = (rule.refundModes ?? []).findIndex((each) => fitsRequest(each, subject))
  const mode = rule.refundModes?.[index]?.mode ?? rule.refundMode
  const at = index === -1 ? 'refundMode' : `refundModes[${index}]`
  return { mode, reason: { rule: `${path}.${at}`, text: `refund ${mode}` } }
}

function destinationOf({ rules, rule, path, subject: { country, items } }: RuleContext) {
  const list = rule.destination ?? rules.destination
  const at = rule.destination ? `${path}.destination` : 'destination'
  const index = list.findIndex(({ countries, vendors, fulfillmentCenters }) => {
    if (countries && !countries.includes(country)) return false
    if (vendors && !items.every(({ vendor }) => vendor !== undefined && isOneOf(vendors, vendor)))
      return false
    if (!fulfillmentCenters) return true
    return items.every(
      ({ centers }) => centers.length > 0 && centers.every((center) => isOneOf(fulfillmentCenters, center)),
    )
  })
  const code = list[index]?.to ?? ''
  return { code, reason: { rule: `${at}[${index}]`, text: `goes to ${code}` } }
}

function feeOf({ rule, path, subject }: RuleContext): { amount?: number; reason: Reason } {
  const index = rule.fees.findIndex((each) => fitsRequest(each, subject))
  const fee = rule.fees[index]
  if (!fee) {
    return { reason: { rule: `${path}.fees`, text: 'no fee fits this country, tier and reason' } }
  }
  const { currency } = subject
  const at = `${path}.fees[${index}]`
  const priced = ownValue(fee.amounts, currency)
  if (priced === undefined) {
    const known = Object.keys(fee.amounts).join(', ')
    return { reason: { rule: `${at}.amounts`, text: `no fee in ${currency}, only in ${known}` } }
  }
  const by = fee.by ?? 'totalPaid'
  const one = typeof priced === 'string' ? priced : stepFee(priced, subject.spent[by])
  if (one === undefined) {
    return { reason: { rule: `${at}.amounts.${currency}`, text: `${by} is below the lowest step` } }
  }
  const total = fee.perUnit ? new Big(one).times(subject.units) : new Big(one)
  // `toFixed` would write `1e999999999` out.
  const how = [
    ...(typeof priced === 'string' ? [] : [`${by} ${subject.spent[by].toString()} ${currency}`]),
    ...(fee.perUnit ? [`${subject.units} × ${one}`] : []),
  ]
  const text = `fee ${total.toFixed()} ${currency}${how.length > 0 ? ` (${how.join(', ')})` : ''}`
  // A double holds fees exactly: they have at most 15 digits (`amount` in rules.ts).
  return { amount: total.toNumber(), reason: { rule: at, text } }
}

function stepFee(steps: readonly { from: string; fee: string }[], spent: Big) {
  const reached = steps.filter(({ from }) => spent.gte(from))
  return reached.sort((a, b) => new Big(b.from).cmp(a.from))[0]?.fee
}
