import { describe, expect, it } from 'vitest'
import { Pace } from '../../../../src/lib/bulk/run/pace.ts'
import { caseOf, MODELS, type Model } from '../../../helpers/pace/cases.ts'
import { moody, type Service, type ServiceOf } from '../../../helpers/pace/services.ts'
import { type Outcome, simulate } from '../../../helpers/pace/simulation.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const LATENCIES = [5, 50]
const LOOPBACK = [1]
const RUNS = 20

/** Twenty runs in virtual time, each with one stall, over all latencies and ways to state a wait. */
async function runsOf(model: Model, perSecond: number, latencies = LATENCIES, hasEarlyStall = false) {
  const outcomes: Outcome[] = []
  for (let seed = 1; seed <= RUNS; seed++) {
    const latencyMs = latencies[seed % latencies.length]!
    const stating = model.statings[Math.floor(seed / latencies.length) % model.statings.length]!
    const one = caseOf(model, { perSecond, latencyMs, stating, seed })
    const early = { at: 60 + 5 * seed, ms: 350, client: false }
    const outcome = await simulate({ ...one, stall: hasEarlyStall ? early : one.stall })
    expect(outcome.succeeded).toBe(one.rows)
    outcomes.push(outcome)
  }
  return outcomes
}

/** The value that this part of the numbers does not exceed. */
function quantile(numbers: number[], part: number) {
  return numbers.sort((one, other) => one - other)[Math.ceil(numbers.length * part) - 1]!
}

function expectNearIdeal(outcomes: Outcome[], model: Model, maxRefused = 0.08) {
  const ratios = valuesOf(outcomes, 'ratio')
  const refused = valuesOf(outcomes, 'refusedShare')
  expect(quantile(ratios, 0.5)).toBeLessThan(1.2)
  expect(quantile(ratios, 0.95)).toBeLessThan(1.4)
  if (model.kind === 'limit') expect(quantile(refused, 0.5)).toBeLessThan(maxRefused)
}

describe.each([20, 200])('at %i requests a second', (perSecond) => {
  // A service without a limit is the same at any rate.
  it.each(MODELS.filter(({ isUnlimited }) => !isUnlimited || perSecond === 200))(
    'keeps near the ideal time where the service is a $name',
    async (model) => {
      expectNearIdeal(await runsOf(model, perSecond), model)
    },
  )
})

const NAMES = ['token bucket of a second, full', 'token bucket of a tenth, full', 'fixed window of a second']
const RATE_LIMITS = MODELS.filter(({ name }) => NAMES.includes(name))

describe('at 1,000 requests a second over loopback', () => {
  it.each(RATE_LIMITS)('is near the ideal time with a $name', async (model) => {
    expectNearIdeal(await runsOf(model, 1000, LOOPBACK), model)
  })

  it.each(RATE_LIMITS)('recovers from a stall of the service at the start with a $name', async (model) => {
    expectNearIdeal(await runsOf(model, 1000, LOOPBACK, true), model)
  })
})

it.each(RATE_LIMITS)(
  'a pace at 2 requests a second keeps near the ideal time where the service is a $name',
  async (model) => {
    expectNearIdeal(await runsOf(model, 2), model, 0.1)
  },
)

/** Closed for the first 400 ms of each second. */
const shut: Service = {
  arrive: (now) => (now % 1000 < 400 ? { roomInMs: 400 - (now % 1000) } : 'accepted'),
}

it.each<[string, ServiceOf]>([
  ['20 % by chance', (_perSecond, random) => moody(0.2, random)],
  ['30 % by chance', (_perSecond, random) => moody(0.3, random)],
  ['all for a part of each second', () => shut],
])('refusals that the pace does not cause do not slow the job to a crawl: %s', async (_what, service) => {
  const setting = { stating: 'none', perSecond: 200, latencyMs: 10, rows: 20_000, concurrency: 16 } as const
  for (const seed of [1, 2, 3]) {
    const { succeeded, ms } = await simulate({ ...setting, service, seed })
    expect(succeeded).toBe(20_000)
    // All that 16 at once can take is 12.5 s.
    expect(ms).toBeLessThan(80_000)
  }
})

it('a single pace keeps a stated wait during an outage, and then sends one request at a time', () => {
  const pace = new Pace(8, undefined)
  for (let request = 1; request <= 4; request++) pace.sent(0, request)
  for (let answer = 1; answer <= 4; answer++) pace.refused(2000, 0, 3000)
  pace.sent(2000, 1)
  for (let answer = 1; answer <= 4; answer++) pace.refused(2001, 2000, 3000)
  // Whole seconds may be rounded up, so the first try is up to a second early.
  expect(pace.pausedUntil).toBe(4000)
  expect(pace.readyAt()).toBe(4000)
  expect(pace.concurrency).toBe(1)
  pace.sent(4000, 1)
  pace.accepted(4010, 4000)
  expect(pace.concurrency).toBeGreaterThan(1)
})

it('a single pace sends at once after a stall, without a cut', () => {
  const pace = new Pace(8, undefined)
  for (let now = 0; now < 3000; now += 5) {
    pace.sent(now, 1)
    pace.accepted(now + 2, now)
  }
  pace.sent(3000, 1)
  pace.accepted(3400, 3000)
  expect(pace.readyAt()).toBeLessThanOrEqual(3400)
})
