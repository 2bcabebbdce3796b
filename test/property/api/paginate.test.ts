import fc from 'fast-check'
import { expect, it } from 'vitest'
import { paginateReturns, type ResultChange } from '../../../src/lib/api/paginate.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

/** Between two requests: how many records arrive on top, and which vanish (as parts of the way down). */
const change = fc.oneof(
  fc.record({ inserts: fc.nat(12), deletes: fc.constant([]) }),
  fc.record({
    inserts: fc.constant(0),
    deletes: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { maxLength: 12 }),
  }),
)

it('no record comes twice, and every lasting one comes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.integer({ min: 1, max: 9 }),
      fc.array(change, { maxLength: 30 }),
      async (size, pageSize, changes) => {
        const original = times(size, (index) => ({ id: `old${index}` }))
        let state = [...original]
        let calls = 0
        const fetchPage = async (page: number, limit: number) => {
          const { inserts = 0, deletes = [] } = calls === 0 ? {} : (changes[calls - 1] ?? {})
          calls += 1
          state = [...times(inserts, (index) => ({ id: `new${calls}-${index}` })), ...state]
          for (const part of deletes) state.splice(Math.floor(part * state.length), 1)
          const records = state.slice((page - 1) * limit, page * limit)
          return { records, totalRecords: state.length, totalPages: Math.ceil(state.length / limit) }
        }
        const moved: ResultChange[] = []
        const ids: string[] = []
        for await (const { id } of paginateReturns(fetchPage, {
          pageSize,
          onResultChanged: (info) => moved.push(info),
        }))
          ids.push(id)

        expect(new Set(ids).size).toBe(ids.length)
        const stable = valuesOf(
          original.filter((record) => state.includes(record)),
          'id',
        )
        expect(ids).toEqual(expect.arrayContaining(stable))
        if (ids.length !== state.length) expect(moved).toHaveLength(1)
      },
    ),
    { numRuns: 1000 },
  )
})
