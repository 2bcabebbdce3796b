import type { TransportStatus } from '../../wire/enumerations.ts'
import type { Random } from '../demo/random.ts'
import courses from './courses.json'

const HOUR = 3600
const DAY = 24 * HOUR

/** Times in seconds, for demo data and a moved clock. */
export const JOURNEY = {
  /** Share of steps after which parcels get stuck. */
  stuck: 0.015,
  /** Share of first transports never handed in. */
  abandoned: 0.1,
  expiry: 30 * DAY,
  retryWait: [1 * HOUR, 2 * DAY],
  firstScanWait: [3 * HOUR, 8 * DAY],
  scanWait: [2 * HOUR, 2 * DAY],
  reportDelay: [20, 900],
} as const

type Course = readonly TransportStatus[]
const { handedIn, pickUpMishaps, handInMishaps } = courses as Readonly<
  Record<'handedIn', Course> & Record<'pickUpMishaps' | 'handInMishaps', readonly Course[]>
>
export const PICKED_UP = courses.pickedUp as Course

/** The third attempt succeeds. */
export function chooseCourse(random: Random, isPickUp: boolean, attempt: number): Course {
  const isMishap = attempt < 3 && random.chance(isPickUp ? 0.16 : 0.05)
  if (isMishap) return random.pick(isPickUp ? pickUpMishaps : handInMishaps)
  return isPickUp ? PICKED_UP : handedIn
}
