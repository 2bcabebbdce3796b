import { expect, test } from 'vitest'
import {
  displayWidth,
  padEnd,
  prepareWidths,
  truncate,
  wrapMessage,
  wrapText,
  wrapWords,
} from '../../../src/lib/output/width.ts'

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

test.each([
  ['ab cd ef', 5, ['ab cd', 'ef'], ['ab cd', 'ef']],
  ['ab cd', 5, ['ab cd'], ['ab cd']],
  ['a  b cde', 4, ['a  b', 'cde'], ['a  b', 'cde']],
  ['abcdef gh', 4, ['abcdef', 'gh'], ['abcd', 'ef', 'gh']],
  ['北京市 北京', 5, ['北京市', '北京'], ['北京', '市', '北京']],
  ['e\u0301e\u0301e\u0301', 2, ['e\u0301e\u0301e\u0301'], ['e\u0301e\u0301', 'e\u0301']],
  ['北', 1, ['北'], ['北']],
  ['rma mirror sync', 6, ['rma mirror sync'], ['rma', 'mirror', 'sync']],
  ['', 3, [''], ['']],
])('%j on lines of %i columns', (text, width, words, lines) => {
  expect(wrapWords(text, width)).toEqual(words)
  expect(wrapText(text, width)).toEqual(lines)
})

test.each([
  ['ab cd ef', 8, 'ab cd ef'],
  ['ab cd ef', 7, 'ab cd\n  ef'],
  ['  ab cd\nef gh', 7, '  ab cd\nef gh'],
  ['  ab cd\nef gh', 6, '  ab\n    cd\nef gh'],
  ['ab 👩👩 cd', 9, 'ab 👩👩\n  cd'],
  ['ab 👩👩 cd', 8, 'ab\n  👩👩\n  cd'],
  ['e\u0301e\u0301 ab cd', 9, 'e\u0301e\u0301 ab\n  cd'],
  ['{"ab": "cd ef"}', 4, '{"ab": "cd ef"}'],
])('the message %j on a terminal of %i columns is %j', (text, width, lines) => {
  expect(wrapMessage(text, width)).toBe(lines)
})
