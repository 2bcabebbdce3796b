import { pageInfoSchema, type Return } from '../../wire/returns.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec } from '../check.ts'
import { msOf, refusedQuery } from '../filtered.ts'
import { each, must, Skipped } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { seen } from '../probe.ts'

const ids = (records: readonly Return[]) => records.map(({ id }) => id)

const createdMs = ({ createdAt }: Return) => msOf(createdAt)

/** @throws Departure unless the page holds as many records as the total leaves for it */
async function mustHold(world: World, limit: number, page: number): Promise<string> {
  const { returns, totalRecords } = await world.list({ limit, page })
  const expected = Math.max(0, Math.min(limit, totalRecords - (page - 1) * limit))
  const observed = `page ${page} of ${totalRecords} records by ${limit} holds ${returns.length}`
  return must(returns.length === expected, observed)
}

const BAD_LIMITS = { over: '501', zero: '0', negative: '-1', fraction: '1.5', text: 'ten' }

/** Spec §4.7, §8. */
export const LIST_CHECKS: readonly Check[] = [
  operation(
    spec(
      'returns.container',
      '§2.1, §4.7',
      'GET /returns answers with returns (a list) and pageInfo (totalRecords, totalPages: whole numbers)',
      async (world) => {
        const { returns, totalRecords, totalPages, pageInfo } = await world.list()
        mustFit(pageInfoSchema, [pageInfo], 'pageInfo')
        return `${returns.length} of ${totalRecords} returns, ${totalPages} pages`
      },
    ),
  ),
  spec(
    'returns.default-size',
    '§8',
    'Without parameters: the last 100 returns, or all if there are fewer',
    async (world) => {
      const { returns, totalRecords } = await world.list()
      const observed = `${returns.length} records of ${totalRecords}`
      return must(returns.length === Math.min(100, totalRecords), observed)
    },
  ),
  spec('returns.default-newest', '§4.7', 'Without parameters: those created last', async (world) => {
    const [{ returns }, all] = [await world.list(), await world.sample()]
    const oldest = Math.min(...returns.map(createdMs))
    const shown = new Set(ids(returns))
    const others = all.filter(({ id }) => !shown.has(id))
    const newer = others.find((record) => createdMs(record) > oldest)
    must(newer === undefined, `${newer?.name} of ${newer?.createdAt} is newer, but not among them`)
    return `the ${others.length} others are older`
  }),
  assumed('returns.order', '§4.7', 'Newest first', async (world) => {
    const all = await world.sample()
    return each(all.slice(1), 'neighbours', (record) => {
      const before = all[all.indexOf(record) - 1]
      return before && createdMs(before) < createdMs(record)
        ? `${before.createdAt} before ${record.createdAt}`
        : undefined
    })
  }),
  spec('returns.limit-min', '§4.7', 'limit=1 gives one record', (world) => mustHold(world, 1, 1)),
  spec('returns.limit-max', '§8', 'limit=500 is accepted, and gives so many if there are', (world) =>
    mustHold(world, 500, 1),
  ),
  spec('returns.limit-cap', '§8', 'There are never more than 500 records in a page', async (world) => {
    const answer = await world.returns({ limit: 501 })
    if (answer.status !== 200) return seen(answer)
    const { returns, totalRecords } = await world.list({ limit: 501 })
    if (totalRecords <= 500) throw new Skipped(`there are only ${totalRecords} returns`)
    return must(returns.length <= 500, `${returns.length} records with limit=501`)
  }),
  ...Object.entries(BAD_LIMITS).map(([name, limit]) =>
    refusedQuery(`returns.limit-${name}`, '§8', `limit=${limit}`, { limit }),
  ),
  spec(
    'returns.page-arithmetic',
    '§2.1',
    'totalPages is totalRecords divided by limit, rounded up',
    async (world) => {
      const limits = [1, 7, 100, 500]
      const pages = []
      for (const limit of limits) pages.push({ limit, ...(await world.list({ limit })) })
      return each(pages, 'limits', ({ limit, totalRecords, totalPages }) =>
        totalPages === Math.ceil(totalRecords / limit)
          ? undefined
          : `${totalPages} pages of ${totalRecords} records by ${limit}`,
      )
    },
  ),
  spec('returns.total', '§2.1', 'totalRecords does not depend on limit and page', async (world) => {
    const totals = []
    for (const query of [{}, { limit: 1 }, { limit: 500 }, { limit: 7, page: 2 }]) {
      totals.push((await world.list(query)).totalRecords)
    }
    must(new Set(totals).size === 1, totals.join(', '))
    return `${totals[0]} each time`
  }),
  spec('returns.pages', '§4.7', 'Pages follow each other without gap or overlap', async (world) => {
    const whole = ids((await world.list({ limit: 21 })).returns)
    const parts: Return['id'][] = []
    for (const page of [1, 2, 3]) parts.push(...ids((await world.list({ limit: 7, page })).returns))
    if (whole.length < 8) throw new Skipped(`there are only ${whole.length} returns`)
    const twice = parts.find((id, index) => parts.indexOf(id) !== index)
    must(twice === undefined, `${twice} is on two pages`)
    must(parts.join() === whole.join(), `pages of 7 hold other records than one of 21`)
    return `${parts.length} records in 3 pages`
  }),
  spec('returns.last-page', '§4.7', 'The last page holds what is left', async (world) =>
    mustHold(world, 7, Math.max(1, (await world.list({ limit: 7 })).totalPages)),
  ),
  assumed('returns.beyond-last-page', '§4.7', 'A page after the last is empty', async (world) =>
    mustHold(world, 7, (await world.list({ limit: 7 })).totalPages + 1),
  ),
  refusedQuery('returns.page-0', '§4.7', 'Pages count from 1: page=0', { page: '0' }),
]
