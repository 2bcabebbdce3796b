import { BaseCommand } from '../../lib/cli/base-command.ts'
import { removalFlags } from '../../lib/cli/global-flags.ts'
import { dataFlags } from '../../lib/services/sandbox/running-sandboxes.ts'
import { resetSchema } from '../../lib/services/sandbox/sandbox.result.ts'
import { fillFlags, readFill } from '../../lib/services/sandbox/start.ts'
import { resetSandbox } from '../../lib/services/sandbox/target.ts'

export default class SandboxReset extends BaseCommand<typeof SandboxReset> {
  static override summary = "Replace the sandbox's data by fresh demo data"
  static override description =
    'What was changed or added there is lost, its tokens stay valid. It works on the sandbox that runs (rma sandbox ' +
    'start), or on the data of the profile mock when none does. Asks first on a terminal; a script needs --yes only ' +
    'where the profile mock is protected.'
  static override examples = ['rma sandbox reset', 'rma sandbox reset --seed 7 --returns 5000']
  static override flags = {
    ...fillFlags,
    ...dataFlags,
    ...removalFlags,
  }
  static override result = { json: resetSchema }

  async run() {
    const { context, flags } = this
    await resetSandbox(context, flags, readFill(flags))
    await context.render({ kind: 'text', text: 'The sandbox has fresh demo data.', json: { reset: true } })
  }
}
