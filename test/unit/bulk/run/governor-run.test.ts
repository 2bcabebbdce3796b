import { describe, expect, it } from 'vitest'
import { Ledger } from '../../../../src/lib/bulk/job/ledger.ts'
import type { Attempt, BulkRow } from '../../../../src/lib/bulk/run/bulk-row.ts'
import { runBulk } from '../../../../src/lib/bulk/run/run-bulk.ts'
import { memoryJournal, rowsOf, seededRandom } from '../../../helpers/bulk-fakes.ts'
import { VirtualClock } from '../../../helpers/virtual-clock.ts'

type Limiter = (now: number) => number | undefined

/** Milliseconds to wait, or undefined if the request is accepted. */
const LIMITERS: Record<string, (perSecond: number) => Limiter> = {
  'a token bucket of one second': (perSecond) => tokenBucket(perSecond, perSecond),
  'a token bucket of ten': (perSecond) => tokenBucket(perSecond, 10),
  'a fixed window': (perSecond) => {
    let window = -1
    let count = 0
    return (now) => {
      const current = Math.floor(now / 1000)
      if (current !== window) count = 0
      window = current
      if (count >= perSecond) return (window + 1) * 1000 - now
      count += 1
      return undefined
    }
  },
  'a sliding window': (perSecond) => {
    const sent: number[] = []
    return (now) => {
      while (sent.length > 0 && sent[0]! <= now - 1000) sent.shift()
      if (sent.length >= perSecond) return sent[0]! + 1000 - now
      sent.push(now)
      return undefined
    }
  },
}

function tokenBucket(perSecond: number, burst: number): Limiter {
  let tokens = burst
  let at = 0
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - at) * perSecond) / 1000)
    at = now
    if (tokens < 1) return ((1 - tokens) * 1000) / perSecond
    tokens -= 1
    return undefined
  }
}

const CASES = Object.keys(LIMITERS).flatMap((name) =>
  (['none', 'milliseconds', 'seconds'] as const).flatMap((retryAfter) =>
    [20].map((latencyMs) => ({ name, retryAfter, latencyMs })),
  ),
)

describe('against a service that grants 200 a second', () => {
  it.each(CASES)('$name, Retry-After $retryAfter, $latencyMs ms', async ({ name, retryAfter, latencyMs }) => {
    const clock = new VirtualClock()
    const random = seededRandom(7)
    const limiter = LIMITERS[name]!(200)
    const rows = 8000
    let refused = 0
    let sent = 0
    const send = async (_row: BulkRow<number>): Promise<Attempt> => {
      const wait = limiter(clock.now())
      sent += 1
      await clock.sleep(latencyMs * (0.7 + random() * 0.6))
      if (wait === undefined) return { kind: 'done' }
      refused += 1
      const retryAfterMs = { none: undefined, milliseconds: wait, seconds: Math.ceil(wait / 1000) * 1000 }[
        retryAfter
      ]
      return { kind: 'again', code: 'RL01', message: 'too many', isThrottled: true, retryAfterMs }
    }
    const result = await clock.drive(
      runBulk({
        rows: rowsOf(rows, (row) => `k${row}`),
        send,
        settle: async () => 'open',
        journal: memoryJournal(new Ledger()),
        options: { total: rows, concurrency: 16 },
        clock,
        random,
      }),
    )
    const ratio = result.durationMs / ((rows / 200) * 1000)
    expect(result.succeeded).toBe(rows)
    // Such a bucket has room again in 5 ms: the second that it asks for each time is lost.
    const isImpatient = name === 'a token bucket of ten' && retryAfter === 'seconds'
    expect(ratio).toBeLessThan(isImpatient ? 1.15 : 1.05)
    expect(refused / sent).toBeLessThan(0.02)
  })
})
