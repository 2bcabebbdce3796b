import type { KeyRange } from './text-index.ts'

/** Returns that may be created in a second. Times the seconds until 2100 it is an exact number. */
const KEYS_A_SECOND = 2 ** 20

/** All keys of a time of creation; ms since the epoch, undefined: without an end. */
export function keyRange(fromMs: number | undefined, toMs: number | undefined): KeyRange {
  const second = (ms: number) => Math.max(0, Math.floor(ms / 1000))
  return {
    fromKey: fromMs === undefined ? 0 : second(fromMs) * KEYS_A_SECOND,
    toKey: toMs === undefined ? Number.MAX_SAFE_INTEGER : (second(toMs) + 1) * KEYS_A_SECOND - 1,
  }
}

/** A key that sorts as the time of creation does, and is likely to be free. */
export function firstKey(createdAt: string | null, id: string): number {
  const { fromKey } = keyRange(createdAt === null ? 0 : Date.parse(createdAt), undefined)
  let hash = 0
  for (let at = 0; at < id.length; at += 1) hash = (Math.imul(hash, 31) + id.charCodeAt(at)) | 0
  return fromKey + ((hash >>> 0) % KEYS_A_SECOND)
}
