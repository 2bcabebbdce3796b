import { BaseCommand } from '../../lib/cli/base-command.ts'
import { returnArg } from '../../lib/cli/global-flags.ts'
import { refundsView } from '../../lib/services/returns/refunds.result.ts'
import { showReturnParts } from '../../lib/services/returns/return-parts.ts'

export default class ReturnsRefunds extends BaseCommand<typeof ReturnsRefunds> {
  static override summary = 'List the refunds of a return'
  static override examples = [
    'rma returns refunds LU105189',
    'rma returns refunds LU105189 --jq \'.refunds[] | select(.status == "PENDING") | .id\'',
  ]
  static override args = {
    return: returnArg,
  }
  static override result = {
    view: refundsView,
    json: async () => (await import('../../lib/wire/refunds.ts')).refundListSchema,
  }

  async run() {
    const { args, context } = this
    await showReturnParts(
      args.return,
      { key: 'refunds', view: refundsView, read: (returns, id) => returns.refunds(id) },
      context,
    )
  }
}
