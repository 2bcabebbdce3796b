import { describe, expect, it } from 'vitest'
import { Governor } from '../../../../src/lib/bulk/run/governor.ts'
import { caseOf, MODELS } from '../../../helpers/pace/cases.ts'
import { simulate } from '../../../helpers/pace/simulation.ts'
import { misses } from '../../../helpers/pace/table.ts'

// All paces, latencies and ways to state a wait: test/system/pace-page.test.ts.
describe.each([20, 200] as const)('against a service that grants %i a second', (perSecond) => {
  it.each(MODELS)('$name: within both goals', async (model) => {
    const one = caseOf(model, perSecond, 50, model.statings.at(-1) ?? 'none', 7)
    const outcome = await simulate(one)
    expect(outcome.succeeded).toBe(one.rows)
    expect({ ...outcome, isMissed: misses(one, outcome) }).toMatchObject({ isMissed: false })
  })
})

describe('little time is lost', () => {
  it.each([
    {
      what: 'a full window of a second',
      name: 'fixed window of a second',
      latencyMs: 50,
      stating: 'rounded',
      ratio: 1.06,
    },
    {
      what: 'the last rows',
      name: 'sliding window of a second',
      latencyMs: 5,
      stating: 'rounded',
      ratio: 1.06,
    },
    { what: 'an outage', name: 'all refused for 30 s', latencyMs: 300, stating: 'none', ratio: 1.08 },
  ] as const)('behind $what at 1,000 a second', async ({ name, latencyMs, stating, ratio }) => {
    const model = MODELS.find((one) => one.name === name)!
    for (const seed of [1, 9]) {
      expect((await simulate(caseOf(model, 1000, latencyMs, stating, seed))).ratio).toBeLessThan(ratio)
    }
  })

  it('by trials of a higher pace, which refuse little where many are under way', async () => {
    const model = MODELS.find(({ name }) => name === 'half taken by another, in turns')!
    for (const seed of [1, 2, 9]) {
      const { ratio, refusedShare } = await simulate(caseOf(model, 200, 300, 'exact', seed))
      expect(ratio).toBeLessThan(1.09)
      expect(refusedShare).toBeLessThan(0.032)
    }
  })
})

describe('what was delivered tells too little', () => {
  it.each([
    { name: 'token bucket of a tenth, empty', perSecond: 5, latencyMs: 5, stating: 'none', ratio: 1.15 },
    { name: 'sliding window of a minute', perSecond: 200, latencyMs: 300, stating: 'exact', ratio: 1.065 },
  ] as const)('$name, $perSecond a second: the pace is found again', async (one) => {
    const model = MODELS.find(({ name }) => name === one.name)!
    for (const seed of [1, 9]) {
      const outcome = await simulate(caseOf(model, one.perSecond, one.latencyMs, one.stating, seed))
      expect(outcome.ratio).toBeLessThan(one.ratio)
    }
  })

  it('all are refused at first: their latency tells how many a second these were', () => {
    const governor = new Governor({ concurrency: 8 })
    for (let underWay = 1; underWay <= 6; underWay++) governor.sent(1000, underWay)
    for (let answer = 1; answer <= 5; answer++) governor.refused(1050, 1000, undefined)
    governor.sent(1050, 2)
    // A quarter of six in 50 ms.
    expect(governor.readyAt() - 1050).toBeCloseTo(1000 / 30, 0)
  })

  it('a refusal takes 1.2 parts of a price from the pace, and a price of acceptances gives them back', () => {
    const governor = new Governor({ concurrency: 8 })
    let now = 0
    const perSecond = () => {
      now += 1000
      governor.sent(now, 1)
      return 1000 / (governor.readyAt() - now)
    }
    const accepted = (count: number) => {
      for (let answer = 0; answer < count; answer++) {
        now += 200
        governor.accepted(now, now)
      }
    }
    // The first cut leaves it searching; the second one finds it.
    for (let cut = 0; cut < 2; cut++) {
      accepted(30)
      for (let answer = 0; answer < 5; answer++) governor.refused(now, now, undefined)
    }
    accepted(1)
    const found = perSecond()
    // The acceptance after the cut has given a little already.
    const price = (6 * found) / (1 + 1.2 / (6 * found) ** 2)
    governor.refused(now, now, undefined)
    expect(perSecond() / found).toBeCloseTo(1 - 1.2 / price, 4)
    accepted(Math.round(price))
    expect(perSecond() / found).toBeCloseTo(1, 2)
  })
})
