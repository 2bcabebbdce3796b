import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { listJobs } from '../../lib/services/jobs/jobs.ts'

export default class JobsList extends BaseCommand<typeof JobsList> {
  static override summary = 'List bulk jobs, newest first'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[] | select(.remaining > 0) | .jobId'",
  ]

  async run(): Promise<void> {
    await listJobs(this.context)
  }
}
