import { expect, test } from 'vitest'
import { convert, divideRounded, toMajor } from '../../../../src/lib/sandbox/returns/amounts.ts'

test.each([
  [1999, 1_000_000, 'EUR', 'EUR', 1999],
  [1995, 1_170_000, 'GBP', 'EUR', 2334],
  [1000, 6_100, 'JPY', 'EUR', 610],
  [1, 163_934_426, 'EUR', 'JPY', 2],
  [50, 10_000, 'USD', 'EUR', 1],
  [49, 10_000, 'USD', 'EUR', 0],
  [99_999_999, 232_000, 'PLN', 'EUR', 23_200_000],
])('%i at %i ppm from %s to %s is %i', (minor, rate, from, to, expected) => {
  expect(convert(minor, rate, from, to)).toBe(expected)
})

test.each([
  [5, 2, 3],
  [4, 3, 1],
  [9_007_199_254_740_000, 10, 900_719_925_474_000],
])('%i / %i rounds to %i', (dividend, divisor, expected) => {
  expect(divideRounded(dividend, divisor)).toBe(expected)
})

test.each([
  [1999, 'EUR', 19.99],
  [1999, 'JPY', 1999],
  [29, 'USD', 0.29],
])('%i minor units of %s are written %d', (minor, currency, expected) => {
  expect(toMajor(minor, currency)).toBe(expected)
})
