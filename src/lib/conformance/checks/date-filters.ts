import { at, list, objectsIn } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { assumed, type Check, spec } from '../check.ts'
import { ALL, msOf, mustFind, refusedQuery, wall } from '../filtered.ts'
import { each, Skipped } from '../observed.ts'
import { once, type World } from '../platform-view.ts'

const HOUR_MS = 3_600_000
const SECOND_MS = 1000
/** Enough to meet an executed refund in most data. */
const REFUNDS_LOOKED_AT = 25

function dateChecks(what: 'created' | 'updated', field: 'createdAt' | 'updatedAt'): Check[] {
  const [from, to] = [`${what}_from`, `${what}_to`]
  const one = async (world: World) => {
    const record = await world.any()
    const at = msOf(record[field])
    if (Number.isNaN(at)) throw new Skipped(`${record.name} has no ${field} that can be read`)
    return { record, at: Math.floor(at / SECOND_MS) * SECOND_MS }
  }
  const outside = (first: number, last: number) => (found: Return) =>
    msOf(found[field]) >= first && msOf(found[field]) < last + SECOND_MS
      ? undefined
      : `${found.name}, ${field} ${found[field]}, is outside`
  return [
    spec(
      `filter.${what}-range`,
      '§4.7',
      `${from} and ${to} give the returns whose ${field} lies between them`,
      async (world) => {
        const { record, at } = await one(world)
        const [first, last] = [at - HOUR_MS, at + HOUR_MS]
        return mustFind(world, { [from]: wall(first), [to]: wall(last) }, record, outside(first, last))
      },
    ),
    spec(`filter.${what}-from`, '§4.7', `${from} alone leaves out what is older`, async (world) => {
      const { at } = await one(world)
      const { returns } = await world.list({ ...ALL, [from]: wall(at) })
      return each(returns, 'returns', outside(at, Number.POSITIVE_INFINITY))
    }),
    spec(`filter.${what}-to`, '§4.7', `${to} alone leaves out what is newer`, async (world) => {
      const { at } = await one(world)
      const { returns } = await world.list({ ...ALL, [to]: wall(at) })
      return each(returns, 'returns', outside(Number.NEGATIVE_INFINITY, at))
    }),
    assumed(
      `filter.${what}-inclusive`,
      '§4.7',
      `Both ends of the range belong to it, to the second`,
      async (world) => {
        const { record, at } = await one(world)
        const second = wall(at)
        return mustFind(world, { [from]: second, [to]: second }, record, outside(at, at))
      },
    ),
  ]
}

/** A return with an executed refund, and when. Closed ones first: most have one. */
const refunded = once(async (world: World): Promise<{ record: Return; at: number }> => {
  const sample = await world.sample()
  const closed = sample.filter(({ status }) => status === 'CLOSED' || status === 'CHECKED')
  for (const record of [...closed, ...sample].slice(0, REFUNDS_LOOKED_AT)) {
    const at = (await refundsOf(world, record))
      .map(({ executedAt }) => msOf(executedAt))
      .find(Number.isFinite)
    if (at !== undefined) return { record, at: Math.floor(at / SECOND_MS) * SECOND_MS }
  }
  throw new Skipped('no return with an executed refund')
})

async function refundsOf(world: World, { id }: Return): Promise<Refund[]> {
  const answer = await world.get(`/returns/${encodeURIComponent(id ?? '')}/refunds`)
  // The specification leaves the form of refunds open.
  return objectsIn(list(at(answer.body, 'refunds')) as Refund[])
}

async function mustBeRefundedWithin(world: World, first: number, last: number): Promise<string> {
  const { record } = await refunded(world)
  const query = { refunded_from: wall(first), refunded_to: wall(last) }
  await mustFind(world, query, record, () => undefined)
  const { returns } = await world.list({ ...ALL, ...query })
  const some = []
  for (const found of returns.slice(0, 5)) some.push({ found, refunds: await refundsOf(world, found) })
  return each(some, 'returns', ({ found, refunds }) =>
    refunds.some(({ executedAt }) => msOf(executedAt) >= first && msOf(executedAt) < last + SECOND_MS)
      ? undefined
      : `${found.name} has no refund executed from ${wall(first)} to ${wall(last)}`,
  )
}

/** Spec §4.7. */
export const DATE_FILTER_CHECKS: readonly Check[] = [
  ...dateChecks('created', 'createdAt'),
  ...dateChecks('updated', 'updatedAt'),
  spec(
    'filter.refunded-range',
    '§4.7',
    'refunded_from and refunded_to give the returns refunded between them',
    async (world) => {
      const { at } = await refunded(world)
      return mustBeRefundedWithin(world, at - HOUR_MS, at + HOUR_MS)
    },
  ),
  assumed(
    'filter.refunded-inclusive',
    '§4.7',
    'Both ends of the range belong to it, to the second',
    async (world) => {
      const { at } = await refunded(world)
      return mustBeRefundedWithin(world, at, at)
    },
  ),
  refusedQuery('filter.date-form', '§4.7', 'A date of another form than YYYY-MM-DDTHH:MM:SS', {
    created_from: 'yesterday',
  }),
]
