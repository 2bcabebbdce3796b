import { seededRandom } from '../bulk-fakes.ts'
import { idealMs, type Outcome, type Setting, travelMs } from './simulation.ts'

/**
 * The least ratio (see `Outcome`) of all even paces with no more than `refusedShare` refused: what a client takes that
 * knows the limit, but not when its requests will arrive.
 */
export function bestEvenPace(setting: Setting, refusedShare: number): number {
  let best = Number.POSITIVE_INFINITY
  for (let percent = 60; percent <= 150; percent++) {
    const one = evenPace(setting, (setting.perSecond * percent) / 100)
    if (one.refusedShare <= refusedShare) best = Math.min(best, one.ratio)
  }
  return best
}

function evenPace(setting: Setting, pace: number): Pick<Outcome, 'ratio' | 'refusedShare'> {
  const { perSecond, latencyMs, rows, seed } = setting
  const random = seededRandom(seed)
  const service = setting.service(perSecond, random)
  // Late ones may come after those sent later.
  const arrivals = Array.from(
    { length: 3 * rows },
    (_, sent) => (sent * 1000) / pace + travelMs(latencyMs, random),
  )
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
