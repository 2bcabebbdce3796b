import type { Revision, World } from './platform-view.ts'

/** Source of a requirement: the specification, or a decision where it leaves something open. */
export type Basis = 'spec' | 'assumed'

/** `differs` is a departure from one of our assumptions, `not shown` a check with nothing to look at. */
export type Verdict = 'pass' | 'fail' | 'differs' | 'not shown'

export interface Check {
  /** `returns.limit-max`: area and subject. Stable: scripts name it. */
  id: string
  specified: string
  /** `§4.7`; of an assumption, the place that leaves it open. */
  source: string
  basis: Basis
  writes?: true
  /** Operation of the specification that this check has to see at work: a check with nothing to look at fails. */
  shows?: string
  /** Revision of the interface that has it; undefined for both. */
  revision?: Revision
  /** What was seen. @throws Departure if that is not as specified, Skipped without anything to see it by */
  run(world: World): Promise<string>
}

type More = Pick<Check, 'writes' | 'shows' | 'revision'>

export const WRITES = { writes: true } as const

export const spec = (source: string, more: More = {}) => ({ source, basis: 'spec', ...more }) as const

export const assumed = (source: string, more: More = {}) => ({ source, basis: 'assumed', ...more }) as const
