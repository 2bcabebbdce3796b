import { describe, expect, test } from 'vitest'
import { type ColumnEntry, ColumnWriter, readBlock } from '../../../../src/lib/sandbox/store/column-blocks.ts'
import { ReturnColumns, type ReturnFilter } from '../../../../src/lib/sandbox/store/return-columns.ts'

function columnsOf(entries: readonly ColumnEntry[]): ReturnColumns {
  const blocks: ReturnType<typeof readBlock>[] = []
  // From an odd address, as the driver may give it.
  const writer = new ColumnWriter((first, data) => {
    const shifted = new Uint8Array(data.length + 1)
    shifted.set(data, 1)
    blocks.push(readBlock(first, shifted.subarray(1)))
  })
  for (const entry of entries) writer.add(entry)
  writer.flush()
  return new ReturnColumns(blocks)
}

const FOUR = columnsOf([
  { no: 11, shop: 0, status: 0, created: 100, updated: 150, refunded: [] },
  { no: 12, shop: 1, status: 8, created: 200, updated: 900, refunded: [300, 700] },
  { no: 13, shop: 15, status: 5, created: 300, updated: 300, refunded: [500] },
  { no: 14, shop: 0, status: 5, created: 400, updated: 420, refunded: [410, 411, 412] },
])
const EVERY = [0, 1, 15]
const INFINITE = Number.POSITIVE_INFINITY

describe('a filter', () => {
  test.each<[string, Partial<ReturnFilter>, number[]]>([
    ['nothing', {}, [14, 13, 12, 11]],
    ['one shop', { shops: [15] }, [13]],
    ['no shop', { shops: [] }, []],
    ['a status', { status: 5 }, [14, 13]],
    ['the last status of a shop, not the next shop', { shops: [0], status: 8 }, []],
    ['created, both ends', { created: { from: 200, to: 300 } }, [13, 12]],
    ['created, just inside', { created: { from: 201, to: 299 } }, []],
    ['created from', { created: { from: 300, to: INFINITE } }, [14, 13]],
    ['created to', { created: { from: -INFINITE, to: 100 } }, [11]],
    ['updated, both ends', { updated: { from: 150, to: 420 } }, [14, 13, 11]],
    ['updated, all', { updated: { from: 150, to: 900 } }, [14, 13, 12, 11]],
    ['updated, all but the last', { updated: { from: 150, to: 899 } }, [14, 13, 11]],
    ['updated, all but the first', { updated: { from: 151, to: 900 } }, [14, 13, 12]],
    ['refunded, the first of two', { refunded: { from: 300, to: 300 } }, [12]],
    ['refunded, between two', { refunded: { from: 301, to: 409 } }, []],
    ['refunded, several times, once', { refunded: { from: 411, to: 500 } }, [14, 13]],
    ['refunded, before any', { refunded: { from: 0, to: 299 } }, []],
    ['refunded, after any', { refunded: { from: 701, to: 900 } }, []],
    ['some numbers', { among: [14, 11, 99] }, [14, 11]],
    ['no number', { among: [] }, []],
    [
      'everything at once',
      { shops: [0, 1], status: 5, created: { from: 400, to: 400 }, among: [13, 14] },
      [14],
    ],
  ])('by %s', (_, filter, expected) => {
    expect(FOUR.search({ shops: EVERY, ...filter }, 0, 10)).toEqual({
      total: expected.length,
      numbers: expected,
    })
  })
})

describe('over several blocks', () => {
  const SIZE = 20_000
  const many = columnsOf(
    Array.from({ length: SIZE }, (_, i) => ({
      no: i + 1,
      shop: i % 3,
      status: i % 2,
      created: i,
      updated: SIZE - i,
      refunded: i % 5 === 0 ? [i] : [],
    })),
  )

  test.each([
    [0, 3, [20_000, 19_999, 19_998]],
    [11_806, 4, [8194, 8193, 8192, 8191]],
    [19_998, 5, [2, 1]],
    [20_000, 5, []],
  ])('after %i, %i', (skip, limit, numbers) => {
    // Twice: the second time the counts are known.
    for (let i = 0; i < 2; i++) {
      expect(many.search({ shops: [0, 1, 2] }, skip, limit)).toEqual({ total: SIZE, numbers })
    }
  })

  test('searches are not taken for one another, however many there were', () => {
    for (let round = 0; round < 2; round++) {
      for (let to = 100; to < 200; to++) {
        const { total } = many.search({ shops: [0, 1, 2], created: { from: 0, to } }, 0, 1)
        expect(total).toBe(to + 1)
      }
    }
    expect(many.search({ shops: [0] }, 0, 0).total).toBe(6667)
    expect(many.search({ shops: [1] }, 0, 0).total).toBe(6667)
    expect(many.search({ shops: [2], status: 0 }, 0, 0).total).toBe(3333)
    expect(many.search({ shops: [0, 1, 2], updated: { from: 1, to: 10 } }, 0, 0).total).toBe(10)
    expect(many.search({ shops: [0, 1, 2], refunded: { from: 1, to: 10 } }, 0, 0).total).toBe(2)
  })
})

test('without any return', () => {
  expect(columnsOf([]).search({ shops: EVERY }, 0, 10)).toEqual({ total: 0, numbers: [] })
})
