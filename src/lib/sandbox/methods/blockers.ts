import { counted } from '../../wire/counted.ts'
import type { ItemTest, MethodRule, RuleFile } from './rules.ts'
import {
  type Item,
  isOneOf,
  itemMatcher,
  postalForm,
  type Reason,
  type Subject,
  testWords,
} from './subject.ts'

const MAX_NAMED = 3
const DAY_MS = 86_400_000

export function blockersOf(rules: RuleFile, rule: MethodRule, path: string, subject: Subject): Reason[] {
  return [
    ...placeBlockers(rules, rule, path, subject),
    ...itemBlockers(rules, rule, path, subject),
    ...windowBlockers(rules, rule, path, subject),
  ]
}

function placeBlockers(rules: RuleFile, rule: MethodRule, path: string, subject: Subject): Reason[] {
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

function itemBlockers(rules: RuleFile, rule: MethodRule, path: string, { items }: Subject): Reason[] {
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

function windowBlockers(rules: RuleFile, rule: MethodRule, path: string, subject: Subject): Reason[] {
  const own = rule.window ?? rules.window
  const at = rule.window ? `${path}.window` : 'window'
  const special = (own.items ?? []).map(({ days, ...test }) => ({ days, fits: itemMatcher(test) }))
  const late = new Map<number, Item[]>()
  for (const item of subject.items) {
    if (item.deliveredOn === undefined) continue
    const allowed = special.find(({ fits }) => fits(item))?.days ?? own.days
    if (subject.today - item.deliveredOn <= allowed) continue
    const others = late.get(allowed)
    if (others) others.push(item)
    else late.set(allowed, [item])
  }
  return [...late]
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
function named(items: readonly Item[]): string {
  const skus = [...new Set(items.map(({ sku }) => sku))].sort()
  const rest = skus.length - MAX_NAMED
  return skus.slice(0, MAX_NAMED).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
