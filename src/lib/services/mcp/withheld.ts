import { at } from '../../wire/raw.ts'
import type { Disclosure } from './typed-result.ts'

/** Removes the matched fields unless they may be seen. */
export function withoutMatches(printed: unknown, { reveal, customerText }: Disclosure): unknown {
  if (reveal && customerText) return printed
  const returns = at(printed, 'returns')
  if (!Array.isArray(returns)) return printed
  const matched = (record: unknown) => {
    const hits = at(record, 'matched')
    return Array.isArray(hits) ? hits.map((hit) => ({ field: at(hit, 'field') })) : []
  }
  return { returns: returns.map((record: object) => ({ ...record, matched: matched(record) })) }
}

/** Removes carriers' texts, which stand inside sentences and details. */
export function withoutScanTexts(printed: unknown, { customerText }: Disclosure): unknown {
  if (customerText || typeof printed !== 'object' || printed === null) return printed
  const [where, timeline] = [at(printed, 'where'), at(printed, 'timeline')]
  return {
    ...printed,
    where: typeof where === 'string' ? where.replace(/: “.*”/s, '') : undefined,
    timeline: Array.isArray(timeline) ? timeline.map(withoutCarriersWords) : undefined,
  }
}

function withoutCarriersWords(entry: object): object {
  const of = at(entry, 'of')
  return of === 'scan' || of === 'transport' ? { ...entry, detail: undefined } : entry
}
