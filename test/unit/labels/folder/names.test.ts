import { expect, it } from 'vitest'
import {
  labelFileName,
  returnStem,
  shipmentStem,
  stemOfFile,
} from '../../../../src/lib/labels/folder/names.ts'

const name = (clientShipmentId: string, parcel = 1, parcels = 1, isCode = false) =>
  labelFileName(shipmentStem(clientShipmentId), { parcel, parcels, isCode }, 'PDF')

it.each([
  ['SHP-10482-1', 'SHP-10482-1.pdf'],
  ['1001', '1001.pdf'],
  ['R#-1001', 'R-1001.pdf'],
  ['R#-1001-2', 'R-1001-2.pdf'],
  ['R#-1001-2-T77', 'R-1001-2.T77.pdf'],
])('the label id %s is used unchanged as a name', (id, expected) => {
  expect(name(id)).toBe(expected)
})

it.each([
  ['R#-1001-Tx7', 'R-1001-Tx7'],
  ['R-1001', 'R-1001'],
  ['ship-1', 'ship-1'],
  ['../../etc/passwd', 'etc-passwd'],
  ['C:\\Windows\\x', 'C-Windows-x'],
  ['P#R#SHOP1001', 'P-R-SHOP1001'],
  ['a\0b\n\x1b[31m', 'a-b-31m'],
  ['Ünal 7', 'Unal-7'],
  ['返品', 'label'],
  ['', 'label'],
  ['..', 'label'],
  ['NUL', 'label-NUL'],
  ['com1', 'label-com1'],
  ['COM¹', 'label-COM1'],
  ['NUL.T1', 'NUL-T1'],
  ['CON ', 'label-CON'],
  ['SHP-1.', 'SHP-1'],
  ['A-1OF2', 'A-1OF2'],
  ['A'.repeat(81), 'A{80}'],
])('the label id %j becomes a file name: %s with a digest', (id, expected) => {
  expect(name(id)).toMatch(new RegExp(`^${expected}\\.[0-9a-f]{10}\\.pdf$`))
})

it('names of label files number parcels and mark codes', () => {
  expect(name('SHP-1', 2, 3)).toBe('SHP-1-2of3.pdf')
  expect(name('SHP-1', 2, 3, true)).toBe('SHP-1-2of3-code.pdf')
  expect(labelFileName('SHP-1', { parcel: 1, parcels: 1, isCode: true }, 'PNG')).toBe('SHP-1-code.png')
})

it('the file of a return is named after the return alone, and can be read back', () => {
  expect(returnStem('R#-LU105193-T10000119002')).toBe('R-LU105193')
  expect(returnStem('SHP-1')).toBe('SHP-1')
  const names = ['R-LU1-1of2.pdf', 'R-LU1-2-1of2-code.png', 'R-LU1.T77.zpl', 'x/y/ship-1.5e1bb2ba9d.pdf']
  expect(names.map(stemOfFile)).toEqual(['R-LU1', 'R-LU1-2', 'R-LU1.T77', 'x/y/ship-1.5e1bb2ba9d'])
})
