import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { labelHostFlags, writeFlags } from '../../lib/cli/global-flags.ts'
import { labelFilesView } from '../../lib/output/views/labels.ts'
import { LabelBatch } from '../../lib/services/labels/batch.ts'
import { makeLabel } from '../../lib/services/labels/create.ts'
import { showLabelOrders } from '../../lib/services/labels/dry-run.ts'
import { openTarget } from '../../lib/services/labels/output-target.ts'
import { readLabelOrders } from '../../lib/services/labels/requests.ts'
import { confirmEnded } from '../../lib/services/labels/return-parcel.ts'
import { openShipmentLock } from '../../lib/services/labels/shipment-lock.ts'
import { LABEL_FORMATS } from '../../lib/wire/labels.ts'

/** A carrier makes a label in a second or so; more at once would mostly meet its rate limit. */
const CONCURRENCY = 4

export default class LabelsCreate extends BaseCommand<typeof LabelsCreate> {
  static override summary = 'Make shipping labels and save them'
  static override description =
    'A label is never made twice: one that the shipment has is saved instead, and after a time-out the service is ' +
    'asked whether it was made. --for takes the parties and goods from a return; the label is that of its active ' +
    'transport, and of no other parcel of the order.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> --for 'R#-1001' --carrier-service SBX_STANDARD",
    "<%= config.bin %> <%= command.id %> --for 'R#-1001' --carrier-service SBX_STANDARD --register",
    '<%= config.bin %> <%= command.id %> --from label.json --format ZPL --out label.zpl',
    '<%= config.bin %> <%= command.id %> --from labels.ndjson --out labels --dry-run',
  ]
  static override endsOnInterrupt = true
  static override flags = {
    from: Flags.string({ helpValue: 'FILE', summary: 'Requests as JSON or NDJSON; - for standard input' }),
    for: Flags.string({
      helpValue: 'RETURN',
      summary: 'Return to make the label of, by id or name',
      exclusive: ['from'],
    }),
    'carrier-service': Flags.string({ helpValue: 'CODE', summary: 'Carrier connection, with --for' }),
    'client-shipment-id': Flags.string({
      helpValue: 'ID',
      summary: "Id of the shipment, with --for (default: the return's name and the id of its transport)",
    }),
    weight: Flags.integer({ helpValue: 'GRAMS', summary: 'Weight of the parcel, with --for', min: 1 }),
    'hs-code': Flags.string({
      helpValue: 'CODE',
      summary: 'Customs code of the items, with --for; declares them',
    }),
    'origin-country': Flags.string({
      helpValue: 'CODE',
      summary: 'Country that the goods were made in, with --for',
    }),
    format: Flags.string({
      helpValue: 'FORMAT',
      summary: 'PDF (default) or ZPL',
      options: [...LABEL_FORMATS],
    }),
    out: Flags.string({
      helpValue: 'PATH',
      default: 'labels',
      summary: 'Folder (default: labels), file ending in .pdf, .zpl or .png, or - for standard output',
    }),
    force: Flags.boolean({ summary: 'Replace files that have other content' }),
    another: Flags.boolean({ summary: 'Make one more label, and pay for it, where there is one' }),
    'even-if-ended': Flags.boolean({ summary: 'Also for a return or transport that has ended, with --for' }),
    register: Flags.boolean({
      allowNo: true,
      summary: "Enter the new code on the return, with --for (default: the profile's setting)",
    }),
    ...labelHostFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { connection, context, flags } = this
    await context.checkOutput(labelFilesView)
    const orders = await readLabelOrders(flags, context, connection)
    if (flags['dry-run']) return showLabelOrders(context, connection, orders, flags.another)
    await context.questions.confirmWrite(`Make ${orders.length} label(s)`, flags.yes)
    await confirmEnded(context, orders, flags)
    const { out, force, another } = flags
    const target = await openTarget(context, connection, { out, force, shipments: orders.length })
    const labels = await connection.labels()
    const registers = flags.register ?? (await context.settings()).registersLabels
    const lock = await openShipmentLock(context)
    const maker = { context, connection, target, labels, lock, another, registers }
    const batch = new LabelBatch(context, orders, {
      doing: 'Making labels',
      concurrency: CONCURRENCY,
      idOf: ({ request }) => request.clientShipmentId,
      work: (order, report) => makeLabel(maker, order, report),
    })
    await batch.renderInto(target, labelFilesView)
  }
}
