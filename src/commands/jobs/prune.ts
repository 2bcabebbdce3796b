import { BaseCommand } from '../../lib/cli/base-command.ts'
import { defaultedFlag, switchFlag } from '../../lib/cli/global-flags.ts'
import { listOf } from '../../lib/output/view.ts'
import { removedJobSchema } from '../../lib/services/jobs/jobs.result.ts'
import { removeOldJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsPrune extends BaseCommand<typeof JobsPrune> {
  static override summary = 'Remove old jobs that are done'
  static override description =
    'Keeps jobs with remaining, failed or unknown rows, unless --force is given. Always keeps running jobs.'
  static override exits = []
  static override examples = ['rma jobs prune', 'rma jobs prune --older-than 7d --force']
  static override flags = {
    'older-than': defaultedFlag('DURATION', '30d', 'Only jobs without activity for that long'),
    force: switchFlag('Also remove jobs that are not done'),
  }
  static override result = { json: listOf(removedJobSchema) }

  async run() {
    await removeOldJobs(this.context, this.flags)
  }
}
