import { rm } from 'node:fs/promises'
import type { Job } from '../../bulk/job/job-folder.ts'
import { listRows } from '../../bulk/job/journal-reading.ts'
import { failedCsv } from '../../bulk/rows/failed-csv.ts'
import type { RunResult } from '../../bulk/run/run-request.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { INVALID, type JobInput, jobRows } from './job-rows.ts'

/** The failed rows of a job, as its input has them; null if there are none. */
export async function writeFailed(
  job: Job,
  input: JobInput,
  { failed, skipped }: RunResult,
): Promise<string | null> {
  // Of an earlier run, whose rows have succeeded since.
  await rm(job.failedPath, { force: true })
  if (failed + skipped === 0) return null
  const listed = await listRows(job.journalPath)
  const wanted = listed.filter(({ status, code }) => status === 'failed' || code === INVALID)
  const [first] = wanted
  if (first === undefined) return null
  const csv = failedCsv(input.columns())
  const lines = [csv.header]
  let next = 0
  let ordinal = 0
  for await (const batch of jobRows(input, job.info)) {
    for (const { source } of batch) {
      const failure = wanted[next]
      if (failure?.ordinal === ordinal) {
        lines.push(csv.line(source.raw, failure))
        next += 1
      }
      ordinal += 1
    }
    if (next === wanted.length) break
  }
  await replaceFile(job.failedPath, lines.join(''))
  return job.failedPath
}
