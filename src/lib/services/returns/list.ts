import type { Extent, ReturnFilters, ReturnListing } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { quotedWord } from '../../output/quoted-word.ts'
import { returnsView } from '../../output/views/returns.ts'
import { at } from '../../wire/raw.ts'

/** Prints the returns as they arrive, and says how many more there are. */
export async function showListing(
  listing: ReturnListing,
  filters: ReturnFilters,
  extent: Extent,
  context: Context,
): Promise<void> {
  let shown = 0
  const shownOf = async function* <T>(records: AsyncIterable<T>) {
    for await (const record of context.counted(records, 'returns')) {
      shown += 1
      yield record
    }
  }
  const { shop } = await context.settings()
  await context.render({
    kind: 'list',
    items: shownOf(listing),
    json: () => shownOf(listing.json()),
    view: { ...returnsView, empty: nothingText(filters, shop?.value) },
    envelope: { key: 'returns', rest: () => listing.rest() },
  })
  const total = totalOf(listing.rest().pageInfo)
  if (extent.all || shown >= total) return
  context.onWritten(async (hasFailed) => {
    if (!hasFailed) await context.note(`${shown} of ${total}; --all for the rest`)
  })
}

/** 0 where the service does not say. */
function totalOf(pageInfo: unknown): number {
  return Number(at(pageInfo, 'totalRecords')) || 0
}

/** What to try, by what was asked for. */
function nothingText({ name, status, order, ...dates }: ReturnFilters, shop: string | undefined): string {
  const text = name ?? order
  const hints = [
    ...(text === undefined ? [] : [`rma search ${quotedWord(text)}`]),
    ...(status === undefined ? [] : ['without --status']),
    ...(Object.values(dates).some((date) => date !== undefined) ? ['earlier or later dates'] : []),
    ...(shop === undefined ? [] : [`another shop: only ${shop} was searched`]),
  ]
  return [returnsView.empty, ...hints.map((hint) => `Try: ${hint}`)].join('\n')
}
