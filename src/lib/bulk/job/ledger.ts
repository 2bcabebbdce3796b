import type { NotApplied } from '../../wire/tracking/status-code.ts'

export type RowStatus = 'succeeded' | 'failed' | 'unknown' | 'skipped'

/**
 * `sent`: an intent without an outcome. `duplicate`, `stale`: succeeded, changing nothing. `doubtful`: failed, and one of
 * its requests may still take effect.
 */
type RowState = 'new' | 'sent' | RowStatus | NotApplied | 'doubtful'

const STATES: readonly RowState[] = [
  'new',
  'sent',
  'succeeded',
  'failed',
  'unknown',
  'skipped',
  'duplicate',
  'stale',
  'doubtful',
]
const CODES = new Map(STATES.map((state, code) => [state, code]))

/** `succeeded` includes `duplicate` and `stale`. */
export type RowCounts = Record<RowStatus | NotApplied | 'sent', number>

/** States of rows by their position in the job from 0, one byte each. */
export class Ledger {
  #states = new Uint8Array(4096)
  #counts = STATES.map(() => 0)

  state(ordinal: number): RowState {
    return STATES[this.#states[ordinal] ?? 0] ?? 'new'
  }

  hasEnded(ordinal: number) {
    return (this.#states[ordinal] ?? 0) >= 2
  }

  set(ordinal: number, state: RowState) {
    if (ordinal >= this.#states.length) this.#grow(ordinal + 1)
    const code = CODES.get(state) ?? 0
    const before = this.#states[ordinal] ?? 0
    this.#states[ordinal] = code
    this.#counts[before] = (this.#counts[before] ?? 0) - 1
    this.#counts[code] = (this.#counts[code] ?? 0) + 1
  }

  counts(): RowCounts {
    const [, sent = 0, applied = 0, rejected = 0, unknown = 0, skipped = 0, ...more] = this.#counts
    const [duplicate = 0, stale = 0, doubtful = 0] = more
    const [succeeded, failed] = [applied + duplicate + stale, rejected + doubtful]
    return { sent, succeeded, duplicate, stale, failed, unknown, skipped }
  }

  /**
   * Marks failed rows as new, doubtful and unknown ones as sent. Sent rows are looked up first, since sending them
   * again could apply them twice.
   */
  reopen(which: { unknown: boolean }) {
    const states = this.#states
    for (let ordinal = 0; ordinal < states.length; ordinal++) {
      const state = this.state(ordinal)
      if (state === 'failed') this.set(ordinal, 'new')
      else if (state === 'doubtful' || (state === 'unknown' && which.unknown)) this.set(ordinal, 'sent')
    }
  }

  #grow(atLeast: number) {
    const larger = new Uint8Array(Math.max(atLeast, this.#states.length * 2))
    larger.set(this.#states)
    this.#states = larger
  }
}
