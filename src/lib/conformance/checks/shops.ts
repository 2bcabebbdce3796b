import { type Check, spec, writing } from '../check.ts'
import { Skipped } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { mustRefuse, type ProbedRequest } from '../probe.ts'
import { without } from '../required.ts'
import { updated } from './label-updates.ts'
import { labelRequest, made } from './labels.ts'
import { offer } from './methods.ts'
import { place } from './pudo-places.ts'
import { moved } from './tracking.ts'

/** A request that the platform accepts goes without its shop. */
const withoutShop = (id: string, accepted: (world: World) => Promise<ProbedRequest>): Check =>
  spec(id, '§4, §5', 'A request without a shop is refused if the token is for several', async (world) => {
    const request = without(without(await accepted(world), 'body.shopCode'), 'query.shopCode')
    const [answer, { size }] = [await world.send(request), await world.shops()]
    if (size > 1) return mustRefuse(answer, `a request without one of ${size} shops`)
    if (answer.status !== 200) throw new Skipped('only one shop of the token has returns')
    return 'accepted, for the only shop'
  })

/** Spec §4, §5. */
export const SHOP_CHECKS: readonly Check[] = [
  withoutShop('methods.shop', async (world) => {
    const { request: body } = await offer(world)
    return { method: 'POST', path: '/return_methods', body, isRead: true }
  }),
  withoutShop('pudos.shop', async (world) => {
    const { request, center } = await place(world)
    return { method: 'POST', path: '/pudos', body: { ...request, ...center }, isRead: true }
  }),
  ...writing(
    withoutShop('labels.made-shop', async (world) => {
      await made(world)
      return { method: 'POST', path: '/shipping_labels', body: await labelRequest(world) }
    }),
    withoutShop('labels.found-shop', async (world) => {
      await made(world)
      const { clientShipmentId, shopCode } = await labelRequest(world)
      const query = { client_shipment_id: clientShipmentId, shopCode }
      return { method: 'GET', path: '/shipping_labels', query }
    }),
    withoutShop('labels.update-shop', async (world) => {
      const { body } = await updated(world)
      return { method: 'PUT', path: '/shipping_labels', body }
    }),
    withoutShop('tracking.shop', async (world) => {
      const { body } = await moved(world)
      return { method: 'POST', path: '/shipping_trackings', body }
    }),
  ),
]
