import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg, switchFlag } from '../../lib/cli/global-flags.ts'
import { printerTestSchema, testPrinter } from '../../lib/services/printers/printers.ts'

export default class PrintersTest extends BaseCommand<typeof PrintersTest> {
  static override summary = 'Print a test label: a ruler of 80 mm and a barcode'
  static override examples = ['rma printers test zebra', 'rma printers test zebra --dry-run']
  static override args = {
    name: requiredArg('name of the printer'),
  }
  static override flags = {
    'dry-run': switchFlag('Make the test label, and print nothing', { char: 'n' }),
  }
  static override result = { json: printerTestSchema }

  async run() {
    await testPrinter(this.context, this.args.name, this.flags['dry-run'])
  }
}
