import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decideRetry } from '../../../../src/lib/api/http/retry-policy.ts'

const status = fc.integer({ min: 100, max: 599 })
const retryAfter = fc.option(
  fc.oneof(
    fc.integer({ min: 0, max: 100_000 }).map(String),
    fc.date({ noInvalidDate: true }).map((date) => date.toUTCString()),
    fc.string(),
  ),
  { nil: undefined },
)
const code = fc.constantFrom(
  'ECONNREFUSED',
  'ECONNRESET',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EPIPE',
  'CERT_HAS_EXPIRED',
  'UNKNOWN',
)
const outcome = fc.oneof(
  fc.record({
    kind: fc.constant('response'),
    status,
    headers: retryAfter.map(
      (after): Record<string, string> => (after === undefined ? {} : { 'retry-after': after }),
    ),
  }),
  fc.record({
    kind: fc.constant('network'),
    phase: fc.constantFrom('before-send', 'after-send'),
    code,
    words: code,
  }),
)
const question = fc.record({
  method: fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'),
  retries: fc.nat(10),
  outcome,
  now: fc.nat(4e12),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
})

it('retries stay within the allowed number, and waits within their bounds', () => {
  fc.assert(
    fc.property(question, ({ random, ...asked }) => {
      let attempt = 1
      for (; ; attempt += 1) {
        const decision = decideRetry({ ...asked, attempt, random: () => random })
        if (!decision) break
        const backOff = Math.min(20_000, 500 * 2 ** (attempt - 1))
        expect(decision.delayMs).toBeGreaterThanOrEqual(0)
        expect(decision.delayMs).toBeLessThanOrEqual(Math.max(backOff, 300_000 + 250))
      }
      expect(attempt).toBeLessThanOrEqual(asked.retries + 1)
    }),
  )
})

it('a write is never sent again once it may have arrived', () => {
  fc.assert(
    fc.property(
      question,
      fc.constantFrom('POST', 'PUT', 'PATCH', 'DELETE'),
      ({ random, ...asked }, method) => {
        const decision = decideRetry({ ...asked, method, attempt: 1, random: () => random })
        const { outcome: came } = asked
        const certain = came.kind === 'network' ? came.phase === 'before-send' : came.status === 429
        if (!certain) expect(decision).toBeUndefined()
      },
    ),
  )
})
