import { isTransportOver } from '../wire/transport-states.ts'
import type { Transportation } from '../wire/transportations.ts'
import {
  DAY_MS,
  HOUR_MS,
  instantOf,
  MINUTE_MS,
  minutesOf,
  type ReturnFacts,
  scansOf,
  spanText,
} from './case.ts'
import { DurationHistogram } from './duration-histogram.ts'
import { PATIENCE_MS, type Stop, type StuckRule, stopsOf, type Waiting } from './stops.ts'

export interface StuckReturn extends Omit<Waiting, 'since'> {
  rule: StuckRule
  /** The rule with its numbers: what was waited for, how long it may take, how that is known. */
  why: string
  /** When it stopped, as the service wrote it. */
  since: string
  hours: number
  /** Number of gaps between scans that the limit of `no-scan` was taken from. */
  samples?: number
  /** Words of the command that leads on, without the program's name. */
  next: readonly string[]
}

/** 68 hours; twice as much is beyond all that a limit has to be exact for. */
const EXACT_MINUTES = 4096
const FEW_SAMPLES = 50
const LIMIT_WITH_FEW_MS = 7 * DAY_MS

/** How long a parcel of a carrier service may go without a scan. */
export interface ScanLimit {
  limitMs: number
  /** 95th percentile of the gaps; undefined with too few of them. */
  p95Ms: number | undefined
  samples: number
}

/** When a return counts as stuck, unless something happens: at the earliest, in ms; undefined: nothing is waited for. */
export function stuckFrom(facts: ReturnFacts): number | undefined {
  const instants = stopsOf(facts).flatMap(({ waiting: { since }, limitMs }) => {
    const sinceMs = instantOf(since)
    return sinceMs === undefined ? [] : [sinceMs + (limitMs ?? PATIENCE_MS)]
  })
  return instants.length === 0 ? undefined : Math.min(...instants)
}

/** Minutes between scans of a transport that has ended, which tell how long others may take; else none. */
export function scanGapsOf(transport: Transportation): number[] {
  if (!isTransportOver(transport.status)) return []
  const scans = scansOf(transport)
  return scans.slice(1).map(({ at }, before) => minutesOf(at - (scans[before]?.at ?? at)))
}

/** Finds what does not move on, once it has learnt how long a parcel may go unscanned. */
export class StuckFinder {
  readonly #now: number
  readonly #gaps = new Map<string, DurationHistogram>()
  readonly #limits = new Map<string, ScanLimit>()
  /** Kept short, and completed on demand: a fifth of a million fits into memory. */
  readonly #found: Found[] = []
  /** Each once, as they are those of many returns. */
  readonly #texts = new Map<unknown, unknown>()

  /** `now` in ms since the epoch, by the platform's clock. */
  constructor(now: number) {
    this.#now = now
  }

  /** Gaps of a carrier service (`scanGapsOf`). */
  learn(
    carrier: string | null | undefined,
    service: string | null | undefined,
    gapMinutes: Iterable<number>,
  ): void {
    const key = serviceKey(carrier, service)
    const gaps = this.#gaps.get(key) ?? new DurationHistogram(EXACT_MINUTES)
    this.#gaps.set(key, gaps)
    this.#limits.delete(key)
    for (const minutes of gapMinutes) gaps.add(minutes)
  }

  /** After all was learnt. */
  add(facts: ReturnFacts): void {
    for (const { waiting, rule, what, next, limitMs } of stopsOf(facts)) {
      const { carrier, carrierService, since } = waiting
      const ageMs = this.#ageOf(since)
      if (!(ageMs > (limitMs ?? this.limitOf(carrier, carrierService).limitMs))) continue
      this.#found.push({
        name: waiting.name,
        id: waiting.id,
        shop: this.#once(waiting.shop),
        status: this.#once(waiting.status),
        carrier: this.#once(carrier),
        carrierService: this.#once(carrierService),
        since: String(since),
        rule,
        what: this.#once(what),
        next,
        limitMs,
        hours: Math.floor(ageMs / HOUR_MS),
      })
    }
  }

  /** All that is stuck, the oldest first. */
  *found(): Generator<StuckReturn, void, undefined> {
    this.#found.sort((a, b) => b.hours - a.hours || (a.name < b.name ? -1 : 1))
    for (const one of this.#found) yield this.#tell(one)
  }

  limitOf(carrier: string | null | undefined, service: string | null | undefined): ScanLimit {
    const key = serviceKey(carrier, service)
    const known = this.#limits.get(key)
    if (known !== undefined) return known
    const gaps = this.#gaps.get(key)
    const samples = gaps?.count ?? 0
    const p95 = samples < FEW_SAMPLES ? undefined : gaps?.percentile(95)
    const p95Ms = p95 === undefined ? undefined : p95 * MINUTE_MS
    const limitMs = p95Ms === undefined ? LIMIT_WITH_FEW_MS : Math.max(PATIENCE_MS, 2 * p95Ms)
    const limit = { limitMs, p95Ms, samples }
    this.#limits.set(key, limit)
    return limit
  }

  #tell({ what, limitMs: fixedMs, next, ...found }: Found): StuckReturn {
    const learnt = fixedMs === undefined ? this.#learnt(found) : undefined
    const limitMs = fixedMs ?? learnt?.limitMs ?? 0
    const limit = limitMs === 0 ? '' : `; the limit is ${spanText(limitMs)}`
    const why = `${what} for ${spanText(this.#ageOf(found.since))}${limit}`
    return {
      ...found,
      why: learnt === undefined ? why : `${why} (${learnt.basis})`,
      ...(learnt && { samples: learnt.samples }),
      next: next === 'reply' ? ['returns', 'explain', found.name, '--reply'] : ['returns', next, found.name],
    }
  }

  #learnt({ carrier, carrierService }: Pick<Found, 'carrier' | 'carrierService'>) {
    const { limitMs, p95Ms, samples } = this.limitOf(carrier, carrierService)
    const service = [carrier, carrierService].filter(Boolean).join(' ')
    const gaps = `${samples} gaps between scans of ${service}`
    const basis =
      p95Ms === undefined
        ? `${gaps} are too few to tell, ${FEW_SAMPLES} would do`
        : `95 % of ${gaps} are within ${spanText(p95Ms)}; the limit is twice that, at least ${spanText(PATIENCE_MS)}`
    return { limitMs, samples, basis }
  }

  #ageOf(since: string | null | undefined): number {
    return this.#now - (instantOf(since) ?? Number.POSITIVE_INFINITY)
  }

  #once<T extends string | undefined>(text: T): T {
    const known = this.#texts.get(text)
    if (known !== undefined) return known as T
    this.#texts.set(text, text)
    return text
  }
}

type Found = Omit<StuckReturn, 'why' | 'samples' | 'next'> & Pick<Stop, 'what' | 'next' | 'limitMs'>

function serviceKey(carrier: string | null | undefined, service: string | null | undefined): string {
  return `${carrier ?? ''}\n${service ?? ''}`
}
