import type { PudoResult } from '../../wire/pudos.ts'
import type { Call } from '../http/operation.ts'
import { findConnection } from '../labels/connections.ts'
import { theShop } from '../shop-rules.ts'
import { describePoint } from './demo-points.ts'
import { NETWORKS } from './networks.ts'
import { referencePlace } from './reference.ts'
import { parsePudoSearch } from './request.ts'

/**
 * Spec §4.5, in the order asked for. Decided: without `carrierServices` all of the shop's; a service that the shop lacks has
 * an empty list.
 */
export async function answerPudoSearch(call: Call): Promise<PudoResult[]> {
  const search = parsePudoSearch(await call.body())
  const shop = call.platform.store.read(({ shops }) => theShop(call.tokenShops, search.shopCode, shops))
  const pudos = await call.platform.pudos()
  const { rangeM, type, limit } = search
  const center = referencePlace(search, pudos.gazetteer)
  const ofShop = shop.services.map(({ carrierServiceCode }) => carrierServiceCode)
  const codes = search.carrierServices.length > 0 ? search.carrierServices : ofShop
  return codes.map((code) => {
    const connection = findConnection(shop, code)
    const network = NETWORKS.findIndex(({ carrierCode }) => carrierCode === connection?.carrierCode)
    const found = network === -1 ? [] : pudos.nearest({ center, rangeM, network, type, limit })
    return {
      carrierCode: connection?.carrierCode ?? code,
      carrierExternalCode: connection?.carrierExternalCode ?? code,
      pudoPoints: found.map(({ point, town, distanceM }) => ({
        ...describePoint(point, town),
        distance: distanceM / 1000,
      })),
    }
  })
}
