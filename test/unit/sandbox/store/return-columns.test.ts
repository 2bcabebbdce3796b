import fc from 'fast-check'
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
    ['refunded, ever', { refunded: { from: -INFINITE, to: INFINITE } }, [14, 13, 12]],
    ['refunded ever, and a status', { status: 8, refunded: { from: 300, to: 700 } }, [12]],
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

describe('what changes', () => {
  const entry = (no: number): ColumnEntry => ({
    no,
    shop: no % 3,
    status: 0,
    created: no,
    updated: no,
    refunded: no % 4 === 0 ? [no] : [],
  })
  const FIRST = 50
  /** Starts just before a border of blocks, so that new returns cross it. */
  const COUNT = 8190
  const time = fc.oneof(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: FIRST, max: FIRST + 40 }))
  const range = fc.tuple(time, time).map(([a, b]) => ({ from: Math.min(a, b), to: Math.max(a, b) }))
  const change = fc.record({
    /** Position, or beyond the end for a new return. */
    at: fc.oneof(fc.nat(40), fc.nat(COUNT + 20), fc.integer({ min: COUNT - 3, max: COUNT + 20 })),
    status: fc.nat(2),
    updated: time,
    refunded: fc.array(time, { maxLength: 3 }),
  })
  const filter = fc.record({
    shops: fc.constantFrom<number[]>([0, 1, 2], [1]),
    status: fc.constantFrom(undefined, undefined, 0, 1),
    updated: fc.option(range, { nil: undefined }),
    refunded: fc.option(range, { nil: undefined }),
  })
  const base = Array.from({ length: COUNT }, (_, i) => entry(FIRST + i))

  test('is found as if it had been so from the start', () => {
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 1, maxLength: 30 }),
        fc.array(filter, { minLength: 1, maxLength: 4 }),
        (changes, filters) => {
          const all = [...base]
          const columns = columnsOf(all)
          const changed = new Map<number, ColumnEntry>()
          for (const [i, { at, ...values }] of changes.entries()) {
            const position = Math.min(at, all.length)
            all[position] = { ...entry(FIRST + position), ...values }
            changed.set(position, all[position])
            if (i % 5 !== 0 && i !== changes.length - 1) continue
            columns.put([...changed.values()].sort((a, b) => a.no - b.no))
            changed.clear()
            // Searched between changes, so that counts are known and have to be forgotten.
            for (const wanted of filters) {
              const within = (range: { from: number; to: number } | undefined, times: readonly number[]) =>
                !range || times.some((t) => t >= range.from && t <= range.to)
              const expected = all
                .filter(
                  ({ shop, status }) => wanted.shops.includes(shop) && status === (wanted.status ?? status),
                )
                .filter(
                  ({ updated, refunded }) =>
                    within(wanted.updated, [updated]) && within(wanted.refunded, refunded),
                )
                .map(({ no }) => no)
                .reverse()
              expect(columns.search(wanted, 1, 50)).toEqual({
                total: expected.length,
                numbers: expected.slice(1, 51),
              })
            }
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('can be stored and read again', () => {
    const columns = columnsOf(base)
    columns.put([
      { ...entry(FIRST), updated: 90_000, refunded: [5, 80_000] },
      { ...entry(FIRST + 1), updated: 3 },
    ])
    const { first = 0, data = new Uint8Array() } = columns.blockOf(FIRST) ?? {}
    // What lies outside of all that there was before.
    for (const each of [columns, new ReturnColumns([readBlock(first, data)])]) {
      const numbers = (range: Partial<ReturnFilter>) =>
        each.search({ shops: [0, 1, 2], ...range }, 0, 9).numbers
      expect(numbers({ updated: { from: 90_000, to: INFINITE } })).toEqual([FIRST])
      expect(numbers({ updated: { from: 0, to: 3 } })).toEqual([FIRST + 1])
      expect(numbers({ refunded: { from: 80_000, to: INFINITE } })).toEqual([FIRST])
      expect(numbers({ refunded: { from: 0, to: 5 } })).toEqual([FIRST])
    }
    expect(columns.blockOf(FIRST + 20_000)).toBeUndefined()
  })

  test('in empty columns', () => {
    const columns = columnsOf([])
    columns.put([entry(7), entry(8)])
    expect(columns.search({ shops: [0, 1, 2] }, 0, 9)).toEqual({ total: 2, numbers: [8, 7] })
  })
})
