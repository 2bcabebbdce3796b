import type { Job } from '../../bulk/job/job-folder.ts'
import { ListedRows } from '../../bulk/job/listed-rows.ts'
import { isFailedCsv } from '../../bulk/rows/failed-csv.ts'
import { sourceText } from '../../bulk/rows/row.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { chosenJob } from '../jobs/choose-job.ts'
import { INVALID } from './job-rows.ts'
import { sendRows } from './push-file.ts'
import type { ReportFile } from './report-file.ts'
import { assertSamePlatform, optionsOf, type ResumeFlags, readingOf } from './resume-job.ts'

/** Sends a job's `failed.csv`, mended, as a new job: read and sent as the job was, to where it went. */
export async function retryFile(
  context: Context,
  connection: Pick<Connection, 'http' | 'returns' | 'tracking'>,
  flags: ResumeFlags & { file: string; unknown?: boolean | undefined },
): Promise<void> {
  if (flags.unknown) throw new AppError('usage', '--file and --unknown do not go together.')
  const job = await chosenJob(context, flags)
  await assertSamePlatform(context, job)
  const { concurrency, ratePerSecond, maxFailures, ...report } = optionsOf(job)
  const rowFlags = {
    file: flags.file,
    'dry-run': flags['dry-run'],
    yes: flags.yes,
  }
  const lock = await job.lock()
  try {
    await sendRows({ context, connection }, rowFlags, {
      report: { ...report, now: context.io.now(), shop: job.info.shop },
      reading: readingOf(job),
      limits: { concurrency, ratePerSecond, maxFailures },
      check: (file) => assertFailedIn(job, file),
    })
  } finally {
    lock.release()
  }
}

/** Succeeded rows must not be sent twice. @throws AppError `usage` for rows that have not failed in the job */
async function assertFailedIn(job: Job, file: ReportFile): Promise<void> {
  const hints = job.failedFile() === null ? [] : [`mend this file, and give it: ${job.failedPath}`]
  const { name } = file.source
  if (!isFailedCsv(file.columns())) {
    throw new AppError('usage', `${name} is not the failed.csv of a job: it has no column _row.`, { hints })
  }
  const failed = new Set<string>()
  for await (const { status, code, row } of await ListedRows.of(job.journalPath)) {
    if (status === 'failed' || code === INVALID) failed.add(String(row))
  }
  for await (const batch of file.source.rows()) {
    for (const { row, columns, cells } of batch) {
      const number = sourceText(cells[columns.indexOf('_row')] ?? '').trim()
      if (failed.delete(number)) continue
      throw new AppError(
        'usage',
        `${name}, row ${row}: the job ${job.id} has no failed row "${number}", or it is there twice; nothing was sent.`,
        { hints },
      )
    }
  }
}
