import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { printerSchema, removePrinter } from '../../lib/services/printers/printers.ts'

export default class PrintersRemove extends BaseCommand<typeof PrintersRemove> {
  static override summary = 'Forget a printer'
  static override examples = ['rma printers remove zebra', 'rma printers remove office --json']
  static override args = {
    name: requiredArg('name of the printer'),
  }
  static override result = { json: printerSchema }

  async run() {
    await removePrinter(this.context, this.args.name)
  }
}
