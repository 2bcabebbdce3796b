import type { Random } from '../demo/random.ts'
import type { TransportStatus } from './states.ts'

/*
 * How parcels travel and how long everything takes, in seconds: what the demo data tell of the past, and what a moved
 * clock brings about.
 */

const HOUR = 3600
const DAY = 24 * HOUR

/** Part of the steps after which nothing happens any more: parcels and people do get stuck. */
export const STUCK = 0.015
/** Part of the first transports that customers never hand in. */
export const ABANDONED = 0.1
/** How long a return waits for its parcel. */
export const EXPIRY = 30 * DAY
/** From a failure to the next transport. */
export const RETRY_WAIT = { from: 1 * HOUR, to: 2 * DAY }
/** From a request to the first scan, and from one scan to the next. */
export const FIRST_SCAN_WAIT = { from: 3 * HOUR, to: 8 * DAY }
export const SCAN_WAIT = { from: 2 * HOUR, to: 2 * DAY }
/** From a scan to the platform's knowing of it. */
export const REPORT_DELAY = { from: 20, to: 900 }

/** One way in which a transport goes, without its first state. */
export type Course = readonly TransportStatus[]
export const PICKED_UP: Course = [
  'PICK_UP_IN_PROGRESS',
  'PICK_UP_COMPLETED',
  'SHIPPING_IN_PROGRESS',
  'SHIPPING_COMPLETED',
]
const HANDED_IN: Course = ['SHIPPING_IN_PROGRESS', 'SHIPPING_COMPLETED']
const PICK_UP_MISHAPS: readonly Course[] = [
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_FAILED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_FAILED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_CANCELLED'],
  ['PICK_UP_IN_PROGRESS', 'PICK_UP_COMPLETED', 'SHIPPING_FAILED'],
]
const HAND_IN_MISHAPS: readonly Course[] = [
  ['SHIPPING_CANCELLED'],
  ['SHIPPING_FAILED'],
  ['SHIPPING_IN_PROGRESS', 'SHIPPING_FAILED'],
]

/** The third attempt succeeds at last. */
export function chooseCourse(random: Random, isPickUp: boolean, attempt: number): Course {
  const isMishap = attempt < 3 && random.chance(isPickUp ? 0.16 : 0.05)
  if (isMishap) return random.pick(isPickUp ? PICK_UP_MISHAPS : HAND_IN_MISHAPS)
  return isPickUp ? PICKED_UP : HANDED_IN
}
