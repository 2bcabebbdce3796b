import type { ReturnFilters } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { unless, usageError } from '../../errors.ts'
import { lastTransport, type ReturnFacts, scansOf, spanText } from '../../insight/case.ts'
import { searchReturns } from '../../mirror/search/search.ts'
import { countUnreadRefunds } from '../../mirror/stats/facts.ts'
import type { MirrorStore } from '../../mirror/store/open.ts'
import { filtersByRefunds, type MirrorFilter, newestIds, readByIds } from '../../mirror/store/read.ts'
import { returnKey } from '../../wire/plain.ts'
import type { Return } from '../../wire/returns.ts'
import { clockAtSync, noteGaps, noteUnreadRefunds, withFreshMirror } from '../mirror/refresh.ts'
import { type FilterFlags, readCountFlag, readFilters, utcMs } from './list-flags.ts'
import { type FoundReturn, searchView } from './search.result.ts'

const DEFAULT_LIMIT = 20

export async function runSearch(
  context: Context,
  text: string,
  flags: FilterFlags & { limit?: string; offline: boolean },
) {
  const limit = readCountFlag('--limit', flags.limit) ?? DEFAULT_LIMIT
  const filters = await readFilters(flags, context, { zone: 'UTC' })
  if (text.trim() === '') {
    throw usageError(
      'Nothing was given to search for.',
      'rma search NAME, or an e-mail, a phone, an order, a tracking code, an article',
    )
  }
  const filter = await mirrorFilter(filters, context)
  const freshness = { isOffline: flags.offline, needsDetails: filtersByRefunds(filter) }
  await withFreshMirror(context, freshness, async (mirror, renew) => {
    const look = () => searchReturns(mirror.db, { text, filter, limit: limit + 1 })
    let hits = await look()
    const isDoubtful = hits.length < 2 || hits.some((hit) => hit.missing.length > 0)
    const copy = isDoubtful ? await renew() : 'old'
    if (copy === 'renewed') hits = await look()
    const fromMs = filter.createdFromMs ?? (hits.length === 0 ? 0 : undefined)
    await noteGaps(context, mirror, fromMs)
    const [missing, ...others] = new Set(hits.map((hit) => hit.missing.join(' ')))
    const what = others.length > 0 ? 'all words' : `"${missing}" as well`
    if (missing) await context.warn(`No return matches ${what}: these match the rest.`)
    const card = async (found: FoundReturn) => {
      const { cardOf, describeReturn } = await import('./return-summary.ts')
      const [facts = { record: found }]: ReturnFacts[] = await readByIds(mirror.db, [returnKey(found)])
      const isWhole = facts.transportations !== undefined && facts.refunds !== undefined
      if (copy !== 'old' || !(isWhole || flags.offline)) {
        const returns = await context.connection.returns()
        const present = await unless(returns.get(returnKey(found)), 'not-found')
        if (present) return describeReturn(present, false, context)
        await context.warn(`${found.name} is not on the platform any more: this is the mirror's copy.`)
      }
      return cardOf(facts, await clockAtSync(mirror, context), context)
    }
    await context.render({
      kind: 'list',
      items: hits.slice(0, limit).map(({ record, matched, missing }) => ({
        ...record,
        matched: matched.map(({ path, value }) => ({ field: path, value })),
        missing,
      })),
      ...(hits.length === 1 && { details: card }),
      view: { ...searchView, empty: await nothingText(filters, context) },
      envelope: { key: 'returns' },
    })
    if (filtersByRefunds(filter))
      await noteUnreadRefunds(context, await countUnreadRefunds(mirror.db, filter))
    if (hits.length > limit) await context.note(`The best ${limit}; --limit ${limit * 5} for more`)
  })
}

/** A return of the mirror with the time since its parcel was last scanned, if known: `3 d`. */
export interface CopiedReturn {
  record: Return
  lastScan: string | undefined
}

/** Finds returns of an open mirror, best first; the newest for an empty text. */
export async function searchCopied(
  mirror: MirrorStore,
  text: string,
  limit: number,
  context: Context,
): Promise<CopiedReturn[]> {
  const { db } = mirror
  const { shop } = await context.settings()
  const filter = { shop: shop?.value }
  const now = await clockAtSync(mirror, context)
  const ids =
    text.trim() === ''
      ? await newestIds(db, filter, limit)
      : (await searchReturns(db, { text, filter, limit })).map(({ record }) => returnKey(record))
  return (await readByIds(db, ids)).map((facts) => {
    const transport = lastTransport(facts)
    const scan = transport && scansOf(transport).at(-1)
    return { record: facts.record, lastScan: scan && spanText(now - scan.at) }
  })
}

async function nothingText(filters: ReturnFilters, context: Context) {
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  const { shop } = await context.settings()
  const statusLine = await context.shellLine(['mirror', 'status'])
  const hints = [
    isFiltered && 'without the filters',
    shop && `another shop: only ${shop.value} was searched`,
    'fewer words: the beginning of a name or e-mail, the last digits of a phone or an order',
    `${statusLine}: what was copied`,
  ]
  return [searchView.empty, ...hints.filter(Boolean).map((hint) => `Try: ${hint}`)].join('\n')
}

/** Returns filters of the mirror for the named shop. Dates have to be in UTC. */
export async function mirrorFilter(
  { name, status, order, ...walls }: ReturnFilters,
  context: Context,
): Promise<MirrorFilter> {
  const { shop } = await context.settings()
  // Includes the whole last second.
  const to = (wall: string | undefined) => (wall === undefined ? undefined : Date.parse(`${wall}.999Z`))
  return {
    name,
    status,
    order,
    shop: shop?.value,
    createdFromMs: utcMs(walls.createdFrom),
    createdToMs: to(walls.createdTo),
    updatedFromMs: utcMs(walls.updatedFrom),
    updatedToMs: to(walls.updatedTo),
    refundedFromMs: utcMs(walls.refundedFrom),
    refundedToMs: to(walls.refundedTo),
  }
}
