import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg, RETURN_FORMS, writeFlags } from '../../lib/cli/global-flags.ts'
import { pushFile } from '../../lib/services/tracking/push-file.ts'
import { allowFlags, fileFlags, oneFlags } from '../../lib/services/tracking/push-flags.ts'
import { assertFits, pushOne } from '../../lib/services/tracking/push-one.ts'
import { pushSchema, trackingPushView } from '../../lib/services/tracking/tracking.result.ts'
import { TRANSPORTATION_STATUSES } from '../../lib/wire/enumerations.ts'

export default class TrackingPush extends BaseCommand<typeof TrackingPush> {
  static override summary = 'Send a tracking update, or a file of them'
  static override description =
    'The columns of a file are shipmentId, trackingStatus, carrierName, trackingNumber, trackingUrl, ' +
    'trackingStatusDescription and trackingDate, in any spelling. All rows are checked before the first is sent. Every ' +
    'row is written to a journal before it is sent: what was interrupted goes on with rma jobs resume, and no row is ' +
    'lost or sent twice. A file that was sent before is not sent again. Known statuses: ' +
    `${TRANSPORTATION_STATUSES.join(', ')}.`
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma tracking push LU105189 --status SHIPPING_IN_PROGRESS --carrier DHL --number JD0146',
    'rma tracking push --plan updates.plan',
    'rma tracking push --file updates.csv --concurrency 16 --rate 200/s',
    'rma tracking push --file orders.csv --map shipmentId=Return --map trackingStatus=State --dry-run',
    'rma tracking push --file updates.csv --only-new',
  ]
  static override endsOnInterrupt = true
  static override args = {
    shipment: optionalArg(`the return: ${RETURN_FORMS}`),
  }
  static override flags = {
    ...oneFlags,
    ...allowFlags,
    ...fileFlags,
    ...writeFlags,
  }
  static override result = { view: trackingPushView, json: pushSchema }

  protected override get checkedView() {
    return undefined
  }

  async run() {
    const { args, context, flags } = this
    const { shipment } = args
    assertFits(shipment, flags)
    if (shipment === undefined) return pushFile(context, flags)
    await pushOne(context, shipment, flags)
  }
}
