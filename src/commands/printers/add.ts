import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { paperFlags } from '../../lib/cli/global-flags.ts'
import { printerSchema } from '../../lib/services/printers/printers.result.ts'
import { addPrinter } from '../../lib/services/printers/printers.ts'
import { PRINTER_LANGUAGES } from '../../lib/wire/print.ts'

export default class PrintersAdd extends BaseCommand<typeof PrintersAdd> {
  static override summary = 'Keep a printer by name, for labels print --printer NAME'
  static override description =
    'A printer at an address is a label printer (ZPL, port 9100), a queue of the system (cups:QUEUE) one for PDF, ' +
    'unless --language says otherwise.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> zebra 192.168.1.50',
    '<%= config.bin %> <%= command.id %> packing 192.168.1.51:9100 --dpi 300 --sheet a6',
    '<%= config.bin %> <%= command.id %> office cups:HP_LaserJet --sheet a4 --per-page 4',
    '<%= config.bin %> <%= command.id %> desk cups:Zebra_ZD421 --language zpl',
  ]
  static override args = {
    name: Args.string({
      description: 'letters, digits, ".", "_" and "-"',
      required: true,
      ignoreStdin: true,
    }),
    address: Args.string({ description: 'HOST[:PORT], or cups:QUEUE', required: true, ignoreStdin: true }),
  }
  static override flags = {
    language: Flags.string({
      helpValue: 'LANGUAGE',
      summary: 'What it understands: zpl or pdf',
      options: [...PRINTER_LANGUAGES],
    }),
    ...paperFlags,
  }

  static override get result() {
    return { json: printerSchema }
  }

  async run(): Promise<void> {
    await addPrinter(this.context, this.args, this.flags)
  }
}
