import Big from 'big.js'
import type { MethodExplanation, MethodsRequest } from '../../wire/methods.ts'
import { fold, type Item, itemsOf } from './items.ts'
import type { FeeRule } from './rules.ts'

export type Reason = MethodExplanation['reasons'][number]

const DAY_MS = 86_400_000

export interface Subject {
  currency: string
  country: string
  postalCode: string
  tier: string
  items: readonly Item[]
  units: number
  reasons: ReadonlySet<string | undefined>
  spent: Readonly<Record<NonNullable<FeeRule['by']>, Big>>
  /** Days since the epoch. */
  today: number
}

/** `now` in ms since the epoch. */
export function subjectOf(request: MethodsRequest, now: number): Subject {
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
    today: Math.floor(now / DAY_MS),
  }
}

export function postalForm(code: string): string {
  return code.replace(/[\s-]/g, '').toUpperCase()
}

interface RequestTest {
  countries?: readonly string[] | undefined
  tiers?: readonly string[] | undefined
  reasons?: readonly string[] | undefined
}

/** Whether everything given fits; `reasons` have to be those of every item. */
export function fitsRequest({ countries, tiers, reasons }: RequestTest, subject: Subject): boolean {
  if (countries && !countries.includes(subject.country)) return false
  if (tiers && !isOneOf(tiers, subject.tier)) return false
  return !reasons || [...subject.reasons].every((each) => each !== undefined && isOneOf(reasons, each))
}

export function isOneOf(words: readonly string[], word: string): boolean {
  return words.some((each) => fold(each) === fold(word))
}
