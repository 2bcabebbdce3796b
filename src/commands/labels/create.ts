import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { labelHostFlags, writeFlags } from '../../lib/cli/global-flags.ts'
import { labelFilesView } from '../../lib/output/views/labels.ts'
import { showLabelOrders } from '../../lib/services/labels/dry-run.ts'
import { labelNames } from '../../lib/services/labels/file-names.ts'
import { forFlags } from '../../lib/services/labels/for-flags.ts'
import { fulfilOrders } from '../../lib/services/labels/fulfil-orders.ts'
import { openTarget } from '../../lib/services/labels/output-target.ts'
import { readLabelOrders } from '../../lib/services/labels/requests.ts'
import { confirmEnded } from '../../lib/services/labels/return-parcel.ts'
import { LABEL_FORMATS } from '../../lib/wire/labels.ts'

export default class LabelsCreate extends BaseCommand<typeof LabelsCreate> {
  static override summary = 'Make shipping labels and save them'
  static override description =
    'A label is never made twice: one that the shipment has is saved instead, and after a time-out the service is ' +
    'asked whether it was made: the same command again goes on. --for takes the parties and goods from a return; the ' +
    'label is that of its active transport, and of no other parcel of the order.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> --for LU105189 --carrier-service SBX_STANDARD --register',
    '<%= config.bin %> returns list --status PENDING --columns name -o csv --no-headers | ' +
      '<%= config.bin %> <%= command.id %> --for - --goods goods.csv --skip-invalid',
    '<%= config.bin %> <%= command.id %> --from label.json --format ZPL --out label.zpl',
    '<%= config.bin %> <%= command.id %> --from requests.ndjson --out labels --dry-run',
  ]
  static override endsOnInterrupt = true
  static override flags = {
    from: Flags.string({ helpValue: 'FILE', summary: 'Requests as JSON or NDJSON; - for standard input' }),
    ...forFlags,
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
    name: Flags.string({
      helpValue: 'TEMPLATE',
      summary: 'Name of each file: {name} {carrier} {service} {shop} {order} {date}, with / for folders',
    }),
    force: Flags.boolean({ summary: 'Replace files that have other content' }),
    another: Flags.boolean({ summary: 'Make one more label, and pay for it, where there is one' }),
    'skip-invalid': Flags.boolean({ summary: 'Leave out what can not be sent, instead of making none' }),
    ...labelHostFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { connection, context, flags } = this
    await context.checkOutput(labelFilesView)
    const read = await readLabelOrders(flags, context, connection)
    const { orders } = read
    const names = await labelNames(orders, flags.name, context)
    if (flags['dry-run']) return showLabelOrders(context, connection, orders, flags.another)
    await context.questions.confirmWrite(`Make ${orders.length} label(s)`, flags.yes)
    await confirmEnded(context, orders, flags)
    const target = await openTarget(context, connection, { ...flags, names, shipments: orders.length })
    await fulfilOrders(read, flags, target, { context, connection })
  }
}
