import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listFlag, optionalArg, switchFlag, textFlag, writeFlags } from '../../lib/cli/global-flags.ts'
import { labelUpdateView } from '../../lib/services/labels/labels.result.ts'
import { updateLabel } from '../../lib/services/labels/update.ts'
import { LABEL_SHIPMENT_ID_TYPES } from '../../lib/wire/enumerations.ts'

export default class LabelsUpdate extends BaseCommand<typeof LabelsUpdate> {
  static override summary = 'Register another label or tracking code for a transport'
  static override description =
    'Changes only what is named: the rest is read and sent along, for all parcels; flags are about the first one. The ' +
    'kind of id is told from its form: R#-… is a return name, P#R#… a client reference, all else the name that the ' +
    'merchant gave the return. What was there before is printed, with the command that puts it back.'
  static override exits = [...BaseCommand.exits, 'partial'] as const
  static override examples = [
    "rma labels update 'R#-LU105189' --tracking-code ABC123 --tracking-url https://carrier.example/ABC123",
    "rma labels update 'P#R#LUMLU105189' --shop LUMBRE-ES --label-url https://carrier.example/label.pdf --label-format PDF",
    'rma labels update R#-LU105189 --from update.json --replace --dry-run',
    'rma labels update --undo ~/.local/share/rma/undo/20261121-093105-3f9a0c.json',
  ]
  static override afterInterrupt = [
    'a change that was sent may have been taken: rma labels get SHIPMENT shows it',
  ]
  static override args = {
    shipment: optionalArg('return name, client reference or own name; none with --undo'),
  }
  static override flags = {
    'id-type': textFlag('TYPE', 'What the id is, if its form does not tell', {
      options: [...LABEL_SHIPMENT_ID_TYPES],
    }),
    from: textFlag('FILE', 'The request as JSON; - for standard input'),
    'tracking-code': textFlag('CODE', "The carrier's reference"),
    'additional-tracking-code': listFlag('CODE', 'Another one; repeatable'),
    'tracking-url': textFlag('URL', 'Where the parcel can be followed'),
    'label-format': textFlag('FORMAT', 'Format of the label at --label-url'),
    'label-url': textFlag('URL', 'Where the label is'),
    replace: switchFlag('Send only what is given; all else may be emptied'),
    undo: textFlag('FILE', 'Put back what an update has replaced, from the file that it named', {
      exclusive: [
        'from',
        'id-type',
        'replace',
        'tracking-code',
        'additional-tracking-code',
        'tracking-url',
        'label-format',
        'label-url',
      ],
    }),
    ...writeFlags,
  }

  static override get result() {
    return { view: labelUpdateView }
  }

  async run() {
    const { args, connection, context, flags } = this
    await updateLabel(args.shipment, flags, context, connection)
  }
}
