import { BaseCommand } from '../../lib/cli/base-command.ts'
import { repeatedArg } from '../../lib/cli/global-flags.ts'
import { labelSetsView } from '../../lib/services/labels/labels.result.ts'
import { showLabelSets } from '../../lib/services/labels/shipment-labels.ts'

export default class LabelsGet extends BaseCommand<typeof LabelsGet> {
  static override summary = 'Show the labels of shipments, as the service sends them'
  static override description =
    'As JSON: the list, with each label in base64. To have files: labels download.'
  static override examples = [
    'rma labels get R#-LU105189-T10000119001',
    'rma labels get LU105189 -o json',
    "rma labels get LU105189 LU105181 --jq '.[].shippingLabels[].carrierTrackingCode'",
  ]
  static override args = {
    id: repeatedArg('id that the label was made with, or its return; - for one a line on standard input'),
  }
  static override result = {
    view: labelSetsView,
    json: async () => (await import('../../lib/wire/labels.ts')).labelSetListSchema,
  }

  async run() {
    await showLabelSets(this.args.id, this.context)
  }
}
