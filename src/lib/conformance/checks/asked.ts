import { returnSchema } from '../../wire/returns.ts'
import { answers, type CheckRun, listAt, type Runs, requires, type World } from '../check.ts'
import {
  get,
  mustBe,
  type ProbedRequest,
  Skipped,
  toLabels,
  toLabelUpdate,
  toMethods,
  toPudos,
  toTracking,
  without,
} from '../expect.ts'
import { updated } from './label-updates.ts'
import { labelRequest, made } from './labels.ts'
import { complete, offer } from './methods.ts'
import { place } from './pudos.ts'
import { moved } from './tracking.ts'

/** Requests that the platform takes. */
const BASES = {
  methods: async (world: World) => toMethods(complete((await offer(world)).request)),
  labels: async (world: World) => toLabels(await labelRequest(world)),
  update: async (world: World) => toLabelUpdate((await updated(world)).body),
  tracking: async (world: World) => toTracking((await moved(world)).body),
}

/** Request of a check, as a whole or as a change of one that the platform takes. */
export interface Ask {
  request?: ProbedRequest
  base?: keyof typeof BASES
  change?: object
  without?: string
  /** Fields without any one of which the request is refused. */
  required?: readonly string[]
  expected?: string
}

export function asked({ request, base, change, without: left, required, expected = '' }: Ask): CheckRun {
  const find = async (world: World): Promise<ProbedRequest> => {
    const whole = request ?? (base && (await BASES[base](world))) ?? get('')
    const changed = change ? { ...whole, body: { ...Object(whole.body), ...change } } : whole
    return left === undefined ? changed : without(changed, `body.${left}`)
  }
  return required ? requires(required, find) : answers(find, expected)
}

const withoutShop =
  (accepted: (world: World) => Promise<ProbedRequest>): CheckRun =>
  async (world) => {
    const request = without(without(await accepted(world), 'body.shopCode'), 'query.shopCode')
    const answer = await world.send(request)
    const { body } = await world.get('/returns', { limit: 500 })
    const shops = new Set(listAt(returnSchema, body, 'returns').map(({ shopCode }) => shopCode))
    if (shops.size > 1) return mustBe(answer, '4xx', `a request without one of ${shops.size} shops`)
    if (answer.status !== 200) throw new Skipped('only one shop of the token has returns')
    return 'accepted, for the only shop'
  }

/** Spec §4, §5. */
export const SHOP_CHECKS: Runs = {
  'methods.shop': withoutShop(BASES.methods),
  'pudos.shop': withoutShop(async (world) => {
    const { request, center } = await place(world)
    return toPudos({ ...request, ...center })
  }),
  'labels.made-shop': withoutShop(async (world) => {
    await made(world)
    return BASES.labels(world)
  }),
  'labels.found-shop': withoutShop(async (world) => {
    await made(world)
    const { clientShipmentId, shopCode } = await labelRequest(world)
    return get('/shipping_labels', { client_shipment_id: clientShipmentId, shopCode })
  }),
  'labels.update-shop': withoutShop(BASES.update),
  'tracking.shop': withoutShop(BASES.tracking),
}
