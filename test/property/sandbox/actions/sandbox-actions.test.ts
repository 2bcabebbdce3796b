import fc from 'fast-check'
import { expect, test } from 'vitest'
import { clientOf, testSandbox } from '../../../helpers/sandbox-client.ts'

const DAY = 86_400

/** All that there is to see after the clock was moved in these steps. */
async function after(steps: readonly number[]) {
  const { sandbox } = await testSandbox({ returns: 60 })
  for (const step of steps) await sandbox.control.advance(step)
  // With a token of that time.
  const { allReturns, transportsOf, refundsOf } = clientOf(sandbox)
  const all: unknown[] = []
  for (const record of await allReturns()) {
    all.push([record, await transportsOf(record), await refundsOf(record)])
  }
  sandbox.close()
  return all
}

test('advancing in several steps gives the same result as in one', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(fc.nat(40 * DAY), fc.nat(3600)), { minLength: 2, maxLength: 6 }),
      async (steps) => {
        const sum = steps.reduce((total, step) => total + step, 0)
        expect(await after(steps)).toEqual(await after([sum]))
      },
    ),
    { numRuns: 12 },
  )
})
