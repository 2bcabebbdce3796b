import { Flags } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import { switchFlag, textFlag, writeFlags } from '../lib/cli/global-flags.ts'

export default class Desk extends BaseCommand<typeof Desk> {
  static override summary = 'Work returns on one screen, without typing commands'
  static override description =
    'Search as you type, the card of a return, replies, drop-off points, labels, printing and bulk jobs, by the keys at ' +
    'the bottom of the screen. --warehouse shows the status of what is scanned and prints the label that exists.'
  static override examples = ['rma desk', 'rma desk --warehouse --printer zebra']
  static override endsOnInterrupt = true
  static override flags = {
    warehouse: switchFlag('Scan, see the status, and have the label printed'),
    printer: textFlag('PRINTER', 'Printer of the warehouse screen. Default: a PDF for each label', {
      char: 'P',
      dependsOn: ['warehouse'],
    }),
    buy: Flags.integer({
      helpValue: 'N',
      default: 0,
      min: 0,
      max: 1000,
      summary: 'Labels that the warehouse screen may buy in this session; none by default',
    }),
    yes: writeFlags.yes,
    'no-sound': switchFlag('No beep after a scan'),
  }

  async run() {
    const { warehouse, printer, buy, yes, 'no-sound': isSilent } = this.flags
    const { openDesk } = await import('../lib/desk/open.tsx')
    const options = { printer, maxLabels: buy, yes, hasSound: !isSilent }
    await openDesk(this.context, this.capturer, warehouse ? options : undefined)
  }
}
