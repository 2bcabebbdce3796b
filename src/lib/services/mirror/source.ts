import type { ReturnPage, ReturnsApi } from '../../api/returns.ts'
import type { Connection } from '../../cli/connection.ts'
import { AppError } from '../../errors.ts'
import type { MirrorSource, PageQuery, SourcePage } from '../../mirror/source.ts'
import type { RecordList } from '../../wire/read.ts'

/** The platform as a mirror copies it: every date in UTC, where no time of day comes twice. */
export async function platformSource(connection: Connection): Promise<MirrorSource> {
  const returns: ReturnsApi = await connection.returns({ timeZone: 'UTC' })
  return {
    page: async ({ createdFromMs, createdToMs, updatedFromMs, limit, page }: PageQuery) => {
      const filters = {
        createdFrom: wallTime(createdFromMs),
        createdTo: wallTime(createdToMs),
        updatedFrom: wallTime(updatedFromMs),
      }
      return asSourcePage(await returns.listPage(filters, limit, page))
    },
    transportations: (id) => unlessGone(returns.transportations(id)),
    refunds: (id) => unlessGone(returns.refunds(id)),
  }
}

function asSourcePage({ records, totalRecords, sandbox, answeredMs }: ReturnPage): SourcePage {
  return { records, totalRecords, sandboxId: sandbox?.id, nowMs: answeredMs }
}

/** As a date filter takes it (spec §4.7). */
function wallTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Math.max(0, ms)).toISOString().slice(0, 19)
}

async function unlessGone<T>(asked: Promise<RecordList<T>>): Promise<T[] | undefined> {
  try {
    return (await asked).records
  } catch (error) {
    if (error instanceof AppError && error.kind === 'not-found') return undefined
    throw error
  }
}
