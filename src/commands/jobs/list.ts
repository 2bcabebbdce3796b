import { BaseCommand } from '../../lib/command/base-command.ts'
import { listJobs } from '../../lib/command/jobs.ts'

export default class JobsList extends BaseCommand<typeof JobsList> {
  static override summary = 'List bulk jobs, newest first'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[] | select(.remaining > 0) | .jobId'",
  ]

  async run(): Promise<void> {
    await listJobs(this.context)
  }
}
