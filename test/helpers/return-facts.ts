import pMap from 'p-map'
import { expect } from 'vitest'
import type { ReturnFacts } from '../../src/lib/insight/case.ts'
import type { Sandbox } from '../../src/lib/sandbox/index.ts'
import { clientOf } from './sandbox-client.ts'

/** Returns the sandbox's full record of each return. */
export async function factsIn(sandbox: Sandbox): Promise<ReturnFacts[]> {
  const { allReturns, transportsOf, refundsOf } = clientOf(sandbox)
  const read = async (record: ReturnFacts['record']) => ({
    record,
    transportations: await transportsOf(record),
    refunds: await refundsOf(record),
  })
  return pMap(await allReturns(), read, { concurrency: 8 })
}

/** Steps of a return, each some hours before the end; the first one creates it. */
export type Story = readonly (readonly [hoursBefore: number, step: object])[]

/** Plays stories interleaved by time, and advances the clock to the end. */
export async function tell(
  sandbox: Sandbox,
  shop: string,
  hoursInAll: number,
  stories: Readonly<Record<string, Story>>,
): Promise<void> {
  const due = Object.entries(stories).flatMap(([name, story]) =>
    story.map(([hoursBefore, step], position) => ({
      hoursBefore,
      step:
        position === 0
          ? { do: 'create', as: name, shop, orderName: name, ...step }
          : { return: name, ...step },
    })),
  )
  due.sort((a, b) => b.hoursBefore - a.hoursBefore)
  const steps: object[] = []
  let hours = hoursInAll
  for (const { hoursBefore, step } of [...due, { hoursBefore: 0, step: undefined }]) {
    if (hoursBefore < hours) steps.push({ do: 'advance', by: `${hours - hoursBefore}h` })
    if (step) steps.push(step)
    hours = hoursBefore
  }
  const played = await sandbox.play({ steps })
  expect(played.filter(({ outcome }) => outcome !== 'done')).toEqual([])
}
