import { BaseCommand } from '../../lib/cli/base-command.ts'
import { defaultedFlag, switchFlag } from '../../lib/cli/global-flags.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { removedJobSchema } from '../../lib/services/jobs/jobs.result.ts'
import { removeOldJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsPrune extends BaseCommand<typeof JobsPrune> {
  static override summary = 'Remove old jobs that are done'
  static override description =
    'Jobs with rows that remain, failed or are unknown stay, unless --force; one that is running always stays.'
  static override exits = []
  static override examples = ['rma jobs prune', 'rma jobs prune --older-than 7d --force']
  static override flags = {
    'older-than': defaultedFlag('DURATION', '30d', 'Only jobs that nothing was done on for so long'),
    force: switchFlag('Jobs that are not done, too'),
  }
  static override result = { json: listOf(removedJobSchema) }

  async run() {
    await removeOldJobs(this.context, this.flags)
  }
}
