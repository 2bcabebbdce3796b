import type { World } from './platform-view.ts'

/** Who says that it has to be so: the specification, or what was decided where it leaves something open. */
export type Basis = 'spec' | 'assumed'

/** `differs` is a failed check of something that is only assumed. */
export type Verdict = 'pass' | 'fail' | 'differs' | 'skip'

/** One thing that a platform has to do. */
export interface Check {
  /** `returns.limit-max`: the area, then what it looks at. Stable: scripts name it. */
  id: string
  /** The behaviour in words. */
  specified: string
  /** `§4.7` of the specification; for an assumed one the place that leaves it open. */
  source: string
  basis: Basis
  /** Whether it changes data of the platform. */
  writes?: true
  /**
   * Looks, and says in words what was seen.
   *
   * @throws Departure if that is not as specified, Skipped if there is nothing to see it by
   */
  run(world: World): Promise<string>
}
