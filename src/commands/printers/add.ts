import { BaseCommand } from '../../lib/cli/base-command.ts'
import { paperFlags, requiredArg, textFlag } from '../../lib/cli/global-flags.ts'
import { addPrinter, printerSchema } from '../../lib/services/printers/printers.ts'
import { PRINTER_LANGUAGES } from '../../lib/wire/enumerations.ts'

export default class PrintersAdd extends BaseCommand<typeof PrintersAdd> {
  static override summary = 'Keep a printer by name, for labels print --printer NAME'
  static override description =
    'A printer at an address is a label printer (ZPL, port 9100), a queue of the system (cups:QUEUE) one for PDF, ' +
    'unless --language says otherwise.'
  static override examples = [
    'rma printers add zebra 192.168.1.50',
    'rma printers add packing 192.168.1.51:9100 --dpi 300 --sheet a6',
    'rma printers add office cups:HP_LaserJet --sheet a4 --per-page 4',
    'rma printers add desk cups:Zebra_ZD421 --language zpl',
  ]
  static override args = {
    name: requiredArg('letters, digits, ".", "_" and "-"'),
    address: requiredArg('HOST[:PORT], or cups:QUEUE'),
  }
  static override flags = {
    language: textFlag('LANGUAGE', 'What it understands: zpl or pdf', { options: [...PRINTER_LANGUAGES] }),
    ...paperFlags,
  }
  static override result = { json: printerSchema }

  async run() {
    await addPrinter(this.context, this.args, this.flags)
  }
}
