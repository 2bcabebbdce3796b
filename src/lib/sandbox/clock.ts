/** The platform's own time, in ms since the epoch. Passed in, so that tests decide what day it is. */
export interface Clock {
  now(): number
}

export const systemClock: Clock = { now: () => Date.now() }
