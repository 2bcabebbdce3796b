import { BaseCommand } from '../lib/cli/base-command.ts'
import { removalFlags } from '../lib/cli/global-flags.ts'
import { checkEssentials } from '../lib/services/conformance/run.ts'
import { bundleFlags } from '../lib/services/doctor/bundle.ts'
import { diagnose } from '../lib/services/doctor/diagnose.ts'
import { doctorSchema } from '../lib/services/doctor/doctor.result.ts'
import { jobsDir } from '../lib/services/jobs/choose-job.ts'

export default class Doctor extends BaseCommand<typeof Doctor> {
  static override summary = 'Find out what is wrong with settings, network or platform'
  static override description =
    'Changes nothing, and ends within seconds whatever does not answer. Exit code 9 if something was found, each with ' +
    'what to do next.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma doctor',
    'rma doctor --profile staging --json',
    'rma doctor --bundle rma-support.zip',
  ]
  static override flags = { ...bundleFlags, ...removalFlags }
  static override result = { json: doctorSchema }

  async run() {
    const { context, flags } = this
    await diagnose(context, flags, { essentials: checkEssentials, jobsDir: jobsDir(context) })
  }
}
