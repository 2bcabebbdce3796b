import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { labelHostFlags, paperFlags } from '../../lib/cli/global-flags.ts'
import { printedLabelsSchema, printedLabelsView } from '../../lib/services/labels/print.result.ts'
import { printFlags, printLabels } from '../../lib/services/labels/print.ts'

export default class LabelsPrint extends BaseCommand<typeof LabelsPrint> {
  static override summary = 'Put labels on sheets in one PDF, or send them to a printer'
  static override description =
    'Labels are returns, ids of shipments, files and folders. They keep their true size, turned where they fit better. ' +
    'A label printer gets ZPL as it is, and of other labels a picture in its own dots. Without --out or --printer the ' +
    'PDF is labels.pdf, or the next free labels-2.pdf. Labels are numbered in the order printed, and each run is kept: ' +
    'after a jam, print it again whole or in part.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma labels print labels --per-page 4 --out sheets.pdf',
    'rma labels print LU105189 LU105181 --sheet a4 --per-page 2 --start-at 2 --out rest.pdf',
    'rma labels print labels --sort carrier --printer zebra',
    'rma labels print labels/SHP-1.pdf --printer 192.168.1.50 --copies 2',
    'rma labels print --history',
    'rma labels print --reprint 7 --only 17-19,22',
  ]
  static override endsOnInterrupt = true
  static override args = {
    label: Args.string({
      description: 'returns, ids of shipments, label files or folders; - for one a line on standard input',
      multiple: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    ...paperFlags,
    ...printFlags,
    ...labelHostFlags,
  }
  static override result = { view: printedLabelsView, json: printedLabelsSchema }

  protected override get checkedView() {
    return this.flags.history ? undefined : super.checkedView
  }

  async run() {
    await printLabels(this.args.label ?? [], this.flags, this.context)
  }
}
