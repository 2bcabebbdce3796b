import type { Return } from '../wire/returns.ts'
import { instantToWallTime, parseServiceDate } from '../wire/time.ts'
import { assumed, type Check } from './check.ts'
import { each, must } from './observed.ts'
import type { World } from './platform-view.ts'
import { mustAnswer } from './probe.ts'

export const ALL = { limit: 500 }

/** Wall time in UTC, as filters take it. */
export const wall = (ms: number) => instantToWallTime(ms, 'UTC')

/** Ms; NaN for an unreadable date. */
export const msOf = (text: string | null | undefined) => parseServiceDate(text ?? '') ?? Number.NaN

/** A query of `GET /returns` that is refused, which the specification leaves open. */
export function refusedQuery(id: string, source: string, what: string, query: Record<string, string>): Check {
  return assumed(id, source, `${what} is refused with 400`, async (world) =>
    mustAnswer(await world.returns(query), 400),
  )
}

/** @throws Departure unless a filter finds this record, and only records that fit */
export async function mustFind(
  world: World,
  query: Record<string, string>,
  record: Return,
  complaint: (found: Return) => string | undefined,
): Promise<string> {
  const { returns } = await world.list({ ...ALL, ...query })
  const asked = Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
  must(
    returns.some(({ id }) => id === record.id),
    `${record.name} is not among the ${returns.length} with ${asked}`,
  )
  return each(returns, `returns with ${asked}`, complaint)
}
