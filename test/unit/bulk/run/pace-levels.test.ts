import { expect, it } from 'vitest'
import { PaceLevels } from '../../../../src/lib/bulk/run/pace-levels.ts'

const PRICE = 3

/** Two paces that have stood: 20, and 10 since a cut. */
function known(): PaceLevels {
  const levels = new PaceLevels()
  stand(levels, 20)
  levels.cut()
  stand(levels, 10)
  return levels
}

function stand(levels: PaceLevels, pace: number): void {
  for (let accepted = 0; accepted <= PRICE; accepted++) levels.held(pace, PRICE)
}

it('tries the higher pace from below, and the first refusal leads back to where the trial began', () => {
  const levels = known()
  expect(levels.isBelow(10)).toBe(true)
  expect(levels.isOfTrial(500)).toBe(false)
  expect(levels.grows(11, 500)).toBe(true)
  expect(levels.grows(14, 600)).toBe(true)
  expect(levels.fallTo(14, 1)).toBe(11)
  expect([levels.isOfTrial(499), levels.isOfTrial(500)]).toEqual([false, true])
})

it('falls from the higher pace to the lower at two refusals', () => {
  const levels = known()
  expect(levels.grows(11, 500)).toBe(true)
  levels.reached()
  expect(levels.fallTo(20, 1)).toBeUndefined()
  expect(levels.fallTo(20, 2)).toBe(11)
})

it('falls half-way from a pace that has grown beyond both', () => {
  const levels = known()
  expect(levels.grows(45, 500)).toBe(false)
  expect(levels.fallTo(45, 1)).toBeUndefined()
  expect(levels.fallTo(45, 2)).toBe(30)
  expect(levels.fallTo(21, 2)).toBeCloseTo(Math.sqrt(20 * 21), 9)
})

it('counts the pace before a pause as one that stood', () => {
  const levels = new PaceLevels()
  levels.paused(200)
  expect(levels.isBelow(30)).toBe(true)
  levels.forget()
  expect(levels.isBelow(30)).toBe(false)
})
