import { BaseCommand } from '../../lib/cli/base-command.ts'
import { writeFlags } from '../../lib/cli/global-flags.ts'
import { jobArgs, lastFlag } from '../../lib/services/jobs/choose-job.ts'
import { jobSummaryView } from '../../lib/services/jobs/jobs.result.ts'
import { resumeJob } from '../../lib/services/tracking/resume-job.ts'

export default class JobsResume extends BaseCommand<typeof JobsResume> {
  static override summary = 'Go on with a job that was interrupted'
  static override description =
    'Rows that were sent and whose answer is not known are looked up first. The input must be as it was, and the ' +
    'platform the same; a job that another process works on is refused.'
  static override exits = BaseCommand.partialExits
  static override examples = ['rma jobs resume --last', 'rma jobs resume 20261121-0931-x7k2 --json']
  static override endsOnInterrupt = true
  static override args = jobArgs
  static override flags = {
    last: lastFlag,
    ...writeFlags,
  }
  static override result = { view: jobSummaryView }

  protected override get checkedView() {
    return undefined
  }

  async run() {
    await resumeJob(this.context, { ...this.args, ...this.flags })
  }
}
