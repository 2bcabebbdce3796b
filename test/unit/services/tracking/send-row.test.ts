import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import type { FailedAttempt } from '../../../../src/lib/api/http/retry-policy.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { updateSender } from '../../../../src/lib/services/tracking/send-row.ts'
import type { LookupResult } from '../../../../src/lib/wire/tracking/history.ts'
import type { TrackingRequest } from '../../../../src/lib/wire/tracking.ts'

const value = { shipmentId: 'R#-1', trackingStatus: 'REQUESTED' }
const row = () => ({ row: 2, key: 'R#-1', value })
const { signal } = new AbortController()

const failed = (error: AppError, more: Partial<FailedAttempt> = {}) => ({
  error,
  mayRepeat: false,
  isThrottled: false,
  retryAfterMs: undefined,
  ...more,
})

const SENT_AS_WRITTEN = {
  target: async (request: TrackingRequest) => ({ kind: 'send', request }) as const,
  forget: () => {},
}

/** A sender whose attempt fails so, and whose looks end so, one after another. */
function sender(failure: FailedAttempt, looks: (LookupResult | AppError)[] = [], answeredMs = 0) {
  const asked: number[] = []
  const requests: string[] = []
  const started = performance.now()
  const { send, settle } = updateSender(
    {
      attempt: async () => {
        requests.push('attempt')
        return failure
      },
      lookUp: async () => {
        asked.push(performance.now() - started)
        const next = looks.shift() ?? 'open'
        if (next instanceof AppError) throw next
        return next
      },
    },
    SENT_AS_WRITTEN,
    answeredMs,
    () => requests.push('update'),
  )
  return { send, settle, asked, requests }
}

const rejected = (code: string, status = 400) =>
  new AppError('rejected', 'no', { status, details: [{ code, message: `because of ${code}` }] })

const unknown = (cause: AppError) => new AppError('unknown', 'it may or may not', { cause })

it.each([
  ['a refused row', failed(rejected('TR02')), { kind: 'rejected', code: 'TR02', message: 'because of TR02' }],
  ['an unknown shipment', failed(rejected('SH01')), { kind: 'rejected', code: 'SH01' }],
  ['no shop: no row can succeed', failed(rejected('SC01')), { kind: 'stop' }],
  ['a shop of another token', failed(rejected('SC02')), { kind: 'rejected' }],
  ['no token', failed(new AppError('auth', 'no', { status: 401 })), { kind: 'stop' }],
  ['no such path', failed(new AppError('not-found', 'no', { status: 404 })), { kind: 'stop' }],
  ['settings', failed(new AppError('config', 'no')), { kind: 'stop' }],
  [
    'a limit',
    failed(new AppError('unavailable', 'slow', { status: 429 }), {
      mayRepeat: true,
      isThrottled: true,
      retryAfterMs: 2000,
    }),
    { kind: 'again', isThrottled: true, retryAfterMs: 2000, code: 'HTTP 429', message: 'slow' },
  ],
  [
    'no connection',
    failed(new AppError('unavailable', 'refused'), { mayRepeat: true }),
    { kind: 'again', isThrottled: false, code: 'unavailable' },
  ],
  [
    'an error of the service',
    failed(unknown(new AppError('unavailable', 'x', { status: 500 }))),
    { kind: 'unclear', code: 'HTTP 500', message: 'x' },
  ],
  ['no answer', failed(new AppError('unknown', 'gone')), { kind: 'unclear', code: 'unknown' }],
  [
    'an answer nobody can read',
    failed(unknown(new AppError('contract', '<html>', { status: 200 }))),
    { kind: 'unclear', message: '<html>' },
  ],
])('after an attempt, sendRow judges %s', async (_name, failure, attempt) => {
  expect(await sender(failure).send(row())).toMatchObject(attempt)
})

it('an accepted update is done', async () => {
  const { send } = updateSender(
    {
      attempt: async () => ({ acknowledgement: {}, applied: false, reason: 'stale' }),
      lookUp: async () => 'open',
    },
    SENT_AS_WRITTEN,
    0,
    () => {},
  )
  expect(await send(row())).toEqual({ kind: 'done', notApplied: 'stale' })
})

it('the time of an update is noted before it is sent', async () => {
  const { send, requests } = sender(failed(rejected('TR02')))
  await send(row())
  expect(requests).toEqual(['update', 'attempt'])
})

it('an interruption gives a row no outcome', async () => {
  const interrupted = new AppError('interrupted', 'Interrupted.')
  await expect(sender(failed(interrupted)).send(row())).rejects.toBe(interrupted)
})

const lost = failed(new AppError('unknown', 'reset'))

it('a row of an earlier run is looked up again until the platform must have answered', async () => {
  const late = sender(lost, ['not-happened', 'happened'], Date.now() + 300)
  expect(await late.settle(row(), signal)).toBe('happened')
  expect(late.asked.at(-1)).toBeGreaterThan(290)
})

it('a row that an earlier run sent is looked up once', async () => {
  const { settle, asked } = sender(lost, ['not-happened', 'happened'])
  expect(await settle(row(), signal)).toBe('not-happened')
  expect(asked).toHaveLength(1)
})

it('a row is looked up again while the service may still be busy with it', async () => {
  const { send, settle, asked } = sender(lost, ['not-happened', 'happened'])
  const one = row()
  await send(one)
  expect(await settle(one, signal)).toBe('happened')
  expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThan(200)
})

it('the wait before a look ends when the job is stopped', async () => {
  const { send, settle } = sender(failed(new AppError('unknown', 'late', { cause: { code: 'ETIMEDOUT' } })))
  const end = new AbortController()
  const one = row()
  await send(one)
  const started = performance.now()
  void delay(20).then(() => end.abort())
  expect(await settle(one, end.signal)).toBe('open')
  expect(performance.now() - started).toBeLessThan(600)
})

it.each([
  [new AppError('unavailable', 'out'), 'again'],
  [new AppError('rejected', 'no'), 'open'],
  [new AppError('not-found', 'no'), 'open'],
  [new AppError('contract', '?'), 'again'],
])('a failed look leaves the row open, or is repeated: %s', async (error, settled) => {
  expect(await sender(lost, [error]).settle(row(), signal)).toBe(settled)
})

it.each([
  new AppError('auth', 'expired'),
  new AppError('unavailable', 'TLS', { cause: Object.assign(new Error(), { code: 'CERT_HAS_EXPIRED' }) }),
])('a look that fails for a lasting reason ends the job: %s', async (error) => {
  expect(await sender(lost, [error]).settle(row(), signal)).toEqual({ stop: error })
})

it('an interrupted look settles nothing', async () => {
  const interrupted = new AppError('interrupted', 'Interrupted.')
  await expect(sender(lost, [interrupted]).settle(row(), signal)).rejects.toBe(interrupted)
})
