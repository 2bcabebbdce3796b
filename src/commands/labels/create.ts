import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/command/base-command.ts'
import { labelHostFlags } from '../../lib/command/flags.ts'
import { LabelBatch } from '../../lib/command/label-batch.ts'
import { makeLabel } from '../../lib/command/label-create.ts'
import { readLabelRequests } from '../../lib/command/label-requests.ts'
import { openTarget } from '../../lib/command/label-target.ts'
import { confirmWrite, showRequests, writeFlags } from '../../lib/command/writes.ts'
import { labelFilesView } from '../../lib/output/views/labels.ts'
import { LABEL_FORMATS } from '../../lib/wire/labels.ts'

/** A carrier makes a label in a second or so; more at once would mostly meet its rate limit. */
const CONCURRENCY = 4

export default class LabelsCreate extends BaseCommand<typeof LabelsCreate> {
  static override summary = 'Make shipping labels and save them'
  static override description =
    'A label is never made twice: one that the shipment has is saved instead, and after a time-out the service is ' +
    'asked whether it was made. --for takes the parties and goods from a return; its id is then the client reference ' +
    "of the return's active transport."
  static override examples = [
    "<%= config.bin %> <%= command.id %> --for 'R#-1001' --carrier-service SBX_STANDARD",
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
    force: Flags.boolean({
      summary: 'Make another label, and charge for it, where there is one; replace files',
    }),
    ...labelHostFlags,
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { context, flags } = this
    await context.checkOutput(labelFilesView)
    const requests = await readLabelRequests(flags, context)
    if (flags['dry-run']) {
      await showRequests(
        context,
        requests.map((body) => ({ method: 'POST', path: '/shipping_labels', body })),
      )
      return
    }
    await confirmWrite(context, `Make ${requests.length} label(s)`, flags.yes)
    const target = await openTarget(context, {
      out: flags.out,
      force: flags.force,
      shipments: requests.length,
    })
    const maker = { context, target, labels: await context.labels(), force: flags.force }
    const batch = new LabelBatch(context, requests, {
      doing: 'Making labels',
      concurrency: CONCURRENCY,
      idOf: ({ clientShipmentId }) => clientShipmentId,
      work: (request) => makeLabel(maker, request),
    })
    await batch.renderInto(target, labelFilesView)
  }
}
