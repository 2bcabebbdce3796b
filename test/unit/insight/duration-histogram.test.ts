import fc from 'fast-check'
import { expect, it } from 'vitest'
import { DurationHistogram } from '../../../src/lib/insight/duration-histogram.ts'

it('tells percentiles as sorting does, to the minute below 17 hours and to a 512th above', () => {
  const minutes = fc.array(fc.integer({ min: 0, max: 900_000 }), { minLength: 1, maxLength: 200 })
  fc.assert(
    fc.property(minutes, fc.integer({ min: 1, max: 100 }), (all, percent) => {
      const histogram = new DurationHistogram()
      for (const one of all) histogram.add(one)
      const sorted = all.toSorted((a, b) => a - b)
      const exact = sorted[Math.ceil((percent / 100) * all.length) - 1] ?? Number.NaN
      const told = histogram.percentile(percent) ?? Number.NaN
      expect(histogram.count).toBe(all.length)
      expect(told).toBeLessThanOrEqual(exact)
      expect(told).toBeGreaterThan(exact < 1024 ? exact - 1 : exact * (1 - 1 / 512))
    }),
    { numRuns: 200 },
  )
})

it('has no percentile without durations, and counts a negative one as 0', () => {
  const histogram = new DurationHistogram()
  expect(histogram.percentile(50)).toBeUndefined()
  histogram.add(-5)
  expect(histogram.percentile(50)).toBe(0)
})
