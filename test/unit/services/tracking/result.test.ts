import { expect, it } from 'vitest'
import { Reasons } from '../../../../src/lib/bulk/run/reasons.ts'
import type { BulkProgress } from '../../../../src/lib/bulk/run/run-request.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { jobFailure, progressText } from '../../../../src/lib/services/tracking/result.ts'
import { ALL_SUCCEEDED } from '../../../helpers/bulk-fakes.ts'

const PROGRESS: BulkProgress = {
  done: 500,
  total: 2000,
  succeeded: 490,
  failed: 0,
  unknown: 0,
  skipped: 10,
  rate: 120.4,
  etaMs: 12_500,
  concurrency: 8,
  reason: undefined,
  until: undefined,
  state: 'running',
}

it.each<[Partial<BulkProgress>, string]>([
  [{}, 'Sending: 500 of 2000 (25 %), 120/s, 8 at once, 13 s left'],
  [
    { rate: 1.26, etaMs: 7_500_000, failed: 2, unknown: 1 },
    'Sending: 500 of 2000 (25 %), 1.3/s, 8 at once, 2 h 05 min left, 2 failed, 1 unknown',
  ],
  [{ etaMs: undefined }, 'Sending: 500 of 2000 (25 %), 120/s, 8 at once'],
  [{ etaMs: 600_000 }, 'Sending: 500 of 2000 (25 %), 120/s, 8 at once, 10 min left'],
  [{ state: 'draining', done: 1999 }, 'Finishing what is under way: 1999 of 2000 (99 %), 120/s, 8 at once'],
  [
    { state: 'paused', reason: 'HTTP 503', until: 4000 },
    'Sending: 500 of 2000 (25 %), 120/s, 8 at once, paused: HTTP 503, next try in 3 s',
  ],
  [{ total: 0, done: 0 }, 'Sending: 0 of 0 (100 %), 120/s, 8 at once, 13 s left'],
])('progress %j', (change, text) => expect(progressText({ ...PROGRESS, ...change }, 1000)).toBe(text))

it.each<[Partial<Parameters<typeof jobFailure>[1]>, string | undefined, RegExp]>([
  [{}, undefined, /^$/],
  [{ skipped: 10, succeeded: 0 }, undefined, /^$/],
  [{ failed: 2 }, 'partial', /2 of 10 rows failed\.|jobs retry j1/],
  [{ failed: 2, unknown: 1 }, 'partial', /--unknown/],
  [{ unknown: 1 }, 'unknown', /jobs retry j1 --unknown/],
  [{ remaining: 3, stop: { reason: 'interrupted' } }, 'interrupted', /jobs resume j1/],
  [{ failed: 4, stop: { reason: 'failures' } }, 'partial', /^4 of 10 rows failed\.\n(?!.*resume)/s],
  [
    {
      remaining: 10,
      stop: {
        reason: 'error',
        error: new AppError('rejected', 'No shop.', { details: [{ code: 'SC01', message: 'no shop' }] }),
      },
    },
    'rejected',
    /^Stopped: No shop; 10 rows remain\.(?!.*resume)/s,
  ],
  [{ remaining: 3, failed: 4, stop: { reason: 'failures' } }, 'partial', /too many.*jobs resume j1/s],
  [
    { remaining: 3, stop: { reason: 'outage', message: 'out' } },
    'unavailable',
    /out; 3 rows remain.*jobs resume j1/s,
  ],
  [
    {
      remaining: 3,
      stop: { reason: 'error', error: new AppError('auth', 'No token.', { hints: ['sign in'] }) },
    },
    'auth',
    /Stopped: No token; 3 rows remain\..*sign in.*jobs resume j1/s,
  ],
])('a job that ends with %j', (result, kind, words) => {
  const failure = jobFailure('j1', { ...ALL_SUCCEEDED, ...result }, null, new Reasons())
  expect(failure?.kind).toBe(kind)
  expect([failure?.message ?? '', ...(failure?.hints ?? [])].join('\n')).toMatch(words)
})
