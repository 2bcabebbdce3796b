export class Departure extends Error {
  override readonly name = 'Departure'
}

/** The platform has no data, or no answer, to tell by. */
export class Skipped extends Error {
  override readonly name = 'Skipped'
}

/** @returns what was observed. @throws Departure with it */
export function must(isSo: boolean, observed: string): string {
  if (!isSo) throw new Departure(observed)
  return observed
}

/** @throws Skipped if it is not there */
export function need<T>(value: T | null | undefined, why: string): T {
  if (value === undefined || value === null) throw new Skipped(why)
  return value
}

/**
 * Looks at all of a kind; `complaint` says what is wrong with one, or nothing.
 * @returns how many there were, in words
 * @throws Skipped without any, Departure with the first complaint and their number
 */
export function each<T>(
  items: readonly T[],
  noun: string,
  complaint: (item: T) => string | undefined,
): string {
  if (items.length === 0) throw new Skipped(`no ${noun} to look at`)
  const complaints = items.map(complaint).filter((text) => text !== undefined)
  const [first] = complaints
  if (first !== undefined) {
    const others = complaints.length === 1 ? '' : ` (${complaints.length} of ${items.length} ${noun})`
    throw new Departure(first + others)
  }
  return `${noun}: ${items.length}`
}
