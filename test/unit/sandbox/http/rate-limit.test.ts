import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRateLimit, RateLimiter, rateLimitHeaders } from '../../../../src/lib/sandbox/http/rate-limit.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { send } from '../../../helpers/wire-client.ts'

const { sandbox, listen } = await testSandbox({ returns: 5 })

test.each([
  ['200/s', { limit: 200, windowMs: 1000 }],
  ['5/m', { limit: 5, windowMs: 60_000 }],
  ['0/s', undefined],
  ['100001/s', undefined],
  ['200', undefined],
  ['200/h', undefined],
  ['-1/s', undefined],
])('%s', (text, rate) => {
  expect(parseRateLimit(text)).toEqual(rate)
})

test('allows exactly the limit in a window, wherever it lies', () => {
  const limiter = new RateLimiter({ limit: 3, windowMs: 1000 })
  const at = (now: number) => limiter.take('t', now).isAllowed
  expect([0, 400, 900, 999].map(at)).toEqual([true, true, true, false])
  // The one at 0 leaves the window at 1000, the next at 1400.
  expect([1000, 1001, 1399, 1400, 1401].map(at)).toEqual([true, false, false, true, false])
})

test('the limiter tells the remaining requests and the wait', () => {
  const limiter = new RateLimiter({ limit: 2, windowMs: 1000 })
  expect(limiter.take('t', 100)).toEqual({ isAllowed: true, remaining: 1, waitMs: 0 })
  expect(limiter.take('t', 300)).toEqual({ isAllowed: true, remaining: 0, waitMs: 800 })
  expect(limiter.take('t', 350)).toEqual({ isAllowed: false, remaining: 0, waitMs: 750 })
  expect(limiter.take('other', 350)).toMatchObject({ isAllowed: true, remaining: 1 })
  expect(limiter.take('t', 1100)).toEqual({ isAllowed: true, remaining: 0, waitMs: 200 })
  expect(limiter.take('t', 5000)).toEqual({ isAllowed: true, remaining: 1, waitMs: 0 })
})

test('allows a request only if the last window has fewer than the limit', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.integer({ min: 0, max: 400 }), { maxLength: 60 }),
      (limit, gaps) => {
        const limiter = new RateLimiter({ limit, windowMs: 1000 })
        const allowed: number[] = []
        let now = 0
        for (const gap of gaps) {
          now += gap
          const inWindow = allowed.filter((time) => time > now - 1000).length
          const verdict = limiter.take('t', now)
          expect(verdict.isAllowed).toBe(inWindow < limit)
          if (verdict.isAllowed) allowed.push(now)
          expect(verdict.remaining).toBe(
            Math.max(0, limit - allowed.filter((time) => time > now - 1000).length),
          )
        }
      },
    ),
  )
})

test('the limiter forgets the token that was unused for longest', () => {
  const limiter = new RateLimiter({ limit: 1, windowMs: 1000 })
  limiter.take('first', 0)
  limiter.take('second', 0)
  limiter.take('first', 1)
  for (let i = 0; i < 999; i++) limiter.take(`t${i}`, 2)
  expect(limiter.take('first', 3).isAllowed).toBe(false)
  expect(limiter.take('second', 3).isAllowed).toBe(true)
})

test('the headers tell limit, remaining requests and wait', () => {
  const rate = { limit: 200, windowMs: 1000 }
  expect(rateLimitHeaders(rate, { isAllowed: true, remaining: 17, waitMs: 0 })).toEqual({
    ratelimit: '"sandbox";r=17',
    'ratelimit-policy': '"sandbox";q=200;w=1',
  })
  expect(rateLimitHeaders(rate, { isAllowed: false, remaining: 0, waitMs: 1200 })).toEqual({
    ratelimit: '"sandbox";r=0;t=2',
    'ratelimit-policy': '"sandbox";q=200;w=1',
    'retry-after': '2',
  })
})

test('one request more than allowed is answered 429 RL01 over HTTP, for this token only', async () => {
  const listener = await listen({ rateLimit: { limit: 3, windowMs: 60_000 } })
  const tokens = [sandbox.issueToken(), sandbox.issueToken({ subject: 'other' })]
  const get = (token = '') =>
    send(`${listener.baseUrl}/returns?limit=1`, { headers: { authorization: `Bearer ${token}` } })
  const answers = []
  for (let i = 0; i < 4; i++) answers.push(await get(tokens[0]))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 429])
  expect(answers.map(({ headers }) => String(headers.ratelimit).split(';')[1])).toEqual([
    'r=2',
    'r=1',
    'r=0',
    'r=0',
  ])
  const [last] = answers.slice(-1)
  expect(JSON.parse(last?.text ?? '')).toMatchObject({
    errors: [{ code: 'RL01' }],
    status: 429,
    requestId: last?.headers['x-request-id'],
  })
  expect(Number(last?.headers['retry-after'])).toBeGreaterThanOrEqual(59)
  expect(last?.headers['ratelimit-policy']).toBe('"sandbox";q=3;w=60')
  expect((await get(tokens[1])).status).toBe(200)
})
