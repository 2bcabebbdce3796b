import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { labelHostFlags } from '../../lib/cli/global-flags.ts'
import { downloadFlags, downloadLabels } from '../../lib/services/labels/download.ts'
import { labelFilesView, savedLabelsSchema } from '../../lib/services/labels/labels.result.ts'

export default class LabelsDownload extends BaseCommand<typeof LabelsDownload> {
  static override summary = 'Save the labels of shipments, with a manifest that proves them'
  static override description =
    'Labels that the folder has, and that still are what its manifest says, are not fetched again: a download that ' +
    'was interrupted goes on where it was. Of several labels of a shipment the newest is saved.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma labels download LU105189 LU105181 --out labels',
    'rma labels download --file shipments.csv --shop LUMBRE-ES --concurrency 16',
    'rma labels download LU105189 --out - | lp',
    'rma labels download --file ups.csv --mapping ups --shop LUMBRE-ES',
  ]
  static override endsOnInterrupt = true
  static override args = {
    id: Args.string({
      description: 'ids of shipments, or returns; - for one a line on standard input',
      multiple: true,
      ignoreStdin: true,
    }),
  }
  static override flags = { ...downloadFlags, ...labelHostFlags }
  static override result = { view: labelFilesView, json: savedLabelsSchema }

  async run() {
    await downloadLabels(this.args.id ?? [], this.flags, this.context)
  }
}
