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
  /** Fails with nothing to look at. */
  isOperation?: true
  /** Revision of the interface that has it; undefined for both. */
  revision?: Revision
  /** What was seen. @throws Departure if that is not as specified, Skipped without anything to see it by */
  run(world: World): Promise<string>
}

const checkOf =
  (basis: Basis) =>
  (id: string, source: string, specified: string, run: Check['run']): Check => ({
    id,
    specified,
    source,
    basis,
    run,
  })

/** A check of what the specification says. */
export const spec = checkOf('spec')

/** A check of what we decided where the specification leaves something open. */
export const assumed = checkOf('assumed')

/** Checks that make or change something. */
export const writing = (...checks: readonly Check[]): Check[] =>
  checks.map((check) => ({ ...check, writes: true }))

/** A check that has to see an operation of the specification at work: with nothing to look at it fails. */
export const operation = (check: Check): Check => ({ ...check, isOperation: true })

/** Checks for platforms of one revision. */
export const ofRevision = (revision: Revision, ...checks: readonly Check[]): Check[] =>
  checks.map((check) => ({ ...check, revision }))
