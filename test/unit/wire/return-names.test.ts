import { expect, test } from 'vitest'
import { beginsAsName, canonicalName, isPlainName, nameForms } from '../../../src/lib/wire/return-names.ts'

test.each([
  ['LU105189', ['R#-LU105189'], ['LU105189'], true],
  [' #LU105189 ', ['R#-LU105189'], ['LU105189', '#LU105189'], false],
  ['lu105189', ['R#-lu105189', 'R#-LU105189'], ['lu105189', 'LU105189'], true],
  ['R#-LU105189', ['R#-LU105189'], [], false],
  ['r#-lu105189', ['r#-lu105189', 'R#-lu105189', 'R#-LU105189'], [], false],
  ['R#LU105189-2', ['R#LU105189-2', 'R#-LU105189-2'], [], false],
  ['P#R#LULU105189', [], [], false],
  ['', [], [], false],
  ['R#-', [], [], false],
])('%j', (text, names, orders, isIdLike) => {
  expect(nameForms(text)).toMatchObject({ names, orders, isIdLike })
})

test('the id that a label was made under says its return and its transport', () => {
  expect(nameForms('R#-LU105189-2-T77').labelId).toEqual({ name: 'R#-LU105189-2', transportId: '77' })
  for (const text of ['LU105189-T77', '#LU105189-T77', 'lu105189-t77', 'R#LU105189-T77'])
    expect(nameForms(text).labelId).toEqual({ name: 'R#-LU105189', transportId: '77' })
  expect(nameForms('LU105189').labelId).toBeUndefined()
  expect(['R#-LU1', 'R#-LU1-T7', 'r#-LU1', 'LU1'].map(isPlainName)).toEqual([true, false, false, false])
  expect(['R#-LU1', 'R#-LU1-T7', 'r#-LU1', 'LU1'].map(beginsAsName)).toEqual([true, true, false, false])
})

test('a loose name is that of its return, in the case that it was written in', () => {
  expect(['LU1', '#LU1', 'r#-LU1', 'R#-LU1', 'lu1', '', 'R#-LU1-T7'].map(canonicalName)).toEqual([
    'R#-LU1',
    'R#-LU1',
    'R#-LU1',
    'R#-LU1',
    'R#-lu1',
    '',
    'R#-LU1-T7',
  ])
})
