import { describe, expect, it } from 'vitest'
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
