import { expect, it } from 'vitest'
import { pageSizeFor, paginateReturns, type ResultChange } from '../../../src/lib/api/paginate.ts'
import { times } from '../../helpers/values-of.ts'

type PaginateOptions = Parameters<typeof paginateReturns>[1]
type Page<T extends object> = Awaited<ReturnType<Parameters<typeof paginateReturns<T>>[0]>>

interface Item {
  id?: string
  name?: string
  shopCode?: string
}

const items = (from: number, to: number): Item[] => times(to - from, (index) => ({ id: `r${from + index}` }))

/** Pages that state the same totals; each begins where the one before ends. */
const pagesOf = (totalRecords: number, totalPages: number, ...ends: number[]) =>
  ends.slice(1).map((to, at) => ({ records: items(ends[at] ?? 0, to), totalRecords, totalPages }))

/** Pages of fixed items, whatever is asked for after the last of them is empty. */
async function run(pages: Page<Item>[], options: Partial<PaginateOptions> = {}) {
  const asked: [page: number, limit: number][] = []
  const moved: ResultChange[] = []
  const fetchPage = async (page: number, limit: number) => {
    asked.push([page, limit])
    return pages[page - 1] ?? { records: [] }
  }
  const found: Item[] = []
  const all = { pageSize: 3, onResultChanged: (info: ResultChange) => moved.push(info), ...options }
  for await (const item of paginateReturns<Item>(fetchPage, all)) found.push(item)
  return {
    found,
    asked: asked.map(([page]) => page),
    limits: new Set(asked.map(([, limit]) => limit)),
    moved,
  }
}

it.each<[string, Page<Item>[], number[], number]>([
  ['ends at a short page', [{ records: items(0, 3) }, { records: items(3, 5) }], [1, 2], 5],
  ['ends at an empty page', [{ records: items(0, 3) }], [1, 2], 3],
  ['ends at once with nothing', [{ records: [], totalRecords: 0, totalPages: 0 }], [1], 0],
  ['asks for no page beyond the last', pagesOf(3, 1, 0, 3), [1], 3],
  ['goes on where the service caps the page size', pagesOf(4, 2, 0, 2, 4), [1, 2], 4],
  [
    'goes on where the service caps the page size, but counts pages of the size asked for',
    pagesOf(5, 2, 0, 2, 4, 5),
    [1, 2, 3],
    5,
  ],
  ['goes on where the number of pages is too small', pagesOf(5, 1, 0, 3, 5), [1, 2], 5],
])('paginateReturns: %s', async (_, pages, expectedPages, count) => {
  const { found, asked, limits, moved } = await run(pages)
  expect(found).toEqual(items(0, count))
  expect(asked).toEqual(expectedPages)
  expect([...limits]).toEqual([3])
  expect(moved).toEqual([])
})

it('paging stops at the number wanted, without asking for more', async () => {
  const pages = pagesOf(12, 4, 0, 3, 6, 9, 12)
  expect(await run(pages, { maxRecords: 5 })).toMatchObject({
    found: items(0, 5),
    asked: [1, 2],
    moved: [],
  })
  expect(await run(pages, { maxRecords: 6 })).toMatchObject({ found: items(0, 6), asked: [1, 2] })
  expect(await run(pages, { maxRecords: 0 })).toMatchObject({ found: [], asked: [] })
})

it('duplicates are dropped, and the moved set is reported', async () => {
  const { found, moved } = await run([...pagesOf(5, 2, 0, 3), ...pagesOf(6, 2, 2, 5)])
  expect(found).toEqual(items(0, 5))
  expect(moved).toEqual([{ duplicates: 1, firstTotal: 5, lastTotal: 6, emitted: 5 }])
})

it('fewer records than announced are reported', async () => {
  const { moved } = await run(pagesOf(7, 1, 0, 2))
  expect(moved).toEqual([{ duplicates: 0, firstTotal: 7, lastTotal: 7, emitted: 2 }])
})

it.each([{}, { totalRecords: 9e9, totalPages: 3e9 }])(
  'paging ends when the same page repeats for ever: %o',
  async (totals) => {
    let calls = 0
    const moved: ResultChange[] = []
    const fetchPage = async () => {
      calls += 1
      return { records: items(0, 3), ...totals }
    }
    const found: Item[] = []
    for await (const item of paginateReturns<Item>(fetchPage, {
      pageSize: 3,
      onResultChanged: (info) => moved.push(info),
    })) {
      found.push(item)
    }
    expect(found).toEqual(items(0, 3))
    expect(moved).toMatchObject([{ duplicates: 3 }])
    expect(calls).toBe(2)
  },
)

it.each([1, 1_000, -1])('paging ends even when the total changes by %s with every page', async (step) => {
  let total = 5_000
  let calls = 0
  const fetchPage = async () => {
    calls += 1
    total += step
    return { records: items(0, 3), totalRecords: total, totalPages: total }
  }
  for await (const _ of paginateReturns<Item>(fetchPage, { pageSize: 3 }));
  expect(calls).toBeLessThan(120)
})

it('only one page is fetched ahead', async () => {
  const asked: number[] = []
  const fetchPage = async (page: number) => {
    asked.push(page)
    return { records: items(page * 3, page * 3 + 3) }
  }
  const iterator = paginateReturns<Item>(fetchPage, { pageSize: 3 })
  await iterator.next()
  expect(asked).toEqual([1, 2])
  await iterator.next()
  await iterator.next()
  expect(asked).toEqual([1, 2])
  await iterator.next()
  expect(asked).toEqual([1, 2, 3])
  await iterator.return()
})

it('a page is handed on before the next one fails, and a reader that stopped sees no failure', async () => {
  const fetchPage = async (page: number) => {
    if (page === 2) throw new Error('page 2')
    return { records: items(0, 3) }
  }
  const found: Item[] = []
  const reading = async () => {
    for await (const item of paginateReturns<Item>(fetchPage, { pageSize: 3 })) found.push(item)
  }
  await expect(reading()).rejects.toThrow('page 2')
  expect(found).toHaveLength(3)
  for await (const _ of paginateReturns<Item>(fetchPage, { pageSize: 3 })) break
})

it('records without an id are compared by shop and name, or as a whole', async () => {
  const records = [{ name: 'R#-1', shopCode: 'a' }, { name: 'R#-1', shopCode: 'b' }, { sku: 1 }]
  const { found } = await run([{ records }, { records: [...records.slice(0, 2), { sku: 2 } as Item] }])
  expect(found).toEqual([...records, { sku: 2 }])
})

it.each([
  [1, 1],
  [500, 500],
  [501, 251],
  [1_000, 500],
  [1_200, 400],
])('pageSizeFor(%s) is %s', (limit, size) => {
  expect(pageSizeFor(limit)).toBe(size)
})
