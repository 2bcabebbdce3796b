/** Ms since the epoch. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** Ahead by `offset()` seconds. */
export function movedClock(clock: Clock, offset: () => number): Clock {
  return { now: () => clock.now() + offset() * 1000 }
}
