import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg, writeFlags } from '../../lib/cli/global-flags.ts'
import { labelUpdateView } from '../../lib/services/labels/labels.result.ts'
import { updateFlags, updateLabel } from '../../lib/services/labels/update.ts'

export default class LabelsUpdate extends BaseCommand<typeof LabelsUpdate> {
  static override summary = 'Register another label or tracking code for a transport'
  static override description =
    'Changes only what is named: the rest is read and sent along, for all parcels; flags are about the first one. The ' +
    'kind of id is told from its form: R#-… is a return name, P#R#… a client reference, all else the name that the ' +
    'merchant gave the return. What was there before is printed, with the command that puts it back.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    "rma labels update 'R#-LU105189' --tracking-code ABC123 --tracking-url https://carrier.example/ABC123",
    "rma labels update 'P#R#LUMLU105189' --shop LUMBRE-ES --label-url https://carrier.example/label.pdf --label-format PDF",
    'rma labels update R#-LU105189 --from update.json --replace --dry-run',
    'rma labels update --undo ~/.local/share/rma/undo/20261121-093105-3f9a0c.json',
  ]
  static override endsOnInterrupt = true
  static override args = {
    shipment: optionalArg('return name, client reference or own name; none with --undo'),
  }
  static override flags = {
    ...updateFlags,
    ...writeFlags,
  }
  static override result = { view: labelUpdateView }

  async run() {
    await updateLabel(this.args.shipment, this.flags, this.context)
  }
}
