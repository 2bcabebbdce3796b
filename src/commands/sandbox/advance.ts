import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { dataFlags } from '../../lib/services/sandbox/running-sandboxes.ts'
import { advanceView } from '../../lib/services/sandbox/sandbox.result.ts'
import { advanceSandbox } from '../../lib/services/sandbox/target.ts'

export default class SandboxAdvance extends BaseCommand<typeof SandboxAdvance> {
  static override summary = "Move the sandbox's clock forward"
  static override description =
    'Parcels travel, returns expire, refunds are executed and tokens expire as they would in that time. It works on the ' +
    'sandbox that runs (rma sandbox start), or on the data of the profile mock when none does. The clock never goes ' +
    'back; rma sandbox reset makes fresh data of today.'
  static override examples = ['rma sandbox advance 3d', 'rma sandbox advance 2w -o json']
  static override args = {
    duration: requiredArg('30m, 12h, 3d, 2w'),
  }
  static override flags = dataFlags
  static override result = { view: advanceView }

  async run() {
    const { args, context, flags } = this
    const record = await advanceSandbox(context, { ...args, dir: flags.data })
    await context.render({ kind: 'record', record, view: advanceView })
    await context.done(
      `the sandbox is ${args.duration} on`,
      [record.events, 'event', 'events'],
      [record.refunds, 'refund', 'refunds'],
    )
  }
}
