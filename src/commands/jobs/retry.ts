import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { writeFlags } from '../../lib/cli/global-flags.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { jobArgs, lastFlag } from '../../lib/services/jobs/choose-job.ts'
import { jobReportView } from '../../lib/services/jobs/jobs.result.ts'
import { resumeJob } from '../../lib/services/tracking/resume-job.ts'
import { retryFile } from '../../lib/services/tracking/retry-file.ts'

export default class JobsRetry extends BaseCommand<typeof JobsRetry> {
  static override summary = 'Send the failed rows of a job again'
  static override description =
    'Failed rows are sent once more. With --file they are sent as they are in the mended failed.csv, by a new job. With ' +
    '--unknown, rows whose outcome nobody could tell are looked up again, and sent if they certainly did not happen.'
  static override exits: readonly ErrorKind[] = [...BaseCommand.exits, 'partial']
  static override examples = [
    '<%= config.bin %> <%= command.id %> --last',
    '<%= config.bin %> <%= command.id %> x7k2 --unknown',
    '<%= config.bin %> <%= command.id %> x7k2 --file failed.csv',
  ]
  static override endsOnInterrupt = true
  static override args = jobArgs
  static override flags = {
    last: lastFlag,
    file: Flags.string({ helpValue: 'FILE', summary: "The job's failed.csv, mended; - for standard input" }),
    unknown: Flags.boolean({ summary: 'The unknown rows, too' }),
    ...writeFlags,
  }

  static override get result() {
    return { view: jobReportView }
  }

  async run(): Promise<void> {
    const { args, connection, context, flags } = this
    const { file } = flags
    if (file !== undefined) return retryFile(context, connection, { ...args, ...flags, file })
    await resumeJob(context, connection, { ...args, ...flags }, { unknown: flags.unknown })
  }
}
