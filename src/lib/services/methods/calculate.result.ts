import { Money } from '../../output/formats/cell.ts'
import type { View } from '../../output/view.ts'
import { numberText } from '../../wire/json.ts'
import type { MethodExplanation, ReturnMethod } from '../../wire/methods.ts'
import { amountText } from '../../wire/money.ts'
import { joinParts, objectsIn } from '../../wire/raw.ts'

export const methodsView: View<ReturnMethod> = {
  columns: [
    { name: 'method', path: 'code' },
    {
      name: 'carrier',
      value: (m) => m.carrierService?.carrierDisplayName || m.carrierService?.code,
      flexible: true,
    },
    {
      name: 'carrier-service',
      header: 'SERVICE',
      path: 'carrierService.code',
      identifies: true,
    },
    { name: 'fee', value: feeOf, kind: 'money' },
    { name: 'refund', path: 'refundMode', words: 'refundMode' },
    { name: 'label', value: labelOf },
    { name: 'promotions', header: 'PROMOTION', value: promotionsOf, flexible: true },
    { name: 'destination', header: 'TO', value: destinationOf, flexible: true },
  ],
  extra: [
    { name: 'type', path: 'serviceType' },
    { name: 'amount', path: 'returnFee', kind: 'number' },
    { name: 'currency', path: 'currencyCode' },
    'refund-mode',
    { name: 'label-free', header: 'LABEL-FREE', path: 'isLabelFree' },
    { name: 'priority', kind: 'number' },
    'visible',
    { name: 'destination-code', path: 'destinationLocation.code' },
  ],
  leastImportant: ['destination', 'label'],
  schema: async () => (await import('../../wire/methods.ts')).returnMethodSchema,
  empty: 'No return method fits',
}

export const methodExplanationsView: View<MethodExplanation> = {
  columns: [
    { name: 'method', path: 'code' },
    { name: 'offered', value: (e) => (e.offered ? 'yes' : 'no') },
    { name: 'why', value: (e) => ofReasons(e, 'text').join('; '), flexible: true },
  ],
  extra: [{ name: 'rules', value: (e) => joinParts(ofReasons(e, 'rule')) }],
  schema: async () => (await import('../../wire/methods.ts')).methodExplanationSchema,
  empty: 'The shop has no rules for return methods',
}

function feeOf({ returnFee, currencyCode }: ReturnMethod): unknown {
  const isFree = /^0+(?:\.0+)?$/.test(numberText(returnFee))
  return isFree ? 'free' : new Money(returnFee, currencyCode)
}

function labelOf({ isLabelFree }: ReturnMethod): string {
  if (typeof isLabelFree !== 'boolean') return ''
  return isLabelFree ? 'no' : 'needed'
}

function promotionsOf({ promotions, currencyCode }: ReturnMethod) {
  return objectsIn(promotions)
    .map(({ promoType, promoAmount }) => {
      const amount = numberText(promoAmount)
      if (promoType === 'DISCOUNT_COUPON_FIXED') return `${amountText(promoAmount, currencyCode)} off`.trim()
      if (promoType === 'DISCOUNT_COUPON_PERCENTAGE') return `${amount} % off`
      if (promoType === 'PRIORITY_REFUND') return 'fast refund'
      return joinParts([numberText(promoType), amount], ' ')
    })
    .join(', ')
}

function destinationOf({ destinationLocation }: ReturnMethod) {
  const { city, countryCode, fullName, code } = destinationLocation ?? {}
  return joinParts([city || fullName || code, countryCode].map(numberText))
}

function ofReasons({ reasons }: MethodExplanation, part: 'rule' | 'text') {
  return objectsIn(reasons).map((reason) => numberText(reason[part]))
}
