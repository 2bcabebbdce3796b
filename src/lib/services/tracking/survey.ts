import type { Contradictions } from '../../bulk/rows/conflicts.ts'
import type { RowProblem } from '../../bulk/rows/fields.ts'
import type { ProblemKinds } from '../../bulk/rows/problem-kinds.ts'
import type { RawRow } from '../../bulk/rows/row.ts'
import type { TrackingRequest } from '../../wire/tracking.ts'
import type { Timing } from './report.ts'
import type { RowDoubts } from './row-doubts.ts'

/** Content of a row, or why it can't be sent. */
export interface ReportRow {
  raw: RawRow
  /** Absent if there are problems. */
  report: TrackingRequest | undefined
  problems: readonly RowProblem[]
  /** Says nothing that an earlier row did not say. */
  isRepeated: boolean
  timing?: Timing | undefined
  /** How a local time is read that the clocks skip or show twice. */
  clockDoubt?: string | undefined
}

export interface Survey {
  rows: number
  /** Rows of this part, whatever is wrong with them. */
  mine: number
  invalid: number
  problems: ProblemKinds
  repeated: number
  contradictions: Pick<Contradictions, 'found' | 'count'>
  spoiltNumbers: Pick<RowDoubts, 'found' | 'count'>
  oddTimes: Pick<RowDoubts, 'found' | 'count'>
  unknownStatuses: ReadonlySet<string>
  timings: Readonly<Record<Timing, number>>
  /** SHA-256 of what would be sent, in hexadecimal; a date that a report did not have itself does not count. */
  digest: string
}

export interface Surveying {
  /** Rows read so far; then rows judged, of so many. */
  onProgress(rows: number, total?: number): void
  /** Chooses the counted rows; default all. */
  isMine?: ((row: ReportRow) => boolean) | undefined
  /** That of reports that name none. */
  shop: string | undefined
}
