import type { PageQuery, PageSource } from '../walk/page-source.ts'
import type { ReturnFilters, ReturnsApi } from './returns.ts'

/** Source of a walk; `returns` has to ask for dates in UTC, where no time comes twice. */
export function returnPages(returns: ReturnsApi, filters: ReturnFilters = {}): PageSource {
  return {
    page: async ({ createdFromMs, createdToMs, updatedFromMs, updatedToMs, limit, page }: PageQuery) => {
      const asked = {
        ...filters,
        createdFrom: wallTime(createdFromMs),
        createdTo: wallTime(createdToMs),
        updatedFrom: wallTime(updatedFromMs) ?? filters.updatedFrom,
        updatedTo: wallTime(updatedToMs) ?? filters.updatedTo,
      }
      const { records, received, totalRecords, sandbox, answeredMs } = await returns.unreadPage(
        asked,
        limit,
        page,
      )
      return { records, received, totalRecords, sandboxId: sandbox?.id, nowMs: answeredMs }
    },
  }
}

/** Spec §4.7. */
function wallTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Math.max(0, ms)).toISOString().slice(0, 19)
}
