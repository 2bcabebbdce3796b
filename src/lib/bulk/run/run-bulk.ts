import { BulkRun } from './bulk-run.ts'
import type { RunRequest, RunResult } from './run-request.ts'

/**
 * Sends the rows of a job: each one once, as far as can be told. Rows of one key go one at a time, in order, others
 * `concurrency` at a time; at most some thousand rows are held in memory, whatever their keys.
 *
 * A row is sent when its intent is in the journal. After an unclear answer nothing is sent for its key until a look has
 * settled it. A failed row does not hold back the next one of its key, nor does an unknown one: each row is a report
 * with a date of its own, the service puts late ones in their place, and holding them back would turn one unknown row
 * into many unsent ones.
 *
 * Foreseen ends are in the result; rejects only with what `rows`, `send` or `settle` throw.
 */
export function runBulk<T>(request: RunRequest<T>): Promise<RunResult> {
  return new BulkRun(request).run()
}
