import { Flags } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import { removalFlags } from '../lib/cli/global-flags.ts'
import type { ErrorKind } from '../lib/errors.ts'
import { checkEssentials } from '../lib/services/conformance/brief.ts'
import { diagnose } from '../lib/services/doctor/diagnose.ts'
import { doctorSchema } from '../lib/services/doctor/doctor.result.ts'
import { jobsDir } from '../lib/services/jobs/choose-job.ts'

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary = 'Find out what is wrong with settings, network or platform'
  static override description =
    'Changes nothing, and ends within seconds whatever does not answer. Exit code 9 if something was found, each with ' +
    'what to do next.'
  static override exits: readonly ErrorKind[] = [...BaseCommand.exits, 'partial']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --profile staging --json',
    '<%= config.bin %> <%= command.id %> --bundle rma-support.zip',
  ]
  static override flags = {
    bundle: Flags.string({
      helpValue: 'FILE.zip',
      summary: 'Also write a file for support, without tokens and personal data',
    }),
    force: Flags.boolean({ summary: 'Replace the file if it has other content', dependsOn: ['bundle'] }),
    yes: removalFlags.yes,
  }

  static override get result() {
    return { json: doctorSchema }
  }

  async run(): Promise<void> {
    const { connection, context, flags } = this
    const specialists = { essentials: checkEssentials, jobsDir: jobsDir(context) }
    await diagnose(context, connection, flags, specialists)
  }
}
