import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { listPrinters, printerSchema } from '../../lib/services/printers/printers.ts'

export default class PrintersList extends BaseCommand<typeof PrintersList> {
  static override summary = 'List the printers that have names'
  static override examples = ['rma printers list', "rma printers list --jq '.[].name'"]
  static override result = { json: listOf(printerSchema) }

  async run() {
    await listPrinters(this.context)
  }
}
