import type { Span } from '../../../walk/compare.ts'
import { keyOf } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import { parseServiceDate } from '../../../wire/time.ts'

const SECOND_MS = 1000

/** Which returns an export has: when each was created, and the keys of those that may come again. */
export class SeenReturns {
  readonly #keys = new Map<string, number>()
  /** Seconds since the epoch. */
  readonly #created: number[] = []

  /** False for one that is there. */
  add(record: Return): boolean {
    const key = keyOf(record)
    if (this.#keys.has(key)) return false
    const createdMs = createdAtOf(record)
    this.#keys.set(key, createdMs)
    this.#created.push(Math.floor(createdMs / SECOND_MS))
    return true
  }

  /** Forgets returns that were created later: the walk is past them. */
  forgetPassed(positionMs: number | null): void {
    if (positionMs === null) return
    for (const [key, createdMs] of this.#keys) {
      if (createdMs > positionMs + SECOND_MS) this.#keys.delete(key)
    }
  }

  /** All of them may come again. */
  remember(keys: Iterable<string>): void {
    for (const key of keys) this.#keys.set(key, Number.NaN)
  }

  has(key: string): boolean {
    return this.#keys.has(key)
  }

  count({ fromMs, toMs }: Span): number {
    const [from, to] = [fromMs / SECOND_MS, toMs / SECOND_MS]
    let count = 0
    for (const second of this.#created) if (second >= from && second <= to) count += 1
    return count
  }
}

/** Ms since the epoch; NaN for none that can be read. */
export function createdAtOf({ createdAt }: Return): number {
  return (typeof createdAt === 'string' ? parseServiceDate(createdAt) : undefined) ?? Number.NaN
}
