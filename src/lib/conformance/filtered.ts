import type { Return } from '../wire/returns.ts'
import { instantToWallTime, parseServiceDate } from '../wire/time.ts'
import { each, must } from './observed.ts'
import type { World } from './platform-view.ts'

/** As many as a page can hold. */
export const ALL = { limit: 500 }

/** A wall time in UTC, as the filters take it. */
export const wall = (ms: number) => instantToWallTime(ms, 'UTC')

/** A date of an answer in ms; NaN for one that can't be read. */
export const msOf = (text: string | null | undefined) => parseServiceDate(text ?? '') ?? Number.NaN

/** One that is neither the first nor the last, where ranges are easy to get right. */
export const middle = <T>(items: readonly T[]): T | undefined => items[Math.floor(items.length / 2)]

/** @throws Departure unless a filter gives this record, and only such as fit */
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
