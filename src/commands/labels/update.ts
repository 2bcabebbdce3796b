import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/command/base-command.ts'
import { readFormer, readUpdate, sendUpdate, undoCommand } from '../../lib/command/label-update.ts'
import { confirmWrite, showRequests, writeFlags } from '../../lib/command/writes.ts'
import { labelUpdateDetails, labelUpdateView } from '../../lib/output/views/labels.ts'
import { LABEL_SHIPMENT_ID_TYPES } from '../../lib/wire/labels.ts'

export default class LabelsUpdate extends BaseCommand<typeof LabelsUpdate> {
  static override summary = 'Register another label or tracking code for a transport'
  static override description =
    'The kind of id is told from its form: R#-… is a return name, P#R#… a client reference, all else the name that ' +
    'the merchant gave the return. What was there before is printed, with the command that puts it back.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'R#-1001' --tracking-code ABC123 --tracking-url https://carrier.example/ABC123",
    "<%= config.bin %> <%= command.id %> 'P#R#LU1001' --label-url https://carrier.example/label.pdf --label-format PDF",
    '<%= config.bin %> <%= command.id %> RET-77 --from update.json --dry-run',
  ]
  static override args = {
    shipment: Args.string({
      description: 'return name, client reference or own name',
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    'id-type': Flags.string({
      helpValue: 'TYPE',
      summary: 'What the id is, if its form does not tell',
      options: [...LABEL_SHIPMENT_ID_TYPES],
    }),
    from: Flags.string({ helpValue: 'FILE', summary: 'The request as JSON; - for standard input' }),
    'tracking-code': Flags.string({ helpValue: 'CODE', summary: "The carrier's reference" }),
    'additional-tracking-code': Flags.string({
      helpValue: 'CODE',
      summary: 'Another one; repeatable',
      multiple: true,
    }),
    'tracking-url': Flags.string({ helpValue: 'URL', summary: 'Where the parcel can be followed' }),
    'label-format': Flags.string({ helpValue: 'FORMAT', summary: 'Format of the label at --label-url' }),
    'label-url': Flags.string({ helpValue: 'URL', summary: 'Where the label is' }),
    ...writeFlags,
  }

  async run(): Promise<void> {
    const { args, context, flags } = this
    await context.checkOutput(labelUpdateView)
    const body = await readUpdate(args.shipment, flags, context)
    if (flags['dry-run']) {
      await showRequests(context, [{ method: 'PUT', path: '/shipping_labels', body }])
      return
    }
    await confirmWrite(context, `Update the label of ${args.shipment}`, flags.yes)
    context.progress.start('Updating the label')
    const former = await readFormer(body, context)
    const { acknowledgement, ...ending } = await sendUpdate(body, context)
    const record = {
      ...acknowledgement,
      ...ending,
      former: former ?? null,
      undo: undoCommand(body, former) ?? null,
    }
    await context.render({ kind: 'record', record, view: labelUpdateView, details: labelUpdateDetails })
  }
}
