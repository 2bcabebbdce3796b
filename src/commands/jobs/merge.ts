import { BaseCommand } from '../../lib/cli/base-command.ts'
import { repeatedArg } from '../../lib/cli/global-flags.ts'
import { mergedView } from '../../lib/services/jobs/jobs.result.ts'
import { mergeJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsMerge extends BaseCommand<typeof JobsMerge> {
  static override summary = 'Add up the summaries of the parts of a job'
  static override description =
    'Each summary is the JSON that a part printed, or the id of its job on this machine. A part that is missing, there ' +
    'twice, or of another input is refused.'
  static override exits = ['not-found', 'partial', 'unknown'] as const
  static override examples = [
    'rma jobs merge shard-*.json',
    'rma jobs merge 20261121-0931-x7k2 20261121-0931-b3mn --json',
  ]
  static override args = {
    summary: repeatedArg('files or job ids'),
  }
  static override result = { view: mergedView }

  async run() {
    await mergeJobs(this.context, this.args.summary)
  }
}
