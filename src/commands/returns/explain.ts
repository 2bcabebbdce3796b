import { BaseCommand } from '../../lib/cli/base-command.ts'
import { returnArg } from '../../lib/cli/global-flags.ts'
import { nearestPoint } from '../../lib/services/pudos/search.ts'
import { explainSchema, timelineView } from '../../lib/services/returns/explain/explain.result.ts'
import { explainFlags, explainReturn } from '../../lib/services/returns/explain/explain.ts'

export default class ReturnsExplain extends BaseCommand<typeof ReturnsExplain> {
  static override summary = 'Tell what happened to a return, in one timeline'
  static override description =
    'Return, transports, scans, labels and refunds in the order of their dates, with the gaps and what is wrong. ' +
    '--reply writes a message that can be sent as it is, in the language of the customer.'
  static override examples = [
    'rma returns explain LU105189',
    'rma returns explain LU105189 --html LU105189.html',
    'rma returns explain LU105189 --reply --copy',
    'rma returns explain LU105189 --reply --language fr',
  ]
  static override args = { return: returnArg }
  static override flags = explainFlags
  static override result = { view: timelineView, json: explainSchema }

  async run() {
    const { args, flags, context } = this
    await explainReturn(
      {
        reference: args.return,
        flags,
        nearestPoint: (record, now) => nearestPoint(record, now, context),
      },
      context,
    )
  }
}
