import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { jobArgs, lastFlag } from '../../lib/services/jobs/choose-job.ts'
import { jobsView } from '../../lib/services/jobs/jobs.result.ts'
import { showJob } from '../../lib/services/jobs/jobs.ts'

export default class JobsShow extends BaseCommand<typeof JobsShow> {
  static override summary = 'See how far a job is, and which rows did not succeed'
  static override exits: readonly ErrorKind[] = ['not-found']
  static override examples = [
    '<%= config.bin %> <%= command.id %> --last',
    "<%= config.bin %> <%= command.id %> x7k2 --jq '.rows[].error.message'",
  ]
  static override args = jobArgs
  static override flags = {
    last: lastFlag,
  }

  static override get result() {
    return { view: jobsView }
  }

  async run(): Promise<void> {
    await showJob(this.context, { ...this.args, ...this.flags })
  }
}
