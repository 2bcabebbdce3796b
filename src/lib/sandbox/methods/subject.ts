import Big from 'big.js'
import { counted, firstOf } from '../../wire/counted.ts'
import type { MethodExplanation, MethodsRequest } from '../../wire/methods.ts'
import { grouped } from '../../wire/raw.ts'
import type { ItemTest, MethodRule, RuleFile } from './rules.ts'

export type Reason = MethodExplanation['reasons'][number]

const DAY_MS = 86_400_000

type Subject = ReturnType<typeof subjectOf>

export function subjectOf(request: MethodsRequest, now: number) {
  const { currencyCode, originAddress, client, ecommerceOrder } = request
  const items = itemsOf(request)
  return {
    currency: currencyCode,
    country: originAddress.countryCode,
    postalCode: postalForm(originAddress.postalCode),
    tier: client.tier,
    items,
    units: items.reduce((sum, { units }) => sum + units, 0),
    reasons: new Set(items.map(({ reason }) => reason)),
    spent: {
      totalPaid: new Big(String(ecommerceOrder?.totalPaid ?? 0)),
      totalAmountSpent: new Big(String(client.totalAmountSpent ?? 0)),
    },
    /** Days since the epoch. */
    today: Math.floor(now / DAY_MS),
  }
}

function postalForm(code: string) {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

type RequestTest = Pick<MethodRule['fees'][number], 'countries' | 'tiers' | 'reasons'>

export function fitsRequest({ countries, tiers, reasons }: RequestTest, subject: Subject) {
  if (countries && !countries.includes(subject.country)) return false
  if (tiers && !isOneOf(tiers, subject.tier)) return false
  return !reasons || [...subject.reasons].every((each) => each !== undefined && isOneOf(reasons, each))
}

export function isOneOf(words: readonly string[], word: string) {
  return words.some((each) => fold(each) === fold(word))
}

type Item = ReturnType<typeof itemsOf>[number]
type Order = NonNullable<MethodsRequest['ecommerceOrder']>
type OrderLine = NonNullable<Order['lineItems']>[number]
type Fulfillment = NonNullable<Order['fulfillments']>[number]

function fold(word: string) {
  return word.trim().toLowerCase()
}

/** Finds each item's order line by id, else SKU. Unlisted items may be of any fulfilment. */
function itemsOf({ returnLineItems, ecommerceOrder }: MethodsRequest) {
  const lines = indexed(ecommerceOrder?.lineItems ?? [])
  const fulfillments = ecommerceOrder?.fulfillments ?? []
  const lists = fulfillments.flatMap((fulfillment) =>
    (fulfillment.fulfillmentLineItems ?? []).map(({ lineItemid }) => ({ lineItemid, fulfillment })),
  )
  const unlisted = deliveryOf(fulfillments)
  const listed = new Map<string, ReturnType<typeof deliveryOf>>()
  for (const [line, some] of grouped(lists, ({ lineItemid }) => lineItemid))
    if (line) listed.set(line, deliveryOf(some.map(({ fulfillment }) => fulfillment)))
  return returnLineItems.map((item) => {
    const line = lines.get(`id ${item.id}`) ?? lines.get(`sku ${item.sku}`)
    const delivery = listed.get(item.id ?? '') ?? listed.get(line?.id ?? '') ?? unlisted
    return {
      sku: item.sku,
      units: Number(String(item.quantity)),
      tags: new Set([...(item.productTags ?? []), ...(line?.productTags ?? [])].map(fold)),
      category: folded(item.primaryProductCategory || line?.primaryProductCategory),
      vendor: folded(item.productVendor || line?.productVendor),
      reason: folded(item.returnReasonCode),
      ...delivery,
    }
  })
}

function folded(word: string | null | undefined) {
  return word ? fold(word) : undefined
}

function indexed(lines: readonly OrderLine[]) {
  const index = new Map<string, OrderLine>()
  // Backwards, so that the first of several wins.
  for (const line of [...lines].reverse()) {
    if (line.sku) index.set(`sku ${line.sku}`, line)
    if (line.id) index.set(`id ${line.id}`, line)
  }
  return index
}

function deliveryOf(fulfillments: readonly Fulfillment[]) {
  const dates = fulfillments.flatMap(({ deliverAt }) => deliverAt || []).sort()
  const last = dates.at(-1)
  return {
    /** Days since the epoch; undefined where no delivery is known. */
    deliveredOn: last === undefined ? undefined : Date.parse(last) / DAY_MS,
    centers: [...new Set(fulfillments.map(({ fulfillmentCenter }) => fold(fulfillmentCenter)))],
  }
}

function itemMatcher({ tags, categories, vendors, reasons }: ItemTest): (item: Item) => boolean {
  const isAmong = (words: readonly string[] | undefined, own: Iterable<string | undefined>) =>
    !words || [...own].some((word) => word !== undefined && isOneOf(words, word))
  return (item) =>
    isAmong(tags, item.tags) &&
    isAmong(categories, [item.category]) &&
    isAmong(vendors, [item.vendor]) &&
    isAmong(reasons, [item.reason])
}

function testWords(test: ItemTest) {
  const parts = Object.entries({
    tag: test.tags,
    category: test.categories,
    vendor: test.vendors,
    reason: test.reasons,
  }).flatMap(([name, words]) => (words ? `${name} ${words.join(' or ')}` : []))
  return parts.join(', ') || 'any item'
}

const MAX_NAMED = 3

export interface RuleContext {
  rules: RuleFile
  rule: MethodRule
  /** Place of the rule in the file. */
  path: string
  subject: Subject
}

export function blockersOf(context: RuleContext): Reason[] {
  return [placeBlockers, itemBlockers, windowBlockers].flatMap((find) => find(context))
}

function placeBlockers({ rules, rule, path, subject }: RuleContext): Reason[] {
  const { country, postalCode, tier } = subject
  const reasons: Reason[] = []
  const service = rules.services[rule.service]
  const at = `services.${rule.service}`
  if (service && !service.countries.includes(country)) {
    const served = service.countries.join(', ')
    reasons.push({ rule: `${at}.countries`, text: `${service.name} serves ${served}, not ${country}` })
  }
  const start = service?.exceptPostalCodes?.[country]?.find((each) => postalCode.startsWith(postalForm(each)))
  if (start !== undefined) {
    reasons.push({
      rule: `${at}.exceptPostalCodes.${country}`,
      text: `${service?.name} does not serve ${country} ${start}…`,
    })
  }
  if (rule.countries && !rule.countries.includes(country)) {
    reasons.push({ rule: `${path}.countries`, text: `only from ${rule.countries.join(', ')}` })
  }
  if (rule.tiers && !isOneOf(rule.tiers, tier)) {
    reasons.push({ rule: `${path}.tiers`, text: `only for the tiers ${rule.tiers.join(', ')}` })
  }
  return reasons
}

function itemBlockers({ rules, rule, path, subject: { items } }: RuleContext): Reason[] {
  const against = (tests: readonly ItemTest[] | undefined, at: string) =>
    (tests ?? []).flatMap((test, i) => {
      const found = items.filter(itemMatcher(test))
      if (found.length === 0) return []
      return { rule: `${at}[${i}]`, text: `${named(found)}: excluded (${testWords(test)})` }
    })
  const reasons = [...against(rules.excluded, 'excluded'), ...against(rule.excluded, `${path}.excluded`)]
  if (rule.only) {
    const fits = rule.only.map(itemMatcher)
    const others = items.filter((item) => !fits.some((one) => one(item)))
    const wanted = rule.only.map(testWords).join('; ')
    if (others.length > 0)
      reasons.push({ rule: `${path}.only`, text: `${named(others)}: only for ${wanted}` })
  }
  return reasons
}

function windowBlockers({ rules, rule, path, subject }: RuleContext): Reason[] {
  const own = rule.window ?? rules.window
  const at = rule.window ? `${path}.window` : 'window'
  const special = (own.items ?? []).map(({ days, ...test }) => ({ days, fits: itemMatcher(test) }))
  const allowed = (item: Item) => special.find(({ fits }) => fits(item))?.days ?? own.days
  const late = subject.items.filter(
    (item) => item.deliveredOn !== undefined && subject.today - item.deliveredOn > allowed(item),
  )
  return [...grouped(late, allowed)]
    .sort(([a], [b]) => a - b)
    .map(([days, items]) => {
      const last = items.reduce((latest, { deliveredOn = 0 }) => Math.max(latest, deliveredOn), 0)
      const ended = new Date((last + days) * DAY_MS).toISOString().slice(0, 10)
      return {
        rule: at,
        text: `${named(items)}: ${counted(Number(days), 'day')} after delivery ended on ${ended}`,
      }
    })
}

/** Sorted, so that a reason does not depend on the order of the items. */
function named(items: readonly Item[]) {
  return firstOf([...new Set(items.map(({ sku }) => sku))].sort(), MAX_NAMED)
}
