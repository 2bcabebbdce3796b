import { casesOf, type Model } from './cases.ts'
import { simulate } from './simulation.ts'

const RATIO = 1.1
/** Where the limit is so low that a second tells little. */
const LOW_PACE = 5
const LOW_PACE_RATIO = 1.25
const REFUSED = 0.03

export interface Line {
  /** As it stands in docs/pace.md: the worst of each pace; what misses its goal is bold. */
  text: string
  unfinished: number
}

/** One model against all paces and latencies. */
export async function lineOf(model: Model): Promise<Line> {
  const worst = new Map<number, { ratio: number; refused: number }>()
  let unfinished = 0
  for (const one of casesOf(model)) {
    const { succeeded, ratio, refusedShare } = await simulate(one)
    if (succeeded !== one.rows) unfinished += 1
    const so = worst.get(one.perSecond) ?? { ratio: 0, refused: 0 }
    worst.set(one.perSecond, {
      ratio: Math.max(so.ratio, ratio),
      refused: Math.max(so.refused, refusedShare),
    })
  }
  const cells = [...worst].map(([perSecond, { ratio, refused }]) => {
    const goal = perSecond === LOW_PACE ? LOW_PACE_RATIO : RATIO
    const time = mark(`${ratio.toFixed(2)}×`, ratio > goal)
    const isBounded = model.kind === 'limit' && perSecond !== LOW_PACE
    return `${time} ${mark(`${(refused * 100).toFixed(1)} %`, isBounded && refused > REFUSED)}`
  })
  return { text: `| ${model.name} | ${cells.join(' | ')} |`, unfinished }
}

function mark(text: string, isMissed: boolean): string {
  return isMissed ? `**${text}**` : text
}
