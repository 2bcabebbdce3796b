import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg, returnArg } from '../../lib/cli/global-flags.ts'
import { readTransportation, showReturnParts } from '../../lib/services/returns/return-parts.ts'
import {
  transportationDetails,
  transportationsSchema,
  transportationsView,
} from '../../lib/services/returns/transportations.result.ts'

export default class ReturnsTransportations extends BaseCommand<typeof ReturnsTransportations> {
  static override summary = 'List the transportations of a return, or show one'
  static override examples = [
    'rma returns transportations LU105189',
    'rma returns transportations LU105189 10000119001 -o json',
  ]
  static override args = {
    return: returnArg,
    transportation: optionalArg('id of the transportation'),
  }
  static override result = { view: transportationsView, json: transportationsSchema }

  async run() {
    const { args, context } = this
    const view = transportationsView
    if (args.transportation === undefined) {
      await showReturnParts(
        args.return,
        { key: 'transportations', view, read: (returns, id) => returns.transportations(id) },
        context,
      )
    } else {
      context.progress.start('Reading transportations')
      const record = await readTransportation(args.return, args.transportation, context)
      await context.render({ kind: 'record', record, view, details: transportationDetails })
    }
  }
}
