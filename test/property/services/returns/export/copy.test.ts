import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ExportCopy } from '../../../../../src/lib/services/returns/export/copy.ts'
import { Spool } from '../../../../../src/lib/services/returns/export/spool.ts'
import { newFolder } from '../../../../helpers/files.ts'
import {
  eventAfter,
  eventfulPlatform,
  type ModelPlatform,
  NOTHING,
} from '../../../../helpers/model-platform.ts'
import { times, valuesOf } from '../../../../helpers/values-of.ts'

const folder = newFolder()
let files = 0

/** Events before an answer; seconds pass. */
const event = eventAfter(fc.nat(3))
const quirks = fc.constantFrom({}, {}, { tellsNoTime: true }, { isUnsorted: true }, { ignoresCreated: true })

/** More in a second than a page holds, on a platform that answers with later ones too: they came twice. */
const CROWDED = [
  { ...NOTHING, added: 3 },
  { ...NOTHING, seconds: 1 },
  { ...NOTHING, seconds: 2 },
  { ...NOTHING, added: 1 },
]

/** Killed before the look at what the first page left out, where a deletion makes up for that in the counts. */
const LOOK_LOST = [
  { ...NOTHING, deleted: [857432794] },
  { ...NOTHING, deleted: [0] },
]

/** A deletion between counts of the comparison. */
const deletedAfter = (answers: number) => [...times(answers, () => NOTHING), { ...NOTHING, deleted: [0] }]

it('an export has each lasting return once, even after kills, and knows when it is complete', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 40 }),
      fc.integer({ min: 2, max: 7 }),
      fc.array(event, { maxLength: 25 }),
      quirks,
      fc.array(fc.nat(6), { maxLength: 3 }),
      async (gaps, pageSize, events, quirk, kills) => {
        const platform = eventfulPlatform(quirk, gaps, events)
        platform.nowMs += 3000
        const throughout = new Set(valuesOf(platform.returns, 'id'))
        files += 1
        const path = join(folder, `${files}.partial`)
        const header = {
          ...{
            rmaExport: 1 as const,
            platform: 'model',
            shop: null,
            merchant: { shops: [] },
            filters: {},
            query: {},
            startedAt: '',
          },
          untilMs: platform.nowMs,
        }
        /** Ends like the command. A killed one does not. */
        const run = async (dieAfter = Number.POSITIVE_INFINITY) => {
          const begun = await Spool.reopen(path)
          const spool = begun ?? (await Spool.create(path, header))
          let answers = 0
          const source = {
            page: (query: Parameters<ModelPlatform['page']>[0]) => {
              answers += 1
              return answers > dieAfter ? Promise.reject(new Error('killed')) : platform.page(query)
            },
          }
          const copy = new ExportCopy({ source, spool, filter: {}, pageSize })
          const proof = await copy.run().catch(() => undefined)
          const ids = []
          for await (const { id } of copy.records()) ids.push(id)
          await spool.close()
          return { proof, ids }
        }
        for (const dieAfter of kills) await run(dieAfter)
        const { ids, proof } = await run()
        const there = new Set(valuesOf(platform.returns, 'id'))
        for (const id of throughout) if (there.has(id)) expect(ids).toContain(id)
        expect(new Set(ids).size).toBe(ids.length)
        if (kills.length === 0 && events.length === 0) expect(proof?.isComplete).toBe(true)
        if (proof?.isComplete) expect(proof.totalRecords).toBe(proof.counted)
        // Once nothing happens any more, the same file can be proven.
        platform.happening = () => {}
        const still = await run()
        expect(still.proof).toMatchObject({ isComplete: true, differences: [] })
        for (const id of throughout) expect([id, still.ids.includes(id)]).toEqual([id, there.has(id)])
      },
    ),
    {
      numRuns: 25,
      examples: [
        [[], 2, CROWDED, { ignoresCreated: true }, []],
        [[0, 0, 1, 1], 2, LOOK_LOST, { isUnsorted: true }, [1]],
        ...[2, 3, 4, 5, 6].map(
          (answers): [number[], number, ReturnType<typeof deletedAfter>, object, number[]] => [
            [0, 0, 1, 1],
            7,
            deletedAfter(answers),
            {},
            [],
          ],
        ),
      ],
    },
  )
})
