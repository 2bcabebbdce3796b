import type { World } from './platform-view.ts'

/** Source of a requirement: the specification, or a decision where it leaves something open. */
export type Basis = 'spec' | 'assumed'

/** `differs`: a check of an assumption that failed. */
export type Verdict = 'pass' | 'fail' | 'differs' | 'skip'

export interface Check {
  /** `returns.limit-max`: area and subject. Stable: scripts name it. */
  id: string
  specified: string
  /** `§4.7`; of an assumption, the place that leaves it open. */
  source: string
  basis: Basis
  writes?: true
  /** What was seen. @throws Departure if that is not as specified, Skipped without anything to see it by */
  run(world: World): Promise<string>
}

export const WRITES = { writes: true } as const

export function spec(
  source: string,
  more: Pick<Check, 'writes'> = {},
): Pick<Check, 'source' | 'basis' | 'writes'> {
  return { source, basis: 'spec', ...more }
}

export function assumed(source: string, more: Pick<Check, 'writes'> = {}): ReturnType<typeof spec> {
  return { source, basis: 'assumed', ...more }
}
