import { describe, expect, it } from 'vitest'
import { labelFileName } from '../../../src/lib/labels/safe-names.ts'

const name = (clientShipmentId: string, parcel = 1, parcels = 1, isCode = false) =>
  labelFileName({ clientShipmentId, parcel, parcels, isCode }, 'PDF')

describe('labelFileName', () => {
  it.each([
    ['SHP-10482-1', 'SHP-10482-1.pdf'],
    ['1001', '1001.pdf'],
    ['R#-1001', 'R-1001.pdf'],
    ['R#-1001-2', 'R-1001-2.pdf'],
  ])('%s is a name as it is', (id, expected) => {
    expect(name(id)).toBe(expected)
  })

  it.each([
    ['R-1001', /^R-1001\.[0-9a-f]{10}\.pdf$/],
    ['ship-1', /^ship-1\.[0-9a-f]{10}\.pdf$/],
    ['../../etc/passwd', /^etc-passwd\.[0-9a-f]{10}\.pdf$/],
    ['C:\\Windows\\x', /^C-Windows-x\.[0-9a-f]{10}\.pdf$/],
    ['P#R#SHOP1001', /^P-R-SHOP1001\.[0-9a-f]{10}\.pdf$/],
    ['a\0b\n\x1b[31m', /^a-b-31m\.[0-9a-f]{10}\.pdf$/],
    ['Ünal 7', /^Unal-7\.[0-9a-f]{10}\.pdf$/],
    ['返品', /^label\.[0-9a-f]{10}\.pdf$/],
    ['', /^label\.[0-9a-f]{10}\.pdf$/],
    ['..', /^label\.[0-9a-f]{10}\.pdf$/],
    ['NUL', /^label-NUL\.[0-9a-f]{10}\.pdf$/],
    ['com1', /^label-com1\.[0-9a-f]{10}\.pdf$/],
    ['COM¹', /^label-COM1\.[0-9a-f]{10}\.pdf$/],
    ['A-1OF2', /^A-1OF2\.[0-9a-f]{10}\.pdf$/],
    ['A'.repeat(81), /^A{80}\.[0-9a-f]{10}\.pdf$/],
  ])('%j becomes one', (id, expected) => {
    expect(name(id)).toMatch(expected)
  })

  it('numbers parcels, and tells codes from labels', () => {
    expect(name('SHP-1', 2, 3)).toBe('SHP-1-2of3.pdf')
    expect(name('SHP-1', 2, 3, true)).toBe('SHP-1-2of3-code.pdf')
    expect(labelFileName({ clientShipmentId: 'SHP-1', parcel: 1, parcels: 1, isCode: true }, 'PNG')).toBe(
      'SHP-1-code.png',
    )
  })
})
