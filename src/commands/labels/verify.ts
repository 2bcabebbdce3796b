import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { verifiedLabelsView, verifySchema } from '../../lib/services/labels/labels.result.ts'
import { verifyLabels } from '../../lib/services/labels/verify.ts'

export default class LabelsVerify extends BaseCommand<typeof LabelsVerify> {
  static override summary = 'Compare saved labels with their manifest'
  static override description = 'Ends with 9 if a file is missing or is not what was saved. Needs no network.'
  static override exits = ['partial'] as const
  static override examples = [
    'rma labels verify labels',
    'rma labels verify labels --jq \'.labels[] | select(.state != "ok").clientShipmentId\'',
  ]
  static override args = {
    dir: requiredArg('folder with a manifest.json'),
  }
  static override result = { view: verifiedLabelsView, json: verifySchema }

  async run() {
    await verifyLabels(this.args.dir, this.context)
  }
}
