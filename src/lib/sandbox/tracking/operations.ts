import type { Acknowledgement, AcknowledgementCode } from '../../wire/tracking.ts'
import type { Call } from '../http/operation.ts'
import { carrierCodeOf } from '../labels/connections.ts'
import { findShipment, noActiveTransport } from '../labels/shipments.ts'
import { theShop } from '../shop-rules.ts'
import { type Registration, registerTracking } from './register.ts'
import { parseTracking } from './request.ts'

const ANSWERS: Readonly<
  Record<Registration['outcome'], { statusCode: AcknowledgementCode; description: string }>
> = {
  applied: { statusCode: 'OK', description: 'registered' },
  stale: {
    statusCode: 'STALE',
    description: 'is older than what is known: kept in the history, the state stays',
  },
  duplicate: { statusCode: 'DUPLICATE', description: 'was registered before' },
}

/** `POST /shipping_trackings` (spec §4.1). */
export async function postTracking(call: Call): Promise<Acknowledgement> {
  const { now, platform, tokenShops } = call
  const { shopCode, shipmentId, report } = parseTracking(await call.body(), now)
  return platform.store.write((data) => {
    const shop = theShop(tokenShops, shopCode, data.shops)
    const found = findShipment(data, shop, { shipmentId, shipmentIdType: 'RETURN_NAME' })
    if (found === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { shipment } = found
    const carrierCode = carrierCodeOf(data.shops, report.carrier)
    const registration = registerTracking(shipment, shop, { ...report, carrierCode }, Math.floor(now / 1000))
    if (registration === undefined) throw noActiveTransport(shop, shipmentId, found)
    const { outcome, after, transport } = registration
    if (after !== shipment) data.saveCase(shipment, after)
    const { statusCode, description } = ANSWERS[outcome]
    const subject = `${report.status} of transportation ${transport.no} of ${shipment.name}`
    return { statusCode, description: `${subject} ${description}` }
  })
}
