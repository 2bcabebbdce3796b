import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { transportationDetails, transportationsView } from '../../lib/output/views/transportations.ts'

export default class ReturnsTransportations extends BaseCommand<typeof ReturnsTransportations> {
  static override summary = 'List the transportations of a return, or show one'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'R#-1001'",
    "<%= config.bin %> <%= command.id %> 'R#-1001' tr_01 -o json",
  ]
  static override args = {
    return: Args.string({ description: 'id or name (R#-…)', required: true, ignoreStdin: true }),
    transportation: Args.string({ description: 'id of the transportation', ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, connection, context } = this
    const view = transportationsView
    await context.checkOutput(view)
    const returns = await connection.returns()
    context.progress.start('Reading transportations')
    const id = await returns.resolveId(args.return)
    if (args.transportation === undefined) {
      const items = await returns.transportations(id)
      await context.render({
        kind: 'list',
        items,
        view,
        envelope: { key: 'transportations', rest: () => ({}) },
      })
    } else {
      const record = await returns.transportation(id, args.transportation)
      await context.render({ kind: 'record', record, view, details: transportationDetails })
    }
  }
}
