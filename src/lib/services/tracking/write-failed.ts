import { rm } from 'node:fs/promises'
import type { Job } from '../../bulk/job/job-folder.ts'
import { type ListedRow, ListedRows } from '../../bulk/job/listed-rows.ts'
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
  // Rows of an earlier run have succeeded since.
  await rm(job.failedPath, { force: true })
  if (failed + skipped === 0) return null
  const failures = wanted(await ListedRows.of(job.journalPath))
  let failure = await failures.next()
  if (failure.done) return null
  const csv = failedCsv(input.columns())
  let ordinal = 0
  await replaceFile(job.failedPath, async (write) => {
    write(csv.header)
    for await (const batch of jobRows(input, job.info)) {
      let lines = ''
      for (const { source } of batch) {
        if (!failure.done && failure.value.ordinal === ordinal) {
          lines += csv.line(source.raw, failure.value)
          failure = await failures.next()
        }
        ordinal += 1
      }
      write(lines)
      if (failure.done) break
    }
  })
  return job.failedPath
}

async function* wanted(listed: ListedRows): AsyncGenerator<ListedRow> {
  for await (const row of listed) if (row.status === 'failed' || row.code === INVALID) yield row
}
