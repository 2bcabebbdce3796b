import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { printerSchema } from '../../lib/services/printers/printers.result.ts'
import { removePrinter } from '../../lib/services/printers/printers.ts'

export default class PrintersRemove extends BaseCommand<typeof PrintersRemove> {
  static override summary = 'Forget a printer'
  static override examples = [
    '<%= config.bin %> <%= command.id %> zebra',
    '<%= config.bin %> <%= command.id %> office --json',
  ]
  static override args = {
    name: Args.string({ description: 'name of the printer', required: true, ignoreStdin: true }),
  }

  static override get result() {
    return { json: printerSchema }
  }

  async run(): Promise<void> {
    await removePrinter(this.context, this.args.name)
  }
}
