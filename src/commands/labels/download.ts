import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { defaultedFlag, labelHostFlags, switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { downloadLabels } from '../../lib/services/labels/download.ts'
import { labelFilesView, savedLabelsSchema } from '../../lib/services/labels/labels.result.ts'
import { exportFlags, namesOfExport, readShipmentIds } from '../../lib/services/labels/shipment-ids.ts'

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
  static override flags = {
    file: textFlag('FILE', 'Ids, one a line, or CSV with a column clientShipmentId; - for standard input'),
    mapping: { ...exportFlags.mapping, dependsOn: ['file'] },
    out: defaultedFlag('PATH', 'labels', 'Folder; for one shipment also a file, or - for standard output'),
    concurrency: Flags.integer({
      helpValue: 'N',
      default: 8,
      min: 1,
      max: 64,
      summary: 'Labels fetched at once, 8 by default',
    }),
    force: switchFlag('Ask also for labels that are saved, and replace files that have other content'),
    ...labelHostFlags,
  }
  static override result = { view: labelFilesView, json: savedLabelsSchema }

  async run() {
    const { args, context, flags } = this
    const { file, mapping } = flags
    const named = mapping === undefined ? [] : await namesOfExport(context, file ?? '-', mapping)
    const given = [...(args.id ?? []), ...named]
    const ids = await readShipmentIds({ given, file: mapping ? undefined : file }, context)
    const isFile = file !== undefined && mapping === undefined
    await downloadLabels(ids, { ...flags, isFile }, context)
  }
}
