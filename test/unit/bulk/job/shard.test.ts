import { expect, it } from 'vitest'
import { parseShard, shardOf } from '../../../../src/lib/bulk/job/shard.ts'
import { times } from '../../../helpers/values-of.ts'

it.each([
  ['1/1', { index: 1, of: 1 }],
  ['3/8', { index: 3, of: 8 }],
  [' 8/8 ', { index: 8, of: 8 }],
  ['10000/10000', { index: 10_000, of: 10_000 }],
])('parseShard reads %s', (text, shard) => expect(parseShard(text)).toEqual(shard))

it.each(['', '3', '0/8', '9/8', '1/0', '-1/8', '1/8/2', '1.5/8', '1 of 8', '1/10001', 'a/b', '1/'])(
  'parseShard refuses %j',
  (text) => expect(() => parseShard(text)).toThrow(expect.objectContaining({ kind: 'usage' })),
)

it('a part number 0 is refused with the advice to add one', () => {
  expect(() => parseShard('0/8')).toThrow(
    expect.objectContaining({ hints: expect.arrayContaining([expect.stringContaining('add one')]) }),
  )
})

// These may never change: parts of one file may be sent by different versions.
it.each([
  ['R#-1001', 8, 1],
  ['R#-1002', 8, 1],
  ['R#-1003', 8, 6],
  ['R#-ä空😀', 8, 1],
  ['', 8, 4],
  ['R#-1001', 3, 3],
  ['R#-1001', 10000, 4425],
])('the row %j in %i parts is in part %i', (key, of, part) => expect(shardOf(key, of)).toBe(part))

it.each([2, 3, 8, 16])('%i parts are about even, for names that differ only at the end', (of) => {
  const counts = times(of, () => 0)
  for (let order = 0; order < 16_000; order++) {
    const part = shardOf(`R#-${order}`, of)
    counts[part - 1] = (counts[part - 1] ?? 0) + 1
  }
  expect(counts.reduce((sum, count) => sum + count)).toBe(16_000)
  for (const count of counts) expect(Math.abs(count - 16_000 / of)).toBeLessThan(0.1 * (16_000 / of))
})
