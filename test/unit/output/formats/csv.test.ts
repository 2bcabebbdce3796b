import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { csvRow } from '../../../../src/lib/output/formats/csv.ts'

test.each([
  ['plain', 'plain'],
  ['a,b', '"a,b"'],
  ['say "hi"', '"say ""hi"""'],
  ['two\nlines', '"two\nlines"'],
  [' padded ', '" padded "'],
  ['', ''],
  [null, ''],
  [undefined, ''],
  [12.5, '12.5'],
  [-3, '-3'],
  [true, 'true'],
  [new LosslessNumber('12345678901234567890'), '12345678901234567890'],
  [{ a: [1, 'x'] }, '"{""a"":[1,""x""]}"'],
  // A spreadsheet would run these.
  ['=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r=1"`],
  ['+1+cmd', "'+1+cmd"],
  ['-2+3', "'-2+3"],
  ['+A1', "'+A1"],
  ['-', "'-"],
  ['＝1', "'＝1"],
  // Phones and numbers.
  ['+34 600 123 456', '+34 600 123 456'],
  ['+34.600.123', '+34.600.123'],
  ['-12.50', '-12.50'],
  ['a=b', 'a=b'],
])('the cell %j is written as %j', (cell, text) => {
  expect(csvRow([cell])).toBe(`${text}\r\n`)
})

test('cells are parted by commas', () => {
  expect(csvRow(['a', '', 'c'])).toBe('a,,c\r\n')
})
