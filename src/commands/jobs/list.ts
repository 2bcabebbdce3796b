import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { jobSchema, jobsView } from '../../lib/services/jobs/jobs.result.ts'
import { listJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsList extends BaseCommand<typeof JobsList> {
  static override summary = 'List bulk jobs, newest first'
  static override exits = []
  static override examples = ['rma jobs list', "rma jobs list --jq '.[] | select(.remaining > 0) | .jobId'"]
  static override result = { view: jobsView, json: listOf(jobSchema) }

  async run() {
    await listJobs(this.context)
  }
}
