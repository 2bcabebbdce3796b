import { stateAfter } from '../../src/lib/bulk/job/journal-record.ts'
import type { Ledger } from '../../src/lib/bulk/job/ledger.ts'
import type { BulkRow, RunJournal } from '../../src/lib/bulk/run/run-request.ts'

/** Counts of a job of ten rows that have all succeeded. */
export const ALL_SUCCEEDED = {
  total: 10,
  succeeded: 10,
  duplicate: 0,
  stale: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  remaining: 0,
  unsettled: 0,
  durationMs: 1,
}

/** Rows numbered from 1, in batches of up to 100. */
export async function* rowsOf(
  count: number,
  key: (row: number) => string,
): AsyncGenerator<BulkRow<number>[], void, undefined> {
  for (let first = 1; first <= count; first += 100) {
    const batch: BulkRow<number>[] = []
    for (let row = first; row < first + 100 && row <= count; row++)
      batch.push({ row, key: key(row), value: row })
    yield batch
  }
}

/** Random numbers from 0 to below 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A journal without a file. */
export function memoryJournal(ledger: Ledger): RunJournal {
  return {
    ledger,
    failure: undefined,
    intend: async (ordinals) => {
      for (const ordinal of ordinals) ledger.set(ordinal, 'sent')
    },
    withdraw: (ordinals) => {
      for (const ordinal of ordinals) ledger.set(ordinal, 'new')
    },
    end: (ordinal, outcome) => ledger.set(ordinal, stateAfter(outcome)),
    sync: async () => {},
  }
}
