import { MAX_PAGE_SIZE, resultChangeText } from '../../api/paginate.ts'
import type { Extent, ReturnFilters } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { at } from '../../wire/raw.ts'
import { type FilterFlags, readCountFlag, readFilters } from './list-flags.ts'
import { returnsView } from './returns.result.ts'

/** The service's own default (spec §8). */
const DEFAULT_LIMIT = 100

type ListFlags = FilterFlags & { limit?: string; page?: string; all: boolean }

export async function listReturns(flags: ListFlags, context: Context) {
  const extent = readExtent(flags)
  const filters = await readFilters(flags, context)
  const returns = await context.connection.returns()
  context.progress.start('Reading returns')
  const listing = returns.list(filters, {
    ...extent,
    onResultChanged: (info) => void context.warn(resultChangeText(info)),
  })
  let shown = 0
  const items = async function* () {
    for await (const record of context.counted(listing)) {
      shown += 1
      yield record
    }
  }
  const { shop } = await context.settings()
  const total = () => totalOf(listing.rest().pageInfo)
  const text = filters.name ?? filters.order
  const search = text === undefined ? [] : [await context.shellLine(['search', text])]
  const view = {
    ...returnsView,
    // A getter, since the total comes with the page.
    get empty() {
      const isBeyond = extent.page !== undefined && total() > 0
      return isBeyond
        ? beyondText(extent.page, listing.rest().pageInfo)
        : nothingText(filters, shop?.value, search)
    },
  }
  await context.renderList(items(), view, 'returns', () => listing.rest())
  if (extent.all || shown === 0 || shown >= total()) return
  context.afterOutput(async (hasFailed) => {
    if (!hasFailed) await context.note(`${shown} of ${total()}; --all for the rest`)
  })
}

function totalOf(pageInfo: unknown) {
  return Number(at(pageInfo, 'totalRecords')) || 0
}

function beyondText(page: number | undefined, pageInfo: unknown) {
  const pages = Number(at(pageInfo, 'totalPages')) || undefined
  const all = counted(totalOf(pageInfo), 'return matches', 'returns match')
  return `There is no page ${page}: ${all}${pages === undefined ? '' : `, on ${counted(pages, 'page')}`}`
}

function nothingText(
  { name, status, order, ...dates }: ReturnFilters,
  shop: string | undefined,
  search: readonly string[],
) {
  const hints = [
    ...search,
    status && 'without --status',
    Object.values(dates).some((date) => date !== undefined) && 'earlier or later dates',
    shop && `another shop: only ${shop} was searched`,
  ]
  return [returnsView.empty, ...hints.filter(Boolean).map((hint) => `Try: ${hint}`)].join('\n')
}

function readExtent(flags: ListFlags): Extent {
  if (flags.all) return { all: true }
  const page = readCountFlag('--page', flags.page)
  const limit = readCountFlag('--limit', flags.limit) ?? DEFAULT_LIMIT
  if (page !== undefined && limit > MAX_PAGE_SIZE) {
    throw usageError(
      `--limit ${limit}: a page holds ${MAX_PAGE_SIZE} returns at most.`,
      'leave out --page: then --limit is the number wanted in all, and as many pages are read as it takes',
    )
  }
  return { limit, page }
}
