import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import { at, list, objectsIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { instantToWallTime } from '../../wire/time.ts'
import { type CheckedPlatform, type CheckRun, type FromPlatform, once, type Runs } from '../check.ts'
import { each, must, need, Skipped } from '../expect.ts'
import { msOf } from './list.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = 1000
/** Returns whose refunds are read: enough to find an executed one in most data. */
const REFUNDS_LOOKED_AT = 25

const wall = (ms: number) => instantToWallTime(ms, 'UTC')

const finds =
  (name: string, fieldOf: (record: Return) => string | null | undefined): CheckRun =>
  async (platform) => {
    const record = await platform.find(`with a value for ${name}`, fieldOf)
    const value = fieldOf(record) ?? ''
    return mustFind(platform, { [name]: value }, record, (found) => fieldOf(found) === value)
  }

const findsNoLonger =
  (filter: string, valuesOf: (record: Return) => string[]): CheckRun =>
  async (platform) => {
    const [value = ''] = valuesOf(await platform.any())
    const start = value.slice(0, -1)
    const { returns } = await platform.list({ [filter]: start })
    const longer = returns.filter((record) => !valuesOf(record).includes(start))
    return must(longer.length === 0, `${longer.length} other returns with ${filter}=${start}`)
  }

/** @param within true if a return's date is from `first` to before `end` */
function dateChecks(
  what: string,
  dated: FromPlatform<{ record: Return; at: number }>,
  within: (
    platform: CheckedPlatform,
    record: Return,
    first: number,
    end: number,
  ) => Promise<boolean> | boolean,
): Runs {
  const lookedAt = what === 'refunded' ? REFUNDS_LOOKED_AT : undefined
  const look =
    (before: number, after: number): CheckRun =>
    async (platform) => {
      const { record, at } = await dated(platform)
      const second = Math.floor(at / SECOND_MS) * SECOND_MS
      const [first, last] = [second - before, second + after]
      const query = {
        ...(Number.isFinite(first) && { [`${what}_from`]: wall(first) }),
        ...(Number.isFinite(last) && { [`${what}_to`]: wall(last) }),
      }
      const outside = new Set()
      for (const found of (await platform.list({ limit: 500, ...query })).returns.slice(0, lookedAt))
        if (!(await within(platform, found, first, last + SECOND_MS))) outside.add(found.id)
      return mustFind(platform, query, record, ({ id }) => !outside.has(id))
    }
  return {
    [`filter.${what}-range`]: look(HOUR_MS, HOUR_MS),
    [`filter.${what}-from`]: look(SECOND_MS, Number.POSITIVE_INFINITY),
    [`filter.${what}-to`]: look(Number.POSITIVE_INFINITY, SECOND_MS),
    [`filter.${what}-inclusive`]: look(0, 0),
  }
}

const fieldChecks = (what: string, field: 'createdAt' | 'updatedAt') =>
  dateChecks(
    what,
    async (platform) => {
      const record = await platform.any()
      const at = msOf(record[field])
      if (Number.isNaN(at)) throw new Skipped(`${record.name} has no ${field} that can be read`)
      return { record, at }
    },
    (_, record, first, end) => msOf(record[field]) >= first && msOf(record[field]) < end,
  )

/** The specification leaves the form of refunds open. */
async function refundDates(platform: CheckedPlatform, { id }: Return) {
  const { body } = await platform.get(`/returns/${encodeURIComponent(id ?? '')}/refunds`)
  return objectsIn(list(at(body, 'refunds')) as Refund[]).map(({ executedAt }) => msOf(executedAt))
}

const refunded = once(async (platform) => {
  const sample = await platform.sample()
  const closed = sample.filter(({ status }) => status === 'CLOSED' || status === 'CHECKED')
  for (const record of [...closed, ...sample].slice(0, REFUNDS_LOOKED_AT)) {
    const at = (await refundDates(platform, record)).find(Number.isFinite)
    if (at !== undefined) return { record, at }
  }
  throw new Skipped('no return with an executed refund')
})

export const FILTER_CHECKS: Runs = {
  'filter.status': async (platform) => {
    const sample = await platform.sample()
    const counts = []
    for (const status of RETURN_STATUSES) {
      const { returns, totalRecords } = await platform.list({ limit: 500, status })
      const other = returns.find((record) => record.status !== status)
      must(!other, `${other?.name} with status=${status} is ${other?.status}`)
      const known = sample.filter((record) => record.status === status).length
      must(totalRecords >= known, `${totalRecords} with status=${status}, but ${known} of the newest are`)
      counts.push(totalRecords)
    }
    return `${counts.join(' + ')} returns`
  },
  'filter.name': finds('name', ({ name }) => name),
  'filter.name-unknown': async (platform) => {
    const { returns, totalRecords, totalPages } = await platform.list({ name: 'R#-CONFORMANCE-NO-SUCH' })
    const observed = `${returns.length} records, totalRecords ${totalRecords}, totalPages ${totalPages}`
    return must(returns.length + totalRecords + totalPages === 0, observed)
  },
  'filter.name-exact': findsNoLonger('name', ({ name }) => [name]),
  'filter.order-exact': findsNoLonger('ecommerce_order', ({ ecommerceOrder: { id, name } }) => [
    id,
    name ?? '',
  ]),
  'filter.order': finds('ecommerce_order', ({ ecommerceOrder }) => ecommerceOrder.id),
  'filter.order-name': finds('ecommerce_order', ({ ecommerceOrder }) => ecommerceOrder.name),
  'filter.together': async (platform) => {
    const record = await platform.any()
    const { status, shopCode, createdAt } = record
    const query = {
      status: status ?? '',
      created_from: wall(msOf(createdAt) - SECOND_MS),
      shop_code: shopCode,
    }
    return mustFind(
      platform,
      query,
      record,
      (found) =>
        found.status === status &&
        found.shopCode === shopCode &&
        msOf(found.createdAt) >= msOf(createdAt) - 2 * SECOND_MS,
    )
  },
  'filter.shop': finds('shop_code', ({ shopCode }) => shopCode),
  'filter.total': async (platform) => {
    const { status, name, shopCode, ecommerceOrder, createdAt } = await platform.any()
    const values = { name, shop_code: shopCode, ecommerce_order: ecommerceOrder.id }
    const filters = { ...values, status: status ?? '', created_to: wall(msOf(createdAt)) }
    const found = []
    for (const [filter, value] of Object.entries(filters))
      found.push({ filter, ...(await platform.list({ limit: 500, [filter]: value })) })
    return each(
      found,
      'filters',
      ({ filter, returns, totalRecords, totalPages }) =>
        (returns.length !== Math.min(500, totalRecords) || totalPages !== Math.ceil(totalRecords / 500)) &&
        `${filter}: ${returns.length} returns, ${totalRecords} in ${totalPages} pages`,
    )
  },
  'filter.pages': async (platform) => {
    const statuses = (await platform.sample()).map(({ status }) => status)
    const repeated = statuses.find((status, index) => statuses.indexOf(status) < index)
    const status = need(repeated, 'no two returns have the same status')
    const { returns } = await platform.list({ status, limit: 1, page: 2 })
    return each(
      returns,
      `returns on page 2 of ${status}`,
      (record) => record.status !== status && record.name,
    )
  },
  ...fieldChecks('created', 'createdAt'),
  ...fieldChecks('updated', 'updatedAt'),
  ...dateChecks('refunded', refunded, async (platform, record, first, end) =>
    (await refundDates(platform, record)).some((at) => at >= first && at < end),
  ),
}

/** @throws Departure unless the filter finds this record, and only records that match */
async function mustFind(
  platform: CheckedPlatform,
  query: Record<string, string>,
  record: Return,
  fits: (found: Return) => boolean,
) {
  const { returns } = await platform.list({ limit: 500, ...query })
  const queryText = new URLSearchParams(query).toString()
  const words = `${record.name} is not among the ${returns.length} with ${queryText}`
  must(
    returns.some(({ id }) => id === record.id),
    words,
  )
  return each(
    returns,
    `returns with ${queryText}`,
    (found) => !fits(found) && `${found.name} with ${queryText}`,
  )
}
