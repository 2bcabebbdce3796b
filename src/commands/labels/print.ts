import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { labelHostFlags } from '../../lib/cli/global-flags.ts'
import { labelFilesView } from '../../lib/output/views/labels.ts'
import { loadLabels, printedLabels, printOnPrinter, printOnSheets } from '../../lib/services/labels/print.ts'
import { printPlan } from '../../lib/services/labels/print-target.ts'
import { readShipmentIds } from '../../lib/services/labels/shipment-ids.ts'

export default class LabelsPrint extends BaseCommand<typeof LabelsPrint> {
  static override summary = 'Put labels on sheets in one PDF, or send ZPL to a label printer'
  static override description =
    'Labels are files or ids of shipments, printed in this order, at their true size, and turned where they fit better. ' +
    'ZPL is drawn for sheets, and goes to a printer as it is.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> labels/*.pdf --sheet a4 --per-page 4 --out sheets.pdf',
    '<%= config.bin %> <%= command.id %> LU105189 LU105181 --sheet a4 --per-page 2 --start-at 2 --out rest.pdf',
    '<%= config.bin %> <%= command.id %> labels/SHP-1.zpl --printer 192.168.1.50',
  ]
  static override args = {
    label: Args.string({
      description: 'label files, ids of shipments, or returns; - for one a line on standard input',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    sheet: Flags.string({
      helpValue: 'SIZE',
      summary: 'a4 (default), letter, a6 or 4x6 (inches)',
      options: ['a4', 'letter', 'a6', '4x6'],
    }),
    'per-page': Flags.string({
      helpValue: 'N',
      summary: 'Labels a sheet: 1 (default), 2 or 4',
      options: ['1', '2', '4'],
    }),
    'start-at': Flags.integer({
      helpValue: 'N',
      summary: 'First free place of a sheet that is partly used',
      min: 1,
    }),
    dpi: Flags.string({
      helpValue: 'DPI',
      summary: 'Printer that ZPL was made for: 203, 300 or 600; told from its size if not said',
      options: ['203', '300', '600'],
    }),
    out: Flags.string({ helpValue: 'FILE', summary: 'PDF to write, or - for standard output' }),
    force: Flags.boolean({ summary: 'Replace the PDF if it has other content' }),
    printer: Flags.string({
      helpValue: 'HOST[:PORT]',
      summary: 'Label printer that takes ZPL as raw data, port 9100 if not said',
      exclusive: ['sheet', 'per-page', 'start-at', 'dpi', 'out', 'force'],
    }),
    ...labelHostFlags,
  }

  async run(): Promise<void> {
    const { args, connection, context, flags } = this
    await context.checkOutput(labelFilesView)
    const plan = printPlan(flags, context)
    const references = await readShipmentIds({ given: args.label, repeated: true }, context)
    context.progress.start('Reading labels')
    const labels = await loadLabels(references, context, connection)
    context.progress.start('Printing labels')
    const rest =
      'host' in plan
        ? await printOnPrinter(labels, plan, context)
        : await printOnSheets(labels, plan, context)
    if (flags.out === '-') return
    const items = printedLabels(labels, flags.out ?? null)
    await context.render({
      kind: 'list',
      items,
      view: labelFilesView,
      envelope: { key: 'files', rest: () => rest },
    })
  }
}
