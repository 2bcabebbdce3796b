import type { ReturnFilters } from '../../api/returns.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type SearchHit, searchReturns } from '../../mirror/search/search.ts'
import type { MirrorFilter } from '../../mirror/store/read.ts'
import { wallTimeToInstant } from '../../wire/time.ts'
import { withFreshMirror } from '../mirror/refresh.ts'
import { type FoundReturn, searchView } from './search.result.ts'

const DEFAULT_LIMIT = 20

export interface SearchRequest {
  text: string
  filters: ReturnFilters
  limit: number | undefined
  isOffline: boolean
}

/** Shows the returns that fit a text, best first, and what of them does. */
export async function runSearch(
  context: Context,
  connection: Connection,
  { text, filters, limit = DEFAULT_LIMIT, isOffline }: SearchRequest,
): Promise<void> {
  if (text.trim() === '') {
    throw new AppError('usage', 'Nothing was given to search for.', {
      hints: ['rma search NAME, or an e-mail, a phone, an order, a tracking code, an article'],
    })
  }
  await context.checkOutput(searchView)
  const filter = await mirrorFilter(filters, context)
  await withFreshMirror(context, connection, { isOffline }, async (mirror) => {
    const hits = await searchReturns(mirror.db, { text, filter, limit: limit + 1 })
    const isFiltered = Object.values(filters).some((value) => value !== undefined)
    const statusLine = await context.shellLine(['mirror', 'status'], undefined)
    await context.render({
      kind: 'list',
      items: hits.slice(0, limit).map(asFound),
      view: { ...searchView, empty: nothingText(isFiltered, statusLine) },
      envelope: { key: 'returns', rest: () => ({}) },
    })
    const [missing] = hits.flatMap((hit) => hit.missing)
    if (missing !== undefined) await context.note(`No return has all of that: these lack "${missing}".`)
    if (hits.length > limit) await context.note(`The best ${limit}; --limit ${limit * 5} for more`)
  })
}

function asFound({ record, matched }: SearchHit): FoundReturn {
  return { ...record, matched: matched.map(({ path, value }) => ({ field: path, value })) }
}

function nothingText(isFiltered: boolean, statusLine: string): string {
  const hints = [
    ...(isFiltered ? ['without the filters'] : []),
    'fewer words: the beginning of a name or e-mail, the last digits of a phone or an order',
    `${statusLine}: what was copied`,
  ]
  return [searchView.empty, ...hints.map((hint) => `Try: ${hint}`)].join('\n')
}

/** Filters of the mirror for the named shop. Dates are as `readFilters` writes them. */
export async function mirrorFilter(
  { name, status, order, ...walls }: ReturnFilters,
  context: Pick<Context, 'settings'>,
): Promise<MirrorFilter> {
  const { timeZone, shop } = await context.settings()
  const instant = (wall: string | undefined, edge: 'earlier' | 'later') =>
    wall === undefined ? undefined : wallTimeToInstant(wall, timeZone.value, edge).epochMs
  // The last second with all of its fractions.
  const to = (wall: string | undefined) => {
    const ms = instant(wall, 'later')
    return ms === undefined ? undefined : ms + 999
  }
  return {
    ...{ name, status, order, shop: shop?.value },
    createdFromMs: instant(walls.createdFrom, 'earlier'),
    createdToMs: to(walls.createdTo),
    updatedFromMs: instant(walls.updatedFrom, 'earlier'),
    updatedToMs: to(walls.updatedTo),
    refundedFromMs: instant(walls.refundedFrom, 'earlier'),
    refundedToMs: to(walls.refundedTo),
  }
}
