import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openMirror } from '../../../../src/lib/mirror/store/open.ts'
import { DEFAULT_CHOICES, writeValue } from '../../../../src/lib/mirror/store/state.ts'
import { syncMirror } from '../../../../src/lib/mirror/sync/sync.ts'
import { newFolder } from '../../../helpers/files.ts'
import { eachReturn } from '../../../helpers/mirror-home.ts'
import { eventAfter, eventfulPlatform, NOTHING } from '../../../helpers/model-platform.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const folder = newFolder()
let files = 0

/** Events before an answer; seconds pass, or more than the overlap of two syncs. */
const event = eventAfter(fc.oneof({ weight: 12, arbitrary: fc.nat(3) }, fc.constant(400)))
const quirks = fc.constantFrom(
  {},
  {},
  { tellsNoTime: true },
  { ignoresUpdatedFrom: true },
  { isUnsorted: true },
  { ignoresCreated: true, ignoresUpdatedFrom: true },
)

it('the mirror has each lasting return once, whatever happens meanwhile, kills included', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 40 }),
      fc.integer({ min: 2, max: 7 }),
      fc.array(event, { maxLength: 25 }),
      quirks,
      fc.option(fc.nat(12)),
      async (gaps, pageSize, events, quirk, endsAfter) => {
        const platform = eventfulPlatform(quirk, gaps, events)
        platform.nowMs += 1000
        files += 1
        const mirror = await openMirror({ file: join(folder, `${files}.db`) })
        // Asking for transports would notice what is gone, too.
        await writeValue(mirror.db, 'choices', {
          ...DEFAULT_CHOICES,
          transports: false,
          refunds: false,
        })
        const options = { mirror, source: platform, clock: { now: () => platform.nowMs }, pageSize }
        const sync = async (stopAfter = Number.POSITIVE_INFINITY) => {
          for await (const progress of syncMirror(options)) {
            if (progress.phase === 'done') return progress.summary
            stopAfter -= 1
            if (stopAfter < 0) break
          }
          return undefined
        }
        if (endsAfter !== null) await sync(endsAfter)
        // Returns created in the second in which a sync begins are left to the next one.
        platform.nowMs += 2000
        const before = new Set(valuesOf(platform.returns, 'id'))
        const report = await sync()
        const first = await held()
        const known = new Set(valuesOf(platform.returns, 'id'))
        for (const id of before) if (known.has(id)) expect(valuesOf(first, 'id')).toContain(id)
        expect(new Set(valuesOf(first, 'id')).size).toBe(first.length)
        expect(report?.held).toBe(first.length)
        // Now that nothing happens any more, all is there and as it is, nothing else, and that is known.
        platform.happening = () => {}
        platform.nowMs += 3000
        const second = await sync()
        expect(second?.isComplete).toBe(true)
        expect(second?.platformTotal).toBe(platform.returns.length)
        const byId = (one: { id?: unknown }, other: { id?: unknown }) => Number(one.id) - Number(other.id)
        expect((await held()).sort(byId)).toEqual([...platform.returns].sort(byId))
        await mirror.db.destroy()

        async function held() {
          const records = []
          for await (const { record } of eachReturn(mirror)) records.push(record)
          return records
        }
      },
    ),
    {
      numRuns: 25,
      examples: [
        // Its order shows only when changes are asked for; what is copied then is deleted at once.
        [
          [0],
          2,
          [NOTHING, NOTHING, { ...NOTHING, added: 2 }, NOTHING, NOTHING, { ...NOTHING, deleted: [2] }],
          { isUnsorted: true },
          null,
        ],
        // Pages seem sorted, as all on them is of one second, and as many are deleted as are missed.
        [
          [0],
          2,
          [
            { ...NOTHING, seconds: 1, added: 2 },
            { ...NOTHING, added: 1 },
            { ...NOTHING, added: 3, deleted: [93_524_278] },
            { ...NOTHING, added: 1, deleted: [85_708_589] },
            { ...NOTHING, added: 2 },
          ],
          { isUnsorted: true },
          3,
        ],
        // It was ended in its first copy, and added to before the next one.
        [
          [1, 1, 1],
          2,
          [NOTHING, NOTHING, { ...NOTHING, seconds: 400, added: 1 }],
          { ignoresUpdatedFrom: true },
          0,
        ],
      ],
    },
  )
})

it('a change of a return that is too old is not copied', async () => {
  const platform = eventfulPlatform({}, [0], [])
  const mirror = await openMirror({ file: join(folder, 'old.db') })
  await writeValue(mirror.db, 'choices', { ...DEFAULT_CHOICES, keepDays: 30 })
  const sync = async () => {
    platform.nowMs += 60_000
    const options = { mirror, source: platform, clock: { now: () => platform.nowMs } }
    for await (const step of syncMirror(options)) if (step.phase === 'done') return step.summary
    return undefined
  }
  platform.nowMs += 40 * 86_400_000
  platform.add()
  expect(await sync()).toMatchObject({ added: 1, removed: 0, held: 1 })
  platform.change(0)
  expect(await sync()).toMatchObject({ kind: 'changes', added: 0, removed: 0, held: 1 })
  await mirror.db.destroy()
})
