import { expect, it } from 'vitest'
import {
  decideRetry,
  type Outcome,
  parseRetryAfter,
  withRetries,
} from '../../../../src/lib/api/http/retry-policy.ts'

const now = Date.parse('2026-03-01T10:00:00Z')
const answer = (status: number, headers = {}): Outcome => ({ kind: 'response', status, headers })
const network = (phase: 'before-send' | 'after-send', code: string): Outcome => ({
  kind: 'network',
  phase,
  code,
  words: code,
})

it.each([
  // outcome, a read is sent again, a write is sent again
  [answer(400), false, false],
  [answer(401), false, false],
  [answer(404), false, false],
  [answer(301), false, false],
  [answer(408), true, false],
  [answer(429), true, true],
  [answer(500), true, false],
  [answer(501), false, false],
  [answer(502), true, false],
  [answer(503), true, false],
  [answer(503, { 'retry-after': '1' }), true, false],
  [answer(503, { 'retry-after': '-5' }), true, false],
  [answer(504), true, false],
  [network('before-send', 'ECONNREFUSED'), true, true],
  [network('before-send', 'ENOTFOUND'), true, true],
  [network('before-send', 'ETIMEDOUT'), true, true],
  [network('before-send', 'PROXY_502'), true, true],
  [network('before-send', 'PROXY_407'), false, false],
  [network('before-send', 'CERT_HAS_EXPIRED'), false, false],
  [network('before-send', 'DEPTH_ZERO_SELF_SIGNED_CERT'), false, false],
  [network('before-send', 'ERR_TLS_CERT_ALTNAME_INVALID'), false, false],
  [network('after-send', 'ECONNRESET'), true, false],
  [network('after-send', 'EPIPE'), true, false],
  [network('after-send', 'ETIMEDOUT'), true, false],
  [network('after-send', 'Z_BUF_ERROR'), true, false],
  [network('after-send', 'Z_DATA_ERROR'), false, false],
  [network('after-send', 'Z_NEED_DICT'), false, false],
  [network('after-send', 'HPE_INVALID_CONSTANT'), false, false],
  [network('after-send', 'ERR__ERROR_FORMAT_PADDING_1'), false, false],
  [network('after-send', 'ERR_ANSWER_TOO_LARGE'), false, false],
  [network('after-send', 'ERR_STRING_TOO_LONG'), true, false],
  [network('after-send', 'UNKNOWN'), true, false],
])('after %o a read is sent again: %s, a write: %s', (outcome, read, write) => {
  const ask = (method: string) =>
    decideRetry({ method, attempt: 1, retries: 1, outcome, now, random: () => 0 }) !== undefined
  expect({ GET: ask('GET'), POST: ask('POST'), PUT: ask('PUT') }).toEqual({
    GET: read,
    POST: write,
    PUT: write,
  })
})

it('delays grow exponentially up to a bound', () => {
  const delays = [1, 2, 3, 7, 30].map((attempt) =>
    decideRetry({ method: 'GET', attempt, retries: 99, outcome: answer(500), now, random: () => 0.5 }),
  )
  expect(delays.map((one) => one?.delayMs)).toEqual([250, 500, 1_000, 10_000, 10_000])
})

it('an interruption during a wait ends the attempts', async () => {
  const stop = new AbortController()
  const { signal } = new AbortController()
  let attempts = 0
  const sleep = async () => stop.abort()
  const ended = await withRetries(
    { method: 'POST', retries: 5, signal, noRepeat: stop.signal, now: () => now, sleep },
    async () => {
      attempts += 1
      return { outcome: answer(429), giveUp: () => 'given up' }
    },
  )
  expect([ended, attempts]).toEqual(['given up', 1])
})

it.each([
  ['0', 0],
  [' 120 ', 120_000],
  ['1.5', 1_500],
  ['9'.repeat(23), 1e10],
  ['Sun, 01 Mar 2026 10:00:30 GMT', 30_000],
  ['Sunday, 01-Mar-26 10:00:30 GMT', 30_000],
  ['Sun, 01 Mar 2026 09:00:00 GMT', 0],
  ['-5', undefined],
  ['soon', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is a wait of %s', (header, expected) => {
  expect(parseRetryAfter(header, now)).toBe(expected)
})
