import { expect, it } from 'vitest'
import { readBitmap, zplGraphic } from '../../../../src/lib/labels/zpl/graphic.ts'

/** The data of a graphic of one row. */
function dataOf(hex: string) {
  const rows = Buffer.from(hex, 'hex')
  const [, data] =
    /\^GFA,(?:\d+,){3}(.*)\^FS/.exec(zplGraphic({ width: rows.length * 8, height: 1, rows })) ?? []
  return data ?? ''
}

/** `G` is 1, `Y` is 19, `g` is 20, `y` is 380 and `z` is 400. */
it.each([
  [2, 'HF'],
  [18, 'XF'],
  [19, 'YF'],
  [20, 'gF'],
  [21, 'gGF'],
  [39, 'gYF'],
  [40, 'hF'],
  [380, 'yF'],
  [399, 'yYF'],
  [400, 'zF'],
  [401, 'zGF'],
  [819, 'zzYF'],
])('a run of %i digits is %s', (count, expected) => {
  // An even number of digits in all.
  const [before, after] = count % 2 === 0 ? ['A', 'B'] : ['A', '']
  expect(dataOf(`${before}${'F'.repeat(count)}${after}`)).toBe(`${before}${expected}${after}`)
})

it('reads every run length back as it was', () => {
  for (let count = 1; count <= 850; count++) {
    const rows = Buffer.from(`${'F'.repeat(count)}${'A'.repeat(851 - count)}1`, 'hex')
    const data = dataOf(rows.toString('hex'))
    const read = readBitmap(data, rows.length, rows.length)
    expect(read.rows.toString('hex'), `${count} digits`).toBe(rows.toString('hex'))
  }
})

it('white to the end of a row is coded as a comma, and a repeated row as a colon', () => {
  const rows = Buffer.from('F0000000F0000000', 'hex')
  expect(zplGraphic({ width: 32, height: 2, rows })).toContain('^GFA,8,8,4,F,:^FS')
})
