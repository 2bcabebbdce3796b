import { numberText } from '../../wire/json.ts'
import type { MethodExplanation, ReturnMethod } from '../../wire/methods.ts'
import { amountText } from '../../wire/money.ts'
import { objectsIn } from '../../wire/raw.ts'
import { Money } from '../formats/cell.ts'
import type { View } from '../renderer.ts'

/** Spec §2.7. */
export const methodsView: View<ReturnMethod> = {
  columns: [
    { name: 'method', header: 'METHOD', value: (m) => m.code },
    { name: 'carrier', header: 'CARRIER', value: carrierOf, flexible: true },
    {
      name: 'carrier-service',
      header: 'SERVICE',
      value: (m) => m.carrierService?.code,
      identifies: true,
    },
    { name: 'fee', header: 'FEE', value: feeOf, kind: 'money' },
    { name: 'refund', header: 'REFUND', value: (m) => m.refundMode, words: 'refundMode' },
    { name: 'label', header: 'LABEL', value: labelOf },
    { name: 'promotions', header: 'PROMOTION', value: promotionsOf, flexible: true },
    { name: 'destination', header: 'TO', value: destinationOf, flexible: true },
  ],
  extra: [
    { name: 'type', header: 'TYPE', value: (m) => m.serviceType },
    { name: 'amount', header: 'AMOUNT', value: (m) => m.returnFee, kind: 'number' },
    { name: 'currency', header: 'CURRENCY', value: (m) => m.currencyCode },
    { name: 'refund-mode', header: 'REFUND MODE', value: (m) => m.refundMode },
    { name: 'label-free', header: 'LABEL-FREE', value: (m) => m.isLabelFree },
    { name: 'priority', header: 'PRIORITY', value: (m) => m.priority, kind: 'number' },
    { name: 'visible', header: 'VISIBLE', value: (m) => m.visible },
    { name: 'destination-code', header: 'DESTINATION CODE', value: (m) => m.destinationLocation?.code },
  ],
  leastImportant: ['destination', 'label'],
  paths: [
    'code',
    'serviceType',
    'currencyCode',
    'isLabelFree',
    'returnFee',
    'priority',
    'visible',
    'carrierService',
    'destinationLocation',
    'promotions',
    'refundMode',
  ],
  empty: 'No return method fits',
}

export const methodExplanationsView: View<MethodExplanation> = {
  columns: [
    { name: 'method', header: 'METHOD', value: (e) => e.code },
    { name: 'offered', header: 'OFFERED', value: (e) => (e.offered ? 'yes' : 'no') },
    { name: 'why', header: 'WHY', value: whyOf, flexible: true },
  ],
  extra: [{ name: 'rules', header: 'RULES', value: rulesOf }],
  paths: ['code', 'offered', 'reasons'],
  empty: 'The shop has no rules for return methods',
}

function carrierOf({ carrierService }: ReturnMethod): unknown {
  return carrierService?.carrierDisplayName || carrierService?.code
}

function feeOf({ returnFee, currencyCode }: ReturnMethod): unknown {
  const isFree = /^0+(?:\.0+)?$/.test(numberText(returnFee))
  return isFree ? 'free' : new Money(returnFee, currencyCode)
}

function labelOf({ isLabelFree }: ReturnMethod): string {
  if (typeof isLabelFree !== 'boolean') return ''
  return isLabelFree ? 'no' : 'needed'
}

function promotionsOf({ promotions, currencyCode }: ReturnMethod): string {
  return objectsIn(promotions)
    .map(({ promoType, promoAmount }) => {
      const amount = numberText(promoAmount)
      if (promoType === 'DISCOUNT_COUPON_FIXED') return `${amountText(promoAmount, currencyCode)} off`.trim()
      if (promoType === 'DISCOUNT_COUPON_PERCENTAGE') return `${amount} % off`
      if (promoType === 'PRIORITY_REFUND') return 'fast refund'
      return [numberText(promoType), amount].filter(Boolean).join(' ')
    })
    .join(', ')
}

function destinationOf({ destinationLocation }: ReturnMethod): string {
  const { city, countryCode, fullName, code } = destinationLocation ?? {}
  return [city || fullName || code, countryCode].map(numberText).filter(Boolean).join(', ')
}

function whyOf({ reasons }: MethodExplanation): string {
  return objectsIn(reasons)
    .map(({ text }) => numberText(text))
    .join('; ')
}

function rulesOf({ reasons }: MethodExplanation): string {
  return objectsIn(reasons)
    .map(({ rule }) => numberText(rule))
    .filter(Boolean)
    .join(', ')
}
