import { expect, test } from 'vitest'
import { amountText } from '../../../src/lib/wire/money.ts'

/** Digits of a currency by `Intl`; undefined for an impossible code. */
function digitsOf(currency: string) {
  try {
    const format = new Intl.NumberFormat('en', { style: 'currency', currency })
    return format.resolvedOptions().minimumFractionDigits ?? 0
  } catch {
    return 0
  }
}

test('an amount has the digits of its currency, known or not, in any letter case', () => {
  const codes = [...Intl.supportedValuesOf('currency'), 'jpy', 'Kwd', 'ZZZ', 'EURO', 'E1R', '€', 'ſſſ']
  for (const code of codes) {
    const digits = digitsOf(code)
    expect(amountText(7, code)).toBe(`7${digits === 0 ? '' : '.'}${'0'.repeat(digits)} ${code}`)
  }
})

test('the digits that were sent are kept, and none are made up without a currency', () => {
  expect(amountText('12.3456', 'EUR')).toBe('12.3456 EUR')
  expect(amountText(12.5, 'EUR')).toBe('12.50 EUR')
  expect(amountText('1e3', 'EUR')).toBe('1e3 EUR')
  expect([amountText(7, undefined), amountText(7, ''), amountText(null, 'EUR')]).toEqual(['7', '7', ''])
})
