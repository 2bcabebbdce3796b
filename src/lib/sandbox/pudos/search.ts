import type { PudoResult } from '../../wire/pudos.ts'
import type { Call } from '../http/operation.ts'
import { findConnection } from '../labels/connections.ts'
import { theShop } from '../shop-rules.ts'
import { describePoint } from './demo-points.ts'
import type { NearPoint } from './nearest.ts'
import { NETWORKS } from './networks.ts'
import { referencePlace } from './reference.ts'
import { parsePudoSearch } from './request.ts'

/**
 * Spec §4.5, in the order asked for. Decided: without `carrierServices` all of the shop's; a service that the shop lacks has
 * an empty list.
 */
export async function answerPudoSearch(call: Call): Promise<Buffer> {
  const search = parsePudoSearch(await call.body())
  const shop = call.platform.store.read(({ shops }) => theShop(call.tokenShops, search.shopCode, shops))
  const pudos = await call.platform.pudos()
  const { rangeM, type, limit } = search
  const center = referencePlace(search, pudos.gazetteer)
  const ofShop = shop.services.map(({ carrierServiceCode }) => carrierServiceCode)
  const codes = search.carrierServices.length > 0 ? search.carrierServices : ofShop
  const results = codes.map((code) => {
    const connection = findConnection(shop, code)
    const network = NETWORKS.findIndex(({ carrierCode }) => carrierCode === connection?.carrierCode)
    const found = network === -1 ? [] : pudos.nearest({ center, rangeM, network, type, limit })
    const carrier: Omit<PudoResult, 'pudoPoints'> = {
      carrierCode: connection?.carrierCode ?? code,
      carrierExternalCode: connection?.carrierExternalCode ?? code,
    }
    return `${JSON.stringify(carrier).slice(0, -1)},"pudoPoints":[${found.map(pointJson).join()}]}`
  })
  return Buffer.from(`[${results.join()}]`)
}

/** About 1 KB each; beyond it all are forgotten. */
const MAX_KNOWN = 5000
/** JSON of points before and after the distance, by number: making it takes most of the time of a search. */
const known = new Map<number, readonly [before: string, after: string]>()

/** The JSON of a `PudoPoint`. */
function pointJson({ point, town, distanceM }: NearPoint): string {
  const [before, after] = known.get(point.no) ?? describedPoint(point, town)
  return `${before},"distance":${distanceM / 1000},${after}`
}

function describedPoint(point: NearPoint['point'], town: NearPoint['town']) {
  const { id, name, locationType, address, latitude, longitude, ...rest } = describePoint(point, town)
  const before = JSON.stringify({ id, name, locationType, address, latitude, longitude }).slice(0, -1)
  const described = [before, JSON.stringify(rest).slice(1)] as const
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(point.no, described)
  return described
}
