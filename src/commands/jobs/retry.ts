import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag, textFlag, writeFlags } from '../../lib/cli/global-flags.ts'
import { jobArgs, lastFlag } from '../../lib/services/jobs/choose-job.ts'
import { jobSummaryView } from '../../lib/services/jobs/jobs.result.ts'
import { retryFile } from '../../lib/services/tracking/push-file.ts'
import { resumeJob } from '../../lib/services/tracking/resume-job.ts'

export default class JobsRetry extends BaseCommand<typeof JobsRetry> {
  static override summary = 'Send the failed rows of a job again'
  static override description =
    'Failed rows are sent once more. With --file they are sent as they are in the corrected failed.csv, by a new job. With ' +
    '--unknown, rows whose outcome nobody could tell are looked up again, and sent if they certainly did not happen.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma jobs retry --last',
    'rma jobs retry x7k2 --unknown',
    'rma jobs retry x7k2 --file failed.csv',
  ]
  static override endsOnInterrupt = true
  static override args = jobArgs
  static override flags = {
    last: lastFlag,
    file: textFlag('FILE', "The job's failed.csv, corrected; - for standard input"),
    unknown: switchFlag('The unknown rows, too'),
    ...writeFlags,
  }
  static override result = { view: jobSummaryView }

  protected override get checkedView() {
    return undefined
  }

  async run() {
    const { args, context, flags } = this
    const { file } = flags
    if (file !== undefined) return retryFile(context, { ...args, ...flags, file })
    await resumeJob(context, { ...args, ...flags }, { unknown: flags.unknown })
  }
}
