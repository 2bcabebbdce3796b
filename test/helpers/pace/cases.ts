import { seededRandom } from '../bulk-fakes.ts'
import {
  alternating,
  both,
  changing,
  concurrencyLimit,
  fixedWindow,
  moody,
  out,
  queueOf,
  type Service,
  type ServiceOf,
  shared,
  slidingWindow,
  tokenBucket,
} from './services.ts'
import type { Setting, Stating } from './simulation.ts'

export interface Model {
  name: string
  /** Cause of refusals: lack of room, or chance at any rate. */
  kind: 'limit' | 'chance'
  statings: readonly Stating[]
  service(setting: { perSecond: number; latencyMs: number; spanMs: number; random: () => number }): Service
  /** Service as left by other clients. */
  ideal?(setting: { perSecond: number }): Service
  /** Number of requests that the service accepts at once. */
  atOnce?(perSecond: number, latencyMs: number): number
  /** True if only the client's concurrency limits the service. */
  isUnlimited?: boolean
  /** Duration of the job in seconds at the limit. */
  seconds?: number
}

const ANY: readonly Stating[] = ['none', 'exact', 'rounded']

const bucket = (perSecond: number) => tokenBucket(perSecond, perSecond, 0)
const smallBucket = (perSecond: number) => Math.max(1, perSecond / 10)
const atOnce = (perSecond: number, latencyMs: number) =>
  Math.max(4, Math.round((perSecond * latencyMs) / 1000))

const RATE_LIMITS: readonly Omit<Model, 'kind' | 'statings'>[] = [
  {
    name: 'token bucket of a second, full',
    service: ({ perSecond }) => tokenBucket(perSecond, perSecond, perSecond),
  },
  {
    name: 'token bucket of a second, empty',
    service: ({ perSecond }) => bucket(perSecond),
  },
  {
    name: 'token bucket of a tenth, full',
    service: ({ perSecond }) => tokenBucket(perSecond, smallBucket(perSecond), smallBucket(perSecond)),
  },
  {
    name: 'token bucket of a tenth, empty',
    service: ({ perSecond }) => tokenBucket(perSecond, smallBucket(perSecond), 0),
  },
  {
    name: 'fixed window of a second',
    service: ({ perSecond, random }) => fixedWindow(perSecond, 1000, random() * 1000),
  },
  {
    name: 'sliding window of a second',
    service: ({ perSecond }) => slidingWindow(perSecond, 1000),
  },
  {
    name: 'fixed window of a minute',
    seconds: 150,
    service: ({ perSecond }) => fixedWindow(perSecond * 60, 60_000, 0),
  },
  {
    name: 'sliding window of a minute',
    seconds: 150,
    service: ({ perSecond }) => slidingWindow(perSecond * 60, 60_000),
  },
]

export const MODELS: readonly Model[] = [
  ...RATE_LIMITS.map((model): Model => ({ ...model, kind: 'limit', statings: ANY })),
  ...[2, 5].map(
    (percent): Model => ({
      name: `${percent} % refused by chance`,
      kind: 'chance',
      isUnlimited: true,
      statings: ['none', 'zero', 'one'],
      service: ({ random }) => moody(percent / 100, random),
    }),
  ),
  ...[2, 5].map(
    (percent): Model => ({
      name: `${percent} % by chance over a bucket of a second`,
      kind: 'chance',
      statings: ['none', 'zero', 'one'],
      seconds: 60,
      service: ({ perSecond, random }) => both(moody(percent / 100, random), bucket(perSecond)),
    }),
  ),
  {
    name: 'so many at once',
    kind: 'limit',
    statings: ['none', 'one'],
    service: ({ perSecond, latencyMs }) => concurrencyLimit(atOnce(perSecond, latencyMs)),
    atOnce,
  },
  {
    name: 'latency that rises with load',
    kind: 'limit',
    statings: ['none'],
    service: ({ perSecond }) => queueOf(perSecond),
  },
  {
    name: 'half taken by another, in turns',
    kind: 'limit',
    statings: ANY,
    seconds: 60,
    service: ({ perSecond }) => shared(bucket(perSecond), perSecond, 20_000),
    ideal: ({ perSecond }) => alternating(bucket(perSecond), bucket(perSecond / 2), 20_000),
  },
  {
    name: 'limit doubled half-way',
    kind: 'limit',
    statings: ANY,
    seconds: 60,
    service: ({ perSecond, spanMs }) => changing(bucket(perSecond), spanMs / 2, bucket(2 * perSecond)),
  },
  {
    name: 'limit halved half-way',
    kind: 'limit',
    statings: ANY,
    seconds: 60,
    service: ({ perSecond, spanMs }) => changing(bucket(perSecond), spanMs / 2, bucket(perSecond / 2)),
  },
  {
    name: 'no connection for 30 s',
    kind: 'limit',
    statings: ['none'],
    seconds: 60,
    service: ({ perSecond }) => out(bucket(perSecond), 10_000, 40_000, false),
  },
  {
    name: 'all refused for 30 s',
    kind: 'limit',
    statings: ANY,
    seconds: 60,
    service: ({ perSecond }) => out(bucket(perSecond), 10_000, 40_000, true),
  },
]

/** Fewer rows would measure only the start. */
const LEAST_ROWS = 1200
const MOST_ROWS = 20_000

export interface Case extends Setting {
  model: Model
}

export function caseOf(
  model: Model,
  {
    perSecond,
    latencyMs,
    stating,
    seed,
  }: { perSecond: number; latencyMs: number; stating: Stating; seed: number },
): Case {
  const limitAtOnce = model.atOnce?.(perSecond, latencyMs)
  const pace = model.isUnlimited
    ? 8000 / latencyMs
    : limitAtOnce
      ? (1000 * limitAtOnce) / latencyMs
      : perSecond
  const rows = Math.round(Math.min(MOST_ROWS, Math.max(pace * (model.seconds ?? 10), LEAST_ROWS)))
  const spanMs = (rows / perSecond) * 1000
  return {
    model,
    service: (_perSecond, random) => model.service({ perSecond, latencyMs, spanMs, random }),
    idealService: idealOf(model),
    idealConcurrency: limitAtOnce,
    stating,
    perSecond,
    latencyMs,
    rows,
    concurrency: model.isUnlimited
      ? 8
      : Math.min(256, Math.max(8, Math.ceil((1.5 * perSecond * latencyMs) / 1000))),
    stall: stallOf((rows / pace) * 1000, seed),
    seed,
  }
}

/** One stop of 50 to 400 ms at a random moment, alternately of the client and of the service. */
function stallOf(spanMs: number, seed: number): Setting['stall'] {
  const random = seededRandom(seed)
  return { at: random() * spanMs, ms: 50 + 350 * random(), client: seed % 2 === 0 }
}

function idealOf({ atOnce, ideal }: Model): ServiceOf | undefined {
  if (atOnce) return () => ({ arrive: () => 'accepted' })
  return ideal && ((perSecond) => ideal({ perSecond }))
}
