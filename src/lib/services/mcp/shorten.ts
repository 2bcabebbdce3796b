/** An answer takes no more of an assistant's attention. */
const MAX_BYTES = 128 * 1024

/** Lists are halved, the longest first, until it fits; `omitted` counts what was left out. */
export function shorten(result: Record<string, unknown>): {
  result: Record<string, unknown>
  omitted: number
} {
  const copy: Record<string, unknown> = structuredClone(result)
  let omitted = 0
  while (sizeOf(copy) > MAX_BYTES) {
    const longest = longestList(copy)
    if (longest === undefined) return { result: {}, omitted: omitted + 1 }
    const kept = Math.floor(longest.length / 2)
    omitted += longest.length - kept
    longest.length = kept
  }
  return { result: copy, omitted }
}

function longestList(value: unknown): unknown[] | undefined {
  let best: unknown[] | undefined
  let bestSize = 0
  const visit = (one: unknown) => {
    if (typeof one !== 'object' || one === null) return
    if (Array.isArray(one) && one.length > 0) {
      const size = sizeOf(one)
      if (size > bestSize) [best, bestSize] = [one, size]
    }
    for (const inner of Object.values(one)) visit(inner)
  }
  visit(value)
  return best
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
