import { offsetAt } from '../wire/time.ts'
import { DAY_MS, MINUTE_MS } from './case.ts'

const DAY_MINUTES = DAY_MS / MINUTE_MS

/** Days of a zone, told of a million times in little more than it takes to divide. */
export class ZoneDays {
  readonly #zone: string
  /** By days since the epoch in UTC; null where the zone changes its offset. */
  readonly #offsets = new Map<number, number | null>()

  constructor(zone: string) {
    this.#zone = zone
  }

  /** Days since the epoch, of minutes since then. */
  dayOf(minute: number): number {
    return Math.floor((minute + this.#offsetAt(minute)) / DAY_MINUTES)
  }

  /** Minutes that the zone is ahead of UTC. */
  #offsetAt(minute: number): number {
    const day = Math.floor(minute / DAY_MINUTES)
    let offset = this.#offsets.get(day)
    if (offset === undefined) {
      const [begin, end] = [day, day + 1].map((one) => offsetAt(one * DAY_MS, this.#zone)) as [number, number]
      offset = begin === end ? begin / MINUTE_MS : null
      this.#offsets.set(day, offset)
    }
    return offset ?? offsetAt(minute * MINUTE_MS, this.#zone) / MINUTE_MS
  }
}
