import { type Case, casesOf, type Model } from './cases.ts'
import { bestEvenPace } from './even-pace.ts'
import { type Outcome, simulate } from './simulation.ts'

const RATIO = 1.1
/** Where the limit is so low that a second tells little. */
const LOW_PACE = 5
const LOW_PACE_RATIO = 1.25
const REFUSED = 0.03
/** Where no even pace meets the goal, so much more than the best of them takes is the goal. */
const NEAR = 1.05

interface Cell {
  ratio: number
  refused: number
  /** Of an even pace, where the time is longer than the goal. */
  best: number
  isSlow: boolean
}

export interface Line {
  /** As it stands in docs/pace.md: the worst of each pace; what misses its goal is bold. */
  text: string
  unfinished: number
}

/** One model against all paces, latencies and ways to state a wait. */
export async function lineOf(model: Model): Promise<Line> {
  const worst = new Map<number, Cell>()
  let unfinished = 0
  for (const one of casesOf(model)) {
    const outcome = await simulate(one)
    if (outcome.succeeded !== one.rows) unfinished += 1
    const so = worst.get(one.perSecond) ?? { ratio: 0, refused: 0, best: 0, isSlow: false }
    so.ratio = Math.max(so.ratio, outcome.ratio)
    so.refused = Math.max(so.refused, outcome.refusedShare)
    if (missesTime(one, outcome)) {
      const best = model.isUneven ? bestEvenPace(one, Math.max(REFUSED, outcome.refusedShare)) : 0
      so.best = Math.max(so.best, best)
      so.isSlow ||= best <= timeGoal(one.perSecond) || outcome.ratio > NEAR * best
    }
    worst.set(one.perSecond, so)
  }
  const cells = [...worst].map(([perSecond, { ratio, refused, best, isSlow }]) => {
    const time = mark(`${ratio.toFixed(2)}×`, isSlow)
    const least = best > timeGoal(perSecond) ? ` (${best.toFixed(2)}×)` : ''
    return `${time}${least} ${mark(`${(refused * 100).toFixed(1)} %`, refused > refusedGoal(model, perSecond))}`
  })
  return { text: `| ${model.name} | ${cells.join(' | ')} |`, unfinished }
}

/** Whether it took longer, or was refused more often, than is the goal. */
export function misses(one: Case, outcome: Outcome): boolean {
  return missesTime(one, outcome) || outcome.refusedShare > refusedGoal(one.model, one.perSecond)
}

function missesTime({ perSecond }: Case, { ratio }: Outcome): boolean {
  return ratio > timeGoal(perSecond)
}

function timeGoal(perSecond: number): number {
  return perSecond === LOW_PACE ? LOW_PACE_RATIO : RATIO
}

function refusedGoal({ kind }: Model, perSecond: number): number {
  return kind === 'limit' && perSecond !== LOW_PACE ? REFUSED : 1
}

function mark(text: string, isMissed: boolean): string {
  return isMissed ? `**${text}**` : text
}
