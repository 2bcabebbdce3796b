/** The platform's own time, in ms since the epoch. Passed in, so that tests decide what day it is. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }

/** A clock that is ahead of another one by as many seconds as `offset` says at the time. */
export function movedClock(clock: Clock, offset: () => number): Clock {
  return { now: () => clock.now() + offset() * 1000 }
}
