import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { writeFlags } from '../../lib/cli/global-flags.ts'
import { RETURN_FORMS } from '../../lib/cli/return-arg.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { bulkFlags, rowFlags } from '../../lib/services/tracking/bulk-flags.ts'
import { pushFile } from '../../lib/services/tracking/push-file.ts'
import { assertFits, pushOne } from '../../lib/services/tracking/push-one.ts'
import { pushSchema, trackingPushView } from '../../lib/services/tracking/tracking.result.ts'
import { TRANSPORTATION_STATUSES } from '../../lib/wire/enumerations.ts'

export default class TrackingPush extends BaseCommand<typeof TrackingPush> {
  static override summary = 'Report where a parcel is, or a file of such reports'
  static override description =
    'The columns of a file are shipmentId, trackingStatus, carrierName, trackingNumber, trackingUrl, ' +
    'trackingStatusDescription and trackingDate, in any spelling. All rows are checked before the first is sent. Every ' +
    'row is written to a journal before it is sent: what was interrupted goes on with rma jobs resume, and no row is ' +
    'lost or sent twice. A file that was sent before is not sent again. Known statuses: ' +
    `${TRANSPORTATION_STATUSES.join(', ')}.`
  static override exits: readonly ErrorKind[] = [...BaseCommand.exits, 'partial']
  static override examples = [
    '<%= config.bin %> <%= command.id %> LU105189 --status SHIPPING_IN_PROGRESS --carrier DHL --number JD0146',
    '<%= config.bin %> <%= command.id %> --plan updates.plan',
    '<%= config.bin %> <%= command.id %> --file updates.csv --concurrency 16 --rate 200/s',
    '<%= config.bin %> <%= command.id %> --file orders.csv --map shipmentId=Return --map trackingStatus=State --dry-run',
    '<%= config.bin %> <%= command.id %> --file updates.csv --only-new',
  ]
  static override endsOnInterrupt = true
  static override args = {
    shipment: Args.string({ description: `the return: ${RETURN_FORMS}`, ignoreStdin: true }),
  }
  static override flags = {
    status: Flags.string({ helpValue: 'STATUS', summary: 'Where the parcel is' }),
    carrier: Flags.string({ helpValue: 'NAME', summary: 'Carrier' }),
    number: Flags.string({ helpValue: 'NUMBER', summary: 'Tracking number' }),
    url: Flags.string({ helpValue: 'URL', summary: 'Where the parcel can be followed' }),
    description: Flags.string({ helpValue: 'TEXT', summary: 'The status in words' }),
    date: Flags.string({ helpValue: 'DATE', summary: 'When that was, in any zone; now by default' }),
    plan: Flags.string({ helpValue: 'FILE', summary: 'Do what rma tracking plan found acceptable' }),
    'allow-unknown-status': Flags.boolean({ summary: 'Send statuses that the specification does not know' }),
    'allow-future': Flags.boolean({ summary: 'Send dates that are more than 24 hours ahead' }),
    'only-new': Flags.boolean({
      summary: 'Send only the rows that move a shipment on: plan and push in one',
    }),
    again: Flags.boolean({ summary: 'Send a file that was sent before once more' }),
    ...rowFlags,
    ...bulkFlags,
    ...writeFlags,
  }

  static override get result() {
    return { view: trackingPushView, json: pushSchema }
  }

  async run(): Promise<void> {
    const { args, connection, context, flags } = this
    const { shipment } = args
    assertFits(shipment, flags)
    if (shipment === undefined) return pushFile(context, connection, flags)
    await pushOne(context, connection, shipment, flags)
  }
}
