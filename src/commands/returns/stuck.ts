import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags, switchFlag } from '../../lib/cli/global-flags.ts'
import { mirroredFlags } from '../../lib/services/returns/mirrored.ts'
import { stuckSchema, stuckView } from '../../lib/services/returns/stuck.result.ts'
import { showStuck } from '../../lib/services/returns/stuck.ts'

export default class ReturnsStuck extends BaseCommand<typeof ReturnsStuck> {
  static override summary = 'List the returns that do not move on'
  static override description =
    'A label that is not used, a parcel without scans, received and not checked, checked and not refunded, over with a ' +
    'parcel on its way: each with its rule, since when, and the next command. How long a parcel may go without a scan ' +
    'is learnt from those of its carrier service that have arrived. Reads the mirror, brought up to date first.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma returns stuck',
    'rma returns stuck --fail-if-any --quiet -o csv > stuck.csv',
    'rma returns stuck --offline --jq \'.stuck[] | select(.rule == "no-scan") | .name\'',
  ]
  static override flags = {
    ...databaseFlags,
    ...mirroredFlags,
    'fail-if-any': switchFlag('End with 9 if anything is stuck'),
  }
  static override result = { view: stuckView, json: stuckSchema }

  async run() {
    await showStuck(this.flags, this.context)
  }
}
