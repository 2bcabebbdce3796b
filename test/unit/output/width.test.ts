import { expect, test } from 'vitest'
import { displayWidth, padEnd, prepareWidths, truncate } from '../../../src/lib/output/width.ts'

await prepareWidths()

test.each([
  ['abc', 3],
  ['北京', 4],
  ['👩‍👩‍👧', 2],
  ['e\u0301', 1],
  ['', 0],
])('%j takes %i columns', (text, width) => {
  expect(displayWidth(text)).toBe(width)
})

test.each([
  ['abcdef', 6, 'abcdef'],
  ['abcdef', 5, 'abcd…'],
  ['北京市', 5, '北京…'],
  ['北京市', 4, '北…'],
  ['a👩‍👩‍👧b', 3, 'a…'],
  ['a👩‍👩‍👧bc', 4, 'a👩‍👩‍👧…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['abc', 1, '…'],
  ['abc', 0, ''],
])('%j cut to %i columns is %j', (text, width, cut) => {
  expect(truncate(text, width)).toBe(cut)
})

test('padding counts columns, not characters', () => {
  expect(padEnd('北', 4)).toBe('北  ')
  expect(padEnd('abc', 2)).toBe('abc')
})
