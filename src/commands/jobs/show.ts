import { BaseCommand } from '../../lib/cli/base-command.ts'
import { jobArgs, lastFlag } from '../../lib/services/jobs/choose-job.ts'
import { jobsView } from '../../lib/services/jobs/jobs.result.ts'
import { showJob } from '../../lib/services/jobs/jobs.ts'

export default class JobsShow extends BaseCommand<typeof JobsShow> {
  static override summary = 'See how far a job is, and which rows did not succeed'
  static override exits = ['not-found'] as const
  static override examples = ['rma jobs show --last', "rma jobs show x7k2 --jq '.rows[].error.message'"]
  static override args = jobArgs
  static override flags = {
    last: lastFlag,
  }
  static override result = { view: jobsView }

  async run() {
    await showJob(this.context, { ...this.args, ...this.flags })
  }
}
