import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { jobSchema, jobsView } from '../../lib/services/jobs/jobs.result.ts'
import { listJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsList extends BaseCommand<typeof JobsList> {
  static override summary = 'List bulk jobs, newest first'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[] | select(.remaining > 0) | .jobId'",
  ]

  static override get result() {
    return { view: jobsView, json: listOf(jobSchema) }
  }

  async run(): Promise<void> {
    await listJobs(this.context)
  }
}
