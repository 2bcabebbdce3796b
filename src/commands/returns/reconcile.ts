import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags } from '../../lib/cli/global-flags.ts'
import { returnsFilterFlags } from '../../lib/services/returns/list-flags.ts'
import { mirroredFlags } from '../../lib/services/returns/mirrored.ts'
import { differencesView, reconcileSchema } from '../../lib/services/returns/reconcile.result.ts'
import { showDifferences } from '../../lib/services/returns/reconcile.ts'

export default class ReturnsReconcile extends BaseCommand<typeof ReturnsReconcile> {
  static override summary = 'Compare the refunds that are due with those that were executed'
  static override description =
    'Compares by line and currency, less the fee, once the refund mode is due. Ends with 9 if anything ' +
    'differs. Reads the mirror, brought up to date first.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma returns reconcile',
    'rma returns reconcile --created-from 30d -o csv > differences.csv',
    'rma returns reconcile --jq \'.differences[] | select(.kind == "twice")\'',
  ]
  static override flags = { ...returnsFilterFlags, ...databaseFlags, ...mirroredFlags }
  static override result = { view: differencesView, json: reconcileSchema }

  async run() {
    await showDifferences(this.flags, this.context)
  }
}
