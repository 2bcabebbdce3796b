import { returnSchema } from '../../wire/returns.ts'
import {
  answers,
  type CheckedPlatform,
  type CheckRun,
  type FromPlatform,
  listAt,
  type Runs,
  requires,
} from '../check.ts'
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

/** Requests that the platform accepts. */
const BASES = {
  methods: async (platform: CheckedPlatform) => toMethods(complete((await offer(platform)).request)),
  labels: async (platform: CheckedPlatform) => toLabels(await labelRequest(platform)),
  update: async (platform: CheckedPlatform) => toLabelUpdate((await updated(platform)).body),
  tracking: async (platform: CheckedPlatform) => toTracking((await moved(platform)).body),
}

/** Request of a check: complete, or a change of an accepted one. */
export interface Ask {
  request?: ProbedRequest
  base?: keyof typeof BASES
  change?: object
  without?: string
  /** Fields that must each be there. */
  required?: readonly string[]
  expected?: string
}

export function requestCheck({
  request,
  base,
  change,
  without: left,
  required,
  expected = '',
}: Ask): CheckRun {
  const find = async (platform: CheckedPlatform): Promise<ProbedRequest> => {
    const whole = request ?? (base && (await BASES[base](platform))) ?? get('')
    const changed = change ? { ...whole, body: { ...Object(whole.body), ...change } } : whole
    return left === undefined ? changed : without(changed, `body.${left}`)
  }
  return required ? requires(required, find) : answers(find, expected)
}

const withoutShop =
  (accepted: FromPlatform<ProbedRequest>): CheckRun =>
  async (platform) => {
    const request = without(without(await accepted(platform), 'body.shopCode'), 'query.shopCode')
    const answer = await platform.send(request)
    const { body } = await platform.get('/returns', { limit: 500 })
    const shops = new Set(listAt(returnSchema, body, 'returns').map(({ shopCode }) => shopCode))
    if (shops.size > 1) return mustBe(answer, '4xx', `a request without one of ${shops.size} shops`)
    if (answer.status !== 200) throw new Skipped('only one shop of the token has returns')
    return 'accepted, for the only shop'
  }

/** Spec §4, §5. */
export const SHOP_CHECKS: Runs = {
  'methods.shop': withoutShop(BASES.methods),
  'pudos.shop': withoutShop(async (platform) => {
    const { request, center } = await place(platform)
    return toPudos({ ...request, ...center })
  }),
  'labels.made-shop': withoutShop(async (platform) => {
    await made(platform)
    return BASES.labels(platform)
  }),
  'labels.found-shop': withoutShop(async (platform) => {
    await made(platform)
    const { clientShipmentId, shopCode } = await labelRequest(platform)
    return get('/shipping_labels', { client_shipment_id: clientShipmentId, shopCode })
  }),
  'labels.update-shop': withoutShop(BASES.update),
  'tracking.shop': withoutShop(BASES.tracking),
}
