/** The platform's time, in ms since the epoch; passed in, so that tests choose the day. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that is ahead of another one by `offset()` seconds. */
export function movedClock(clock: Clock, offset: () => number): Clock {
  return { now: () => clock.now() + offset() * 1000 }
}
