import { seededRandom } from '../bulk-fakes.ts'
import { idealMs, type Setting, travelMs } from './simulation.ts'

export interface EvenPace {
  ratio: number
  refusedShare: number
}

/**
 * The best that a client does which knows the service and sends evenly, refused rows again: the least time of all paces
 * that stay within `refusedShare`. It can no more see the jitter of the way than any other client can.
 */
export function bestEvenPace(setting: Setting, refusedShare: number): EvenPace {
  let best: EvenPace = { ratio: Number.POSITIVE_INFINITY, refusedShare: 0 }
  for (let percent = 60; percent <= 130; percent++) {
    const one = evenPace(setting, (setting.perSecond * percent) / 100)
    if (one.refusedShare <= refusedShare && one.ratio < best.ratio) best = one
  }
  return best
}

function evenPace(setting: Setting, pace: number): EvenPace {
  const { perSecond, latencyMs, rows, seed } = setting
  const random = seededRandom(seed)
  const service = setting.service(perSecond, random)
  /** Those that come late may come after those sent later. */
  const arrivals = Array.from({ length: 3 * rows }, (_, sent) => (sent * 1000) / pace + travelMs(latencyMs, random))
  arrivals.sort((one, other) => one - other)
  let accepted = 0
  let answered = 0
  let last = 0
  while (accepted < rows && answered < arrivals.length) {
    last = arrivals[answered++]!
    if (service.arrive(last) === 'accepted') accepted += 1
  }
  const ratio = accepted < rows ? Number.POSITIVE_INFINITY : (last + latencyMs / 2) / idealMs(setting)
  return { ratio, refusedShare: 1 - accepted / answered }
}
