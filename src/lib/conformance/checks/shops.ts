import { type Check, spec, WRITES } from '../check.ts'
import { Skipped } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { mustRefuse, type ProbedRequest } from '../probe.ts'
import { without } from '../required.ts'
import { updated } from './label-updates.ts'
import { labelRequest, made } from './labels.ts'
import { offer } from './methods.ts'
import { place } from './pudo-places.ts'
import { moved } from './tracking.ts'

/** Requests with a shop that the platform accepts, by check. */
const REQUESTS: Readonly<Record<string, (world: World) => Promise<ProbedRequest>>> = {
  'methods.shop': async (world) => ({
    method: 'POST',
    path: '/return_methods',
    body: (await offer(world)).request,
    isRead: true,
  }),
  'pudos.shop': async (world) => {
    const { request, center } = await place(world)
    return { method: 'POST', path: '/pudos', body: { ...request, ...center }, isRead: true }
  },
  'labels.made-shop': async (world) => {
    await made(world)
    return { method: 'POST', path: '/shipping_labels', body: await labelRequest(world) }
  },
  'labels.found-shop': async (world) => {
    await made(world)
    const { clientShipmentId, shopCode } = await labelRequest(world)
    const query = { client_shipment_id: clientShipmentId, shopCode }
    return { method: 'GET', path: '/shipping_labels', query }
  },
  'labels.update-shop': async (world) => ({
    method: 'PUT',
    path: '/shipping_labels',
    body: (await updated(world)).body,
  }),
  'tracking.shop': async (world) => ({
    method: 'POST',
    path: '/shipping_trackings',
    body: (await moved(world)).body,
  }),
}

const shopCheck = (id: string, requestFor: (world: World) => Promise<ProbedRequest>): Check => ({
  id,
  specified: 'A request without a shop is refused if the token is for several',
  ...spec('§4, §5', /^(methods|pudos)/.test(id) ? {} : WRITES),
  run: async (world) => {
    const request = without(without(await requestFor(world), 'body.shopCode'), 'query.shopCode')
    const [answer, { size }] = [await world.send(request), await world.shops()]
    if (size > 1) return mustRefuse(answer, `a request without one of ${size} shops`)
    if (answer.status !== 200) throw new Skipped('only one shop of the token has returns')
    return 'accepted, for the only shop'
  },
})

/** Spec §4, §5. */
export const SHOP_CHECKS: readonly Check[] = Object.entries(REQUESTS).map(([id, request]) =>
  shopCheck(id, request),
)
