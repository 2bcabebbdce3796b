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

/** Runs of each case, with chances that no way was judged on. */
const RUNS = 5
const FIRST_SEED = 9_000_000

interface Cell {
  ratio: number
  refused: number
  /** Of an even pace, where that is longer than the goal. */
  best: number
  isSlow: boolean
}

export interface Line {
  /** As it stands in docs/pace.md: the worst median of each pace, bold where it misses; and how many runs miss. */
  text: string
  unfinished: number
}

/** One model against all paces, latencies and ways to state a wait. */
export async function lineOf(model: Model): Promise<Line> {
  const worst = new Map<number, Cell>()
  const cases = casesOf(model, FIRST_SEED)
  let unfinished = 0
  let missed = 0
  for (const one of cases) {
    const outcomes: Outcome[] = []
    const goals: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const setting = { ...one, seed: one.seed + run * cases.length }
      const outcome = await simulate(setting)
      outcomes.push(outcome)
      goals.push(timeGoal(setting, outcome))
      if (outcome.succeeded !== one.rows) unfinished += 1
      if (misses(setting, outcome)) missed += 1
    }
    const so = worst.get(one.perSecond) ?? { ratio: 0, refused: 0, best: 0, isSlow: false }
    const ratio = median(outcomes.map((outcome) => outcome.ratio))
    const goal = median(goals)
    so.ratio = Math.max(so.ratio, ratio)
    so.refused = Math.max(so.refused, median(outcomes.map((outcome) => outcome.refusedShare)))
    if (goal > plainGoal(one.perSecond)) so.best = Math.max(so.best, goal / NEAR)
    so.isSlow ||= ratio > goal
    worst.set(one.perSecond, so)
  }
  const cells = [...worst].map(([perSecond, { ratio, refused, best, isSlow }]) => {
    const least = best > 0 ? ` (${best.toFixed(2)}×)` : ''
    const share = mark(`${(refused * 100).toFixed(1)} %`, refused > refusedGoal(model, perSecond))
    return `${mark(`${ratio.toFixed(2)}×`, isSlow)}${least} ${share}`
  })
  const text = `| ${model.name} | ${cells.join(' | ')} | ${missed}/${cases.length * RUNS} |`
  return { text, unfinished }
}

/** Whether it took longer, or was refused more often, than is the goal. */
export function misses(one: Case, outcome: Outcome): boolean {
  return (
    outcome.ratio > timeGoal(one, outcome) || outcome.refusedShare > refusedGoal(one.model, one.perSecond)
  )
}

/** Looks at what even paces take only where the plain goal is missed. */
function timeGoal(one: Case, { ratio, refusedShare }: Outcome): number {
  const goal = plainGoal(one.perSecond)
  if (ratio <= goal || !one.model.isUneven) return goal
  const best = bestEvenPace(one, Math.max(REFUSED, refusedShare))
  return best > goal ? NEAR * best : goal
}

function plainGoal(perSecond: number): number {
  return perSecond === LOW_PACE ? LOW_PACE_RATIO : RATIO
}

function refusedGoal({ kind }: Model, perSecond: number): number {
  return kind === 'limit' && perSecond !== LOW_PACE ? REFUSED : 1
}

function mark(text: string, isMissed: boolean): string {
  return isMissed ? `**${text}**` : text
}

function median(numbers: number[]): number {
  return numbers.sort((one, other) => one - other)[numbers.length >> 1]!
}
