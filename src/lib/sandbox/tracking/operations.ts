import type { Acknowledgement } from '../../wire/tracking.ts'
import { ApiError } from '../api-error.ts'
import type { Call, Operation } from '../operation.ts'
import { theShop } from '../shop-rules.ts'
import { type Registration, registerTracking } from './register.ts'
import { parseTracking } from './request.ts'

/** What merchants report of parcels (spec §4.1). */
export const TRACKING_OPERATIONS: readonly Operation[] = [
  { method: 'POST', path: '/shipping_trackings', answer: postTracking },
]

const DESCRIPTIONS: Readonly<Record<Registration['outcome'], string>> = {
  applied: 'registered',
  late: 'is older than what is known: kept in the history, the state stays',
  repeated: 'was registered before',
}

/** `POST /shipping_trackings` (spec §4.1). It is on the disk before the answer. */
async function postTracking(call: Call): Promise<Acknowledgement> {
  const { now, platform, tokenShops } = call
  const { shopCode, shipmentId, report } = parseTracking(await call.body(), now)
  return platform.store.write((data) => {
    const shop = theShop(tokenShops, shopCode, data.shops)
    const shipment = data.findShipment(shop.no, { name: shipmentId })
    if (shipment === undefined) {
      const message = `shipmentId: ${shop.code} has no shipment ${shipmentId} with an active transportation`
      throw new ApiError(400, [{ code: 'SH01', message }])
    }
    const { outcome, after, transport } = registerTracking(shipment, shop, report, Math.floor(now / 1000))
    if (after !== shipment) data.saveCase(shipment, after)
    const subject = `${report.status} of transportation ${transport.no} of ${shipment.name}`
    return { statusCode: 'OK', description: `${subject} ${DESCRIPTIONS[outcome]}` }
  })
}
