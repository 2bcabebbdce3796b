import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { advanceSandbox } from '../../lib/services/sandbox/advance.ts'
import { advanceView } from '../../lib/services/sandbox/sandbox.result.ts'

export default class SandboxAdvance extends BaseCommand<typeof SandboxAdvance> {
  static override summary = "Move the sandbox's clock forward"
  static override description =
    'Parcels travel, returns expire, refunds are executed and tokens expire as they would in that time. It works on the ' +
    'sandbox that runs (rma sandbox start), or on the data of the profile mock when none does. The clock never goes ' +
    'back; rma sandbox reset makes fresh data of today.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> 3d',
    '<%= config.bin %> <%= command.id %> 2w -o json',
  ]
  static override args = {
    duration: Args.string({ description: '30m, 12h, 3d, 2w', required: true, ignoreStdin: true }),
  }
  static override flags = {
    data: Flags.string({ helpValue: 'DIR', summary: 'Data of the sandbox, if elsewhere than usual' }),
  }

  static override get result() {
    return { view: advanceView }
  }

  async run(): Promise<void> {
    const { args, context, flags, openSandbox } = this
    await context.checkOutput(advanceView)
    const record = await advanceSandbox(context, openSandbox, { ...args, dir: flags.data })
    await context.render({ kind: 'record', record, view: advanceView })
  }
}
