import { expect, it } from 'vitest'
import type { PageQuery } from '../../../src/lib/walk/page-source.ts'
import { Unsorted, walkByDate } from '../../../src/lib/walk/walk.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'

const START_MS = Date.parse('2026-04-01T10:00:00Z')
const at = (seconds: number) =>
  ({ id: `${seconds}`, createdAt: new Date(START_MS + seconds * 1000).toISOString() }) as Return

/** Walks over returns created after these seconds, two a page; `between` changes them after the first page. */
async function walked(seconds: number[], between: (seconds: number[]) => number[]) {
  let held = seconds
  const queries: PageQuery[] = []
  const source = {
    page: async (query: PageQuery) => {
      queries.push(query)
      const { createdFromMs = 0, createdToMs = Number.POSITIVE_INFINITY, limit } = query
      const fits = held.filter((second) => {
        const ms = START_MS + second * 1000
        return ms >= createdFromMs && ms <= createdToMs
      })
      const page = { records: fits.slice(0, limit).map(at), totalRecords: fits.length }
      if (queries.length === 1) held = between(held)
      return { ...page, nowMs: START_MS + 1_000_000 }
    },
  }
  const ids = new Set<string>()
  for await (const { records } of walkByDate({ source, filter: {}, pageSize: 2 }, undefined))
    for (const { id } of records) if (id) ids.add(id)
  return [...ids]
}

it('a walk by date continues when a return further down has disappeared', async () => {
  expect(await walked([400, 300, 200, 100], (held) => held.slice(0, 3))).toEqual(['400', '300', '200'])
})

it('a walk by date ends with an error when an unsorted platform holds a return back', async () => {
  await expect(walked([400, 300, 350, 100], (held) => held)).rejects.toBeInstanceOf(Unsorted)
})
