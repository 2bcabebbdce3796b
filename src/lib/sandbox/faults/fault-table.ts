import { AppError } from '../../errors.ts'
import { type Fault, type FaultInput, faultSchema } from './fault.ts'
import { routeMatcher } from './faults.ts'

export interface FaultRecord extends Fault {
  /** Requests of its route. */
  seen: number
  hits: number
}

export interface Hit {
  fault: Fault
  /** Number of the request among those of the fault's route, from 0. */
  index: number
}

interface Entry {
  fault: Fault
  matches(method: string, path: string): boolean
  seen: number
  hits: number
}

/**
 * Whether a fault hits the n-th request of its route depends on seed, id and n alone: a run can be repeated.
 * All that match count the request; the first in the list that hits is applied.
 */
export class FaultTable {
  #entries: Entry[]

  /** With their counts so far. */
  constructor(records: readonly FaultRecord[] = []) {
    this.#entries = records.map(({ seen, hits, ...fault }) => ({
      ...{ fault, seen, hits },
      matches: routeMatcher(fault.route),
    }))
  }

  /** Whether a request of that route counts. */
  concerns(method: string, path: string): boolean {
    return this.#entries.some(({ matches }) => matches(method, path))
  }

  list(): FaultRecord[] {
    return this.#entries.map(({ fault, seen, hits }) => ({ ...fault, seen, hits }))
  }

  /** Replaces all, counts included. @throws AppError `usage` for two of one id */
  set(faults: readonly FaultInput[]): FaultRecord[] {
    const before = this.#entries
    this.#entries = []
    try {
      for (const fault of faults) this.add(fault)
    } catch (error) {
      this.#entries = before
      throw error
    }
    return this.list()
  }

  /** @throws AppError `usage` for an id that is taken */
  add(input: FaultInput): FaultRecord {
    const read = faultSchema.parse(input)
    const fault = { ...read, id: read.id ?? this.#freeId() }
    if (this.#has(fault.id)) {
      throw new AppError('usage', `There is a fault ${fault.id} already.`, { hints: ['choose another id'] })
    }
    this.#entries.push({ fault, matches: routeMatcher(fault.route), seen: 0, hits: 0 })
    return { ...fault, seen: 0, hits: 0 }
  }

  /** @throws AppError `not-found` for an id that there is not */
  remove(id: string): void {
    if (!this.#has(id)) throw new AppError('not-found', `There is no fault ${id}`)
    this.#entries = this.#entries.filter(({ fault }) => fault.id !== id)
  }

  clear(): void {
    this.#entries = []
  }

  next(method: string, path: string): Hit | undefined {
    let hit: Hit | undefined
    for (const entry of this.#entries) {
      if (!entry.matches(method, path)) continue
      const index = entry.seen
      entry.seen += 1
      if (hit !== undefined || !wouldHit(entry, index)) continue
      entry.hits += 1
      hit = { fault: entry.fault, index }
    }
    return hit
  }

  #has(id: string): boolean {
    return this.#entries.some(({ fault }) => fault.id === id)
  }

  /** The lowest free one, not a counter: the same list set again must have the same ids, on which hits depend. */
  #freeId(): string {
    let number = 1
    while (this.#has(`fault-${number}`)) number += 1
    return `fault-${number}`
  }
}

function wouldHit({ fault, hits }: Entry, index: number): boolean {
  if (index < fault.after || (fault.count !== undefined && hits >= fault.count)) return false
  return chanceOf(fault, index) < fault.rate
}

/** Returns a number from 0 to below 1: the same for the same seed, id and number of request. */
export function chanceOf({ seed, id }: Pick<Fault, 'seed' | 'id'>, index: number, purpose = ''): number {
  // FNV-1a, then the finalizer of MurmurHash3: without it, neighbours get similar values.
  let hash = 0x811c9dc5
  for (const char of `${seed} ${id} ${index} ${purpose}`) {
    hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}
