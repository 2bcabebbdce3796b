import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ChangeFeed, type FeedState } from '../../../../../src/lib/services/returns/watch/change-feed.ts'
import { stringifyJson } from '../../../../../src/lib/wire/json.ts'
import { ModelPlatform } from '../../../../helpers/model-platform.ts'

/** Events between two looks; hours may pass. */
const round = fc.record({
  seconds: fc.oneof(fc.nat(90), fc.nat(5000)),
  added: fc.nat(4),
  changed: fc.array(fc.nat(), { maxLength: 4 }),
  /** Which of the changes told are refused, and come again. */
  refused: fc.array(fc.nat(7), { maxLength: 2 }),
  restarts: fc.boolean(),
})
const quirks = fc.constantFrom({}, {}, { ignoresUpdatedFrom: true }, { isUnsorted: true })

it('the feed reports each state once, over restarts, and repeats refused ones until accepted', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(round, { maxLength: 12 }), quirks, async (rounds, quirk) => {
      const platform = new ModelPlatform(quirk)
      for (let one = 0; one < 5; one += 1) platform.add()
      const open = (state: FeedState) =>
        new ChangeFeed({
          ...{ source: platform, filter: {}, state, maxChanges: 6 },
          clock: { now: () => platform.nowMs },
        })
      let feed = open({ markMs: null, seen: [] })
      expect(await feed.poll()).toEqual([])
      feed.moveMark()
      const told = new Set(platform.returns.map((one) => stringifyJson(one)))
      const look = async (refused: readonly number[]) => {
        do {
          let last = 0
          for (const [index, { record, change }] of (await feed.poll()).entries()) {
            expect(change.changedMs).toBeGreaterThanOrEqual(last)
            last = change.changedMs
            if (refused.includes(index)) feed.hold(change)
            else {
              const state = stringifyJson(record)
              expect(told).not.toContain(state)
              told.add(state)
              feed.settle(change)
            }
          }
          feed.moveMark()
        } while (feed.isBehind && refused.length === 0)
      }
      for (const { seconds, added, changed, refused, restarts } of rounds) {
        for (let one = 0; one < added; one += 1) platform.add()
        platform.nowMs += seconds * 1000
        for (const index of changed) platform.change(index)
        if (restarts) feed = open(JSON.parse(JSON.stringify(feed.state)))
        await look(refused)
      }
      await look([])
      for (const record of platform.returns) expect(told).toContain(stringifyJson(record))
      platform.nowMs += 3_600_000
      await look([])
      expect(feed.state.seen).toEqual([])
    }),
    { numRuns: 30 },
  )
})

const START_MS = Date.parse('2026-11-20T10:00:00Z')
const MINUTE_MS = 60_000

/** A platform whose returns change at these minutes, and one look at it, which refuses the return `poison`. */
function watched(maxChanges: number) {
  const platform = new ModelPlatform({})
  platform.nowMs = START_MS
  const add = (minute: number) =>
    platform.add({ updatedAt: new Date(START_MS + minute * MINUTE_MS).toISOString() })
  const clock = { now: () => platform.nowMs }
  const state = { markMs: null, seen: [] }
  const fromMs = START_MS - 60 * MINUTE_MS
  const feed = new ChangeFeed({ source: platform, filter: {}, state, fromMs, clock, maxChanges })
  const look = async (poison?: string | null) => {
    const taken: unknown[] = []
    for (const { record, change } of await feed.poll()) {
      if (record.id === poison) feed.hold(change)
      else {
        feed.settle(change)
        taken.push(record.id)
      }
    }
    feed.moveMark()
    return taken
  }
  return { platform, add, look, feed }
}

it('a change that stays refused does not hide the changes after it, and is tried after a pause', async () => {
  const { platform, add, look, feed } = watched(6)
  for (let minute = 0; minute < 300; minute += 15) add(minute)
  platform.nowMs += 300 * MINUTE_MS
  const [poison, ...others] = platform.returns.map(({ id }) => id)
  const taken: unknown[] = []
  for (let one = 0; one < 10; one += 1) {
    taken.push(...(await look(poison)))
    expect(feed.isBehind).toBe(false)
  }
  expect(taken.sort()).toEqual(others.sort())
})

it('a refused change that the platform showed late brings back no earlier one', async () => {
  const { add, look, platform } = watched(100)
  add(-7)
  expect(await look()).toHaveLength(1)
  add(-4)
  const late = platform.returns[1]?.id
  for (let one = 0; one < 3; one += 1) expect(await look(late)).toEqual([])
  expect(await look()).toEqual([late])
})

it('the feed reports no unchanged return without a date of change, however long it watches', async () => {
  const platform = new ModelPlatform({ ignoresUpdatedFrom: true })
  platform.add({ updatedAt: null })
  const clock = { now: () => platform.nowMs }
  const feed = new ChangeFeed({ source: platform, filter: {}, state: { markMs: null, seen: [] }, clock })
  for (let minute = 0; minute < 12; minute += 1) {
    platform.nowMs += 60_000
    expect(await feed.poll()).toEqual([])
    feed.moveMark()
  }
})
