/** Answer of a service. A refusal (429) carries the time until it expects room. */
export type Verdict = 'accepted' | 'down' | { roomInMs: number }

/** A service in virtual time from 0. */
export interface Service {
  /** Handles an arriving request. */
  arrive(now: number): Verdict
  /** Called when an accepted request is answered. */
  leave?(now: number): void
  /** Completion time of a request that arrives now, if it depends on the load. */
  workMs?(now: number): number
}

export type ServiceOf = (perSecond: number, random: () => number) => Service

export function tokenBucket(perSecond: number, size: number, filled: number): Service {
  let tokens = filled
  let at = 0
  return {
    arrive(now) {
      tokens = Math.min(size, tokens + ((now - at) * perSecond) / 1000)
      at = now
      if (tokens < 1) return { roomInMs: ((1 - tokens) * 1000) / perSecond }
      tokens -= 1
      return 'accepted'
    },
  }
}

/** @param phaseMs age of the first window at the start of the job */
export function fixedWindow(perWindow: number, windowMs: number, phaseMs: number): Service {
  let window = -1
  let count = 0
  return {
    arrive(at) {
      const now = at + phaseMs
      const current = Math.floor(now / windowMs)
      if (current !== window) count = 0
      window = current
      if (count >= perWindow) return { roomInMs: (window + 1) * windowMs - now }
      count += 1
      return 'accepted'
    },
  }
}

export function slidingWindow(perWindow: number, windowMs: number): Service {
  const taken: number[] = []
  let first = 0
  return {
    arrive(now) {
      while (first < taken.length && taken[first]! <= now - windowMs) first += 1
      if (taken.length - first >= perWindow) return { roomInMs: taken[first]! + windowMs - now }
      taken.push(now)
      return 'accepted'
    },
  }
}

/** Limits parallel requests. */
export function concurrencyLimit(limit: number): Service {
  let underWay = 0
  return {
    arrive() {
      if (underWay >= limit) return { roomInMs: 0 }
      underWay += 1
      return 'accepted'
    },
    leave() {
      underWay -= 1
    },
  }
}

/** Refuses at random, independent of the rate. */
export function moody(share: number, random: () => number): Service {
  return { arrive: () => (random() < share ? { roomInMs: 0 } : 'accepted') }
}

/** A queue in front of one worker of `perSecond`. */
export function queueOf(perSecond: number): Service {
  let freeAt = 0
  return {
    arrive: () => 'accepted',
    workMs(now) {
      freeAt = Math.max(freeAt, now) + 1000 / perSecond
      return freeAt - now
    },
  }
}

/** A service whose capacity another client halves in alternating periods. */
export function shared(service: Service, perSecond: number, turnMs: number): Service {
  const gapMs = 2000 / perSecond
  let next = 0
  return {
    arrive(now) {
      for (; next <= now; next += gapMs) if (Math.floor(next / turnMs) % 2 === 1) service.arrive(next)
      return service.arrive(now)
    },
  }
}

/** Alternates two services, each for `turnMs`. */
export function alternating(first: Service, second: Service, turnMs: number): Service {
  return { arrive: (now) => (Math.floor(now / turnMs) % 2 === 0 ? first : second).arrive(now) }
}

/** Switches from one service to another at a given time. */
export function changing(before: Service, atMs: number, after: Service): Service {
  return { arrive: (now) => (now < atMs ? before : after).arrive(now) }
}

/** Outage of a service; `refuses` answers 429 with the time of its end. */
export function out(service: Service, from: number, to: number, refuses: boolean): Service {
  return {
    arrive(now) {
      if (now < from || now >= to) return service.arrive(now)
      return refuses ? { roomInMs: to - now } : 'down'
    },
  }
}

/** Accepts requests that both services accept. */
export function both(first: Service, second: Service): Service {
  return {
    arrive(now) {
      const verdict = first.arrive(now)
      return verdict === 'accepted' ? second.arrive(now) : verdict
    },
  }
}
