import fc from 'fast-check'
import { expect, test } from 'vitest'
import { RETURN_STATUSES } from '../../../../src/lib/wire/enumerations.ts'
import type { Refund } from '../../../../src/lib/wire/refunds.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { parseServiceDate, wallTimeToInstant } from '../../../../src/lib/wire/time.ts'
import { NOW, testSandbox } from '../../../helpers/sandbox-client.ts'

// More than two of the longest pages.
const { sandbox, request, allReturns } = await testSandbox({ returns: 1200 })
const shops = sandbox.shops().map(({ code }) => code)
const DAY = 86_400_000

/** Facts that filters look at, with times in ms. */
interface Facts {
  id: string
  shop: string
  status: string
  name: string
  order: string
  created: number
  updated: number
  refunded: number[]
}
const ms = (date: unknown) => parseServiceDate(String(date)) ?? Number.NaN
const records: Facts[] = []
for (const record of await allReturns()) {
  const { refunds }: { refunds: Refund[] } = (await request(`/returns/${record.id}/refunds`)).body
  records.push({
    id: record.id ?? '',
    shop: record.shopCode,
    status: record.status ?? '',
    name: record.name,
    order: record.ecommerceOrder.name ?? '',
    created: ms(record.createdAt),
    updated: ms(record.updatedAt),
    refunded: refunds.filter(({ status }) => status === 'EXECUTED').map(({ executedAt }) => ms(executedAt)),
  })
}

const zone = fc.constantFrom('UTC', 'Europe/Madrid', 'America/New_York', 'Asia/Kolkata')
/** Wall times over the span of the data, some of them exactly those of a record. */
const wall = fc
  .oneof(
    fc.integer({ min: -410, max: 2 }).map((days) => NOW + days * DAY),
    fc
      .constantFrom(...records)
      .chain(({ created, updated, refunded }) => fc.constantFrom(created, updated, ...refunded)),
  )
  .map((time) => new Date(time).toISOString().slice(0, 19))
const all = {
  shop_code: fc.constantFrom(...shops),
  status: fc.constantFrom(...RETURN_STATUSES),
  name: fc.constantFrom(...records).map(({ name }) => name),
  ecommerce_order: fc.constantFrom(...records).map(({ order }) => order),
  created_from: wall,
  created_to: wall,
  updated_from: wall,
  updated_to: wall,
  refunded_from: wall,
  refunded_to: wall,
}
interface Filters extends Partial<Record<keyof typeof all, string>> {
  time_zone: string
}
/** Two or three filters at a time: of more, hardly any would match something. */
const filters = fc
  .record({
    values: fc.record(all),
    names: fc.subarray(Object.keys(all), { maxLength: 3 }),
    time_zone: zone,
  })
  .map(({ values, names, time_zone }) => ({
    ...Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))),
    time_zone,
  }))

/** Long pages cost more than they show. */
const limits = fc.oneof(
  { weight: 9, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 1, arbitrary: fc.integer({ min: 61, max: 500 }) },
)

/** The filters as the specification says them, record by record. */
function matching(f: Filters) {
  const range = (from: string | undefined, to: string | undefined) => {
    const low = from === undefined ? -Infinity : wallTimeToInstant(from, f.time_zone, 'earlier').epochMs
    const high = to === undefined ? Infinity : wallTimeToInstant(to, f.time_zone, 'later').epochMs
    return (time: number) => time >= low && time <= high
  }
  const isCreated = range(f.created_from, f.created_to)
  const isUpdated = range(f.updated_from, f.updated_to)
  const isRefunded = range(f.refunded_from, f.refunded_to)
  const needsRefund = f.refunded_from !== undefined || f.refunded_to !== undefined
  return records
    .filter(({ shop, status }) => shop === (f.shop_code ?? shop) && status === (f.status ?? status))
    .filter(({ name, order }) => name === (f.name ?? name) && order === (f.ecommerce_order ?? order))
    .filter(({ created, updated }) => isCreated(created) && isUpdated(updated))
    .filter(({ refunded }) => !needsRefund || refunded.some(isRefunded))
    .map(({ id }) => id)
}

test('the pages of any filter are the records that match it, in order, none twice', async () => {
  await fc.assert(
    fc.asyncProperty(filters, limits, fc.nat(), async (filter, limit, draw) => {
      const expected = matching(filter)
      const pages = Math.ceil(expected.length / limit)
      const params = new URLSearchParams({ limit: String(limit) })
      for (const [name, value] of Object.entries(filter)) if (value !== undefined) params.set(name, value)
      // First, last, one between, and one too far.
      for (const page of new Set([1, pages, 1 + (draw % (pages || 1)), pages + 1].filter((p) => p > 0))) {
        params.set('page', String(page))
        const { body } = await request(`/returns?${params}`)
        expect(body.pageInfo).toEqual({ totalRecords: expected.length, totalPages: pages })
        const ids = body.returns.map(({ id }: Return) => id)
        expect(ids).toEqual(expected.slice((page - 1) * limit, page * limit))
      }
    }),
  )
})
