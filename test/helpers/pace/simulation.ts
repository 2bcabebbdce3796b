import { Ledger } from '../../../src/lib/bulk/job/ledger.ts'
import { runBulk } from '../../../src/lib/bulk/run/bulk-run.ts'
import type { Attempt, BulkRow } from '../../../src/lib/bulk/run/run-request.ts'
import { memoryJournal, rowsOf, seededRandom } from '../bulk-fakes.ts'
import { VirtualClock } from '../virtual-clock.ts'
import type { Service, ServiceOf } from './services.ts'

/** Wait stated by a refusal: none, 0 s, exact, rounded up to whole seconds, or 1 s. */
export type Stating = 'none' | 'zero' | 'exact' | 'rounded' | 'one'

const STATED: Record<Stating, (roomInMs: number) => number | undefined> = {
  none: () => undefined,
  zero: () => 0,
  exact: (ms) => ms,
  rounded: (ms) => Math.ceil(ms / 1000) * 1000,
  one: () => 1000,
}

export interface Setting {
  service: ServiceOf
  stating: Stating
  perSecond: number
  latencyMs: number
  rows: number
  concurrency: number
  seed: number
  /** Service as known to an ideal client, if different. */
  idealService?: ServiceOf | undefined
  idealConcurrency?: number | undefined
  /** One stop of the client or of the service. */
  stall?: { at: number; ms: number; client: boolean } | undefined
}

export interface Outcome {
  succeeded: number
  ms: number
  /** Multiple of the shortest time in which a client that knows the service could send the rows. */
  ratio: number
  /** Share of all requests answered. */
  refusedShare: number
}

/** Runs a job with the real loop against a service in virtual time. */
export async function simulate(setting: Setting): Promise<Outcome> {
  const { stating, perSecond, latencyMs, rows, concurrency, seed } = setting
  const clock = new VirtualClock()
  const random = seededRandom(seed)
  const began = clock.now()
  const service = setting.service(perSecond, random)
  let answered = 0
  let refused = 0
  const { stall = { at: 0, ms: 0, client: false } } = setting
  /** Rest of the stop of the client or of the service. No promise, since nearly all requests meet none. */
  const stalledMs = (isClient: boolean) => {
    const leftMs = stall.at + stall.ms - (clock.now() - began)
    return stall.client === isClient && leftMs > 0 && leftMs <= stall.ms ? leftMs : 0
  }
  const send = async (_row: BulkRow<number>): Promise<Attempt> => {
    if (stalledMs(true) > 0) await clock.sleep(stalledMs(true))
    await clock.sleep(travelMs(latencyMs, random))
    if (stalledMs(false) > 0) await clock.sleep(stalledMs(false))
    const now = clock.now() - began
    const verdict = service.arrive(now)
    if (verdict === 'accepted') await clock.sleep(travelMs(latencyMs, random) + (service.workMs?.(now) ?? 0))
    else await clock.sleep(travelMs(latencyMs, random))
    if (stalledMs(true) > 0) await clock.sleep(stalledMs(true))
    answered += 1
    if (verdict === 'accepted') {
      service.leave?.(clock.now() - began)
      return { kind: 'done' }
    }
    const failure = { kind: 'again', code: 'RL01', message: 'refused' } as const
    if (verdict === 'down') return { ...failure, isThrottled: false }
    refused += 1
    return { ...failure, isThrottled: true, retryAfterMs: STATED[stating](verdict.roomInMs) }
  }
  const result = await clock.drive(
    runBulk({
      rows: rowsOf(rows, String),
      send,
      settle: async () => 'open',
      journal: memoryJournal(new Ledger()),
      options: { total: rows, maxAttempts: 4, concurrency },
      clock,
      random,
    }),
  )
  return {
    succeeded: result.succeeded,
    ms: result.durationMs,
    ratio: result.durationMs / idealMs(setting),
    refusedShare: refused / answered,
  }
}

/** Half of the latency, ± 30 %. */
function travelMs(latencyMs: number, random: () => number): number {
  return (latencyMs / 2) * (0.7 + random() * 0.6)
}

/**
 * Time of an ideal client that asks as soon as there is room, with as many parallel requests as allowed. It repeats a
 * randomly refused row after the stated wait.
 */
function idealMs(setting: Setting): number {
  const { perSecond, latencyMs, rows, seed, stating } = setting
  const concurrency = Math.min(setting.concurrency, setting.idealConcurrency ?? setting.concurrency)
  const service: Service = (setting.idealService ?? setting.service)(perSecond, seededRandom(seed))
  const slots = new Float64Array(concurrency)
  const again: number[] = []
  const waitMs = STATED[stating](0) ?? 0
  let now = 0
  let last = 0
  let fresh = rows
  for (let ended = 0; ended < rows; ) {
    const slot = indexOfLeast(slots)
    now = Math.max(now, slots[slot]!, fresh === 0 ? again[0]! : 0)
    const verdict = service.arrive(now)
    if (verdict === 'down') now += 1
    else if (verdict !== 'accepted' && verdict.roomInMs > 0) now += verdict.roomInMs + 1e-6
    else {
      if (!takeDue(again, now)) fresh -= 1
      slots[slot] = now + latencyMs + (service.workMs?.(now) ?? 0)
      last = Math.max(last, slots[slot]!)
      if (verdict === 'accepted') ended += 1
      else again.push(slots[slot]! + waitMs)
    }
  }
  return last
}

function takeDue(times: number[], now: number): boolean {
  const isDue = times.length > 0 && times[0]! <= now
  if (isDue) times.shift()
  return isDue
}

function indexOfLeast(numbers: Float64Array): number {
  let least = 0
  for (let other = 1; other < numbers.length; other++) if (numbers[other]! < numbers[least]!) least = other
  return least
}
