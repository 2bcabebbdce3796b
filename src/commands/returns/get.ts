import { BaseCommand } from '../../lib/cli/base-command.ts'
import { RETURN_FORMS, repeatedArg, switchFlag } from '../../lib/cli/global-flags.ts'
import { showReturns } from '../../lib/services/returns/get.ts'
import { oneOrMoreSchema, returnsView } from '../../lib/services/returns/returns.result.ts'

export default class ReturnsGet extends BaseCommand<typeof ReturnsGet> {
  static override summary = 'Show one or more returns'
  static override description =
    'Where it is, when the money comes, what is to be done next, and what it is. Returns are given by id or by name, ' +
    'or one a line on standard input with "-".'
  static override examples = [
    'rma returns get LU105189',
    'rma returns get LU105189 --full',
    'rma returns get LU105189 --web',
    'rma returns get LU105189 R#-LU105193 -o json',
    'rma returns get - -o ndjson < names.txt',
  ]
  static override args = {
    return: repeatedArg(`${RETURN_FORMS}; - for one a line on standard input`),
  }

  static override flags = {
    full: switchFlag('Show every field'),
    web: switchFlag("Open the carrier's tracking page; where there is no display, print its address", {
      exclusive: ['full'],
    }),
  }
  static override result = { view: returnsView, json: oneOrMoreSchema }

  async run() {
    await showReturns(this.context, this.args.return, this.flags)
  }
}
