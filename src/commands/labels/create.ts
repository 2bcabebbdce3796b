import { BaseCommand } from '../../lib/cli/base-command.ts'
import {
  defaultedFlag,
  labelHostFlags,
  switchFlag,
  textFlag,
  writeFlags,
} from '../../lib/cli/global-flags.ts'
import { buyLabels } from '../../lib/services/labels/create.ts'
import { labelFilesView, savedLabelsSchema } from '../../lib/services/labels/labels.result.ts'
import { labelNames, openTarget } from '../../lib/services/labels/output-target.ts'
import { purchaseInWords, showRequests } from '../../lib/services/labels/purchase-preview.ts'
import { readWantedLabels } from '../../lib/services/labels/requests.ts'
import { confirmEnded, forFlags } from '../../lib/services/labels/return-parcel.ts'
import { exportFlags } from '../../lib/services/labels/shipment-ids.ts'
import { readFilters, returnsFilterFlags } from '../../lib/services/returns/list-flags.ts'
import { LABEL_FORMATS } from '../../lib/wire/enumerations.ts'

/** Here `--name` sets the file names. */
const { name: _name, ...filterFlags } = returnsFilterFlags

export default class LabelsCreate extends BaseCommand<typeof LabelsCreate> {
  static override summary = 'Make shipping labels and save them'
  static override description =
    'A label is never made twice. One that the shipment has is saved instead. After a time-out the service ' +
    'is asked whether the label was made. After an interruption the same command goes on. --for takes the ' +
    'parties and goods from a return, for the parcel of its active transport.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma labels create --for LU105189 --carrier-service SBX_STANDARD --register',
    'rma returns list --status PENDING --columns name -o csv --no-headers | ' +
      'rma labels create --for - --goods goods.csv --skip-invalid',
    'rma labels create --status PENDING --goods goods.csv',
    'rma labels create --from label.json --format ZPL --out label.zpl',
    'rma labels create --from requests.ndjson --out labels --dry-run',
    'rma labels create --from ups.csv --mapping ups',
  ]
  static override endsOnInterrupt = true
  static override flags = {
    from: textFlag('FILE', 'Requests as JSON or NDJSON; - for standard input'),
    ...exportFlags,
    ...forFlags,
    ...filterFlags,
    format: textFlag('FORMAT', 'PDF (default) or ZPL', { options: [...LABEL_FORMATS] }),
    out: defaultedFlag(
      'PATH',
      'labels',
      'Folder, file ending in .pdf, .zpl or .png, or - for standard output',
    ),
    name: textFlag(
      'TEMPLATE',
      'Name of each file: {name} {carrier} {service} {shop} {order} {date}, with / for folders',
    ),
    force: switchFlag('Replace files that have other content'),
    another: switchFlag('Make one more label, and pay for it, where there is one'),
    'buy-after-unknown': switchFlag(
      'Make a label where an earlier one was asked for and did not appear, without asking',
    ),
    'skip-invalid': switchFlag('Leave out what can not be sent, instead of making none'),
    ...labelHostFlags,
    ...writeFlags,
  }
  static override result = { view: labelFilesView, json: savedLabelsSchema }

  async run() {
    const { context, flags } = this
    const isChosen = Object.keys(filterFlags).some((name) => Reflect.get(flags, name) !== undefined)
    const chosen = { ...flags, name: undefined }
    const filters = isChosen ? await readFilters(chosen, context, { knownStatus: true }) : undefined
    const read = await readWantedLabels({ ...flags, filters }, context)
    const { wanted } = read
    const names = await labelNames(wanted, flags.name, context)
    if (flags['dry-run']) return showRequests(context, wanted, flags.another)
    const what = () => purchaseInWords(context, wanted, flags.another)
    if (wanted.length > 0) await context.questions.confirmWrite(what, flags.yes, isChosen)
    await confirmEnded(context, wanted, flags)
    const target = await openTarget(context, { ...flags, names, shipments: wanted.length })
    await buyLabels(read, flags, target, context)
  }
}
