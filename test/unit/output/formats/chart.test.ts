import fc from 'fast-check'
import { expect, it } from 'vitest'
import { barText, lineChart } from '../../../../src/lib/output/formats/chart.ts'

it.each([
  [10, 10, 4, '████'],
  [5, 10, 4, '██'],
  [1, 16, 4, '▎'],
  [1, 1_000_000, 4, '▏'],
  [0, 10, 4, ''],
  [3, 0, 4, ''],
])('a bar of %d of %d in %d columns: %s', (value, greatest, columns, bar) => {
  expect(barText(value, greatest, columns)).toBe(bar)
})

it('lineChart draws a line through the values, starting at zero', () => {
  const options = { from: 'Mon', to: 'Sun', columns: 20, rows: 4 }
  expect(lineChart({ values: [0, 3, 3, 1], ...options })).toEqual([
    '3 ┤    ╭───────╮',
    '  ┤    │       │',
    '  ┤    │       ╰───',
    '0 ┤────╯',
    '   Mon          Sun',
  ])
})

it('lineChart fits any number of values into its columns', () => {
  const values = fc.array(fc.nat(10_000), { minLength: 1, maxLength: 400 })
  fc.assert(
    fc.property(values, fc.integer({ min: 30, max: 90 }), (all, columns) => {
      const lines = lineChart({ values: all, from: 'a', to: 'b', columns, rows: 5 })
      expect(lines).toHaveLength(6)
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
    }),
    { numRuns: 50 },
  )
})
