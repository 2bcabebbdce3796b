import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg, returnArg } from '../../lib/cli/global-flags.ts'
import { readBelongings, readTransportation } from '../../lib/services/returns/belongings.ts'
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
    context.progress.start('Reading transportations')
    if (args.transportation === undefined) {
      const { sent, rest } = await readBelongings(
        args.return,
        (returns, id) => returns.transportations(id),
        context,
      )
      await context.render({
        kind: 'list',
        items: sent,
        view,
        envelope: { key: 'transportations', rest: () => rest },
      })
    } else {
      const record = await readTransportation(args.return, args.transportation, context)
      await context.render({ kind: 'record', record, view, details: transportationDetails })
    }
  }
}
