import type { Contradictions } from '../../bulk/rows/conflicts.ts'
import type { ProblemKinds } from '../../bulk/rows/problem-kinds.ts'
import type { Timing } from './report.ts'
import type { ReportRow } from './report-file.ts'
import type { SpoiltNumbers } from './spoilt-numbers.ts'

export interface Survey {
  rows: number
  /** Those that are asked about: of this part, whatever is wrong with them. */
  mine: number
  invalid: number
  problems: ProblemKinds
  repeated: number
  contradictions: Pick<Contradictions, 'found' | 'count'>
  spoiltNumbers: Pick<SpoiltNumbers, 'found' | 'count'>
  unknownStatuses: ReadonlySet<string>
  timings: Readonly<Record<Timing, number>>
  /** SHA-256 of what would be sent, in hexadecimal; a date that a report did not have itself does not count. */
  digest: string
}

export interface Surveying {
  /** Rows read so far; then rows judged, of so many. */
  onProgress(rows: number, total?: number): void
  /** Of whom counts are wanted; all by default. */
  isMine?: ((row: ReportRow) => boolean) | undefined
  /** That of reports that name none. */
  shop: string | undefined
}
