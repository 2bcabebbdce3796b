import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/command/base-command.ts'
import { fillFlags, readFill } from '../../lib/command/sandbox-host.ts'

export default class SandboxReset extends BaseCommand<typeof SandboxReset> {
  static override summary = "Replace the sandbox's data by fresh demo data"
  static override description = 'What was changed or added there is lost, its tokens stay valid.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --seed 7 --returns 5000',
  ]
  static override flags = {
    ...fillFlags,
    data: Flags.string({ helpValue: 'DIR', summary: 'Data of the sandbox, if elsewhere than usual' }),
  }

  async run(): Promise<void> {
    const { context, flags } = this
    const fill = readFill(flags)
    context.progress.start('Making demo data')
    const sandbox = await context.openSandbox({ dir: flags.data, ...fill })
    await sandbox.reset(fill)
    await context.render({ kind: 'text', text: 'The sandbox has fresh demo data.', json: { reset: true } })
  }
}
