import { type GlobePoint, greatCircleKm } from '../../wire/great-circle.ts'
import { type PudoPoint, pudoResultSchema } from '../../wire/pudos.ts'
import { Skipped } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, type ProbeAnswer } from '../probe.ts'
import { offers } from './methods.ts'

export const search = (world: World, body: object) =>
  world.send({ method: 'POST', path: '/pudos', body, isRead: true })

/** @throws Departure unless the answer is a list of carriers with points */
export function resultsOf(answer: ProbeAnswer, to: string) {
  mustAnswer(answer, 200, to)
  return listAt(pudoResultSchema, answer.body, undefined)
}

export const pointsOf = (answer: ProbeAnswer, to: string) =>
  resultsOf(answer, to).flatMap(({ pudoPoints }) => pudoPoints)

/** Searches that find points, as the specification says: methods first, then the points of their carriers. */
async function* searches(world: World) {
  for (const { record, methods } of await offers(world)) {
    const { line1, city, postalCode, countryCode } = record.customer.address ?? {}
    const address = { address: line1, city, postalCode, countryCode }
    for (const code of new Set(methods.map(({ carrierService }) => carrierService?.code ?? ''))) {
      const request = { shopCode: record.shopCode, carrierServices: [{ code: String(code) }] }
      const answer = await search(world, { ...request, ...address })
      // A platform may refuse a place that it does not know. A fault is no reason to go on.
      if (answer.status >= 500) mustAnswer(answer, 200, 'an address')
      const points = answer.status === 200 ? pointsOf(answer, 'an address') : []
      if (points.length > 0) yield { request, address, answer, points }
    }
  }
}

export const searched = once(async (world: World) => {
  for await (const found of searches(world)) return found
  throw new Skipped('no drop-off points around the customers of the newest returns')
})

/** A place with several points that say where they are, which the specification does not promise. */
export const place = once(async (world: World) => {
  for await (const found of searches(world)) {
    const [latitude, longitude] = [Number(found.points[0]?.latitude), Number(found.points[0]?.longitude)]
    if (found.points.length > 2 && latitude && longitude) return { ...found, center: { latitude, longitude } }
  }
  throw new Skipped('no three drop-off points with coordinates around the customers of the newest returns')
})

/** Enough to meet several types of points. */
export const WIDE = { range: 50, limit: 100 }

/** With points of several types, so that a filter shows; else any. */
export const mixedPlace = once(async (world: World) => {
  const { request, center } = await place(world)
  const services = (await offers(world))
    .filter(({ record }) => record.shopCode === request.shopCode)
    .flatMap(({ methods }) => methods.map(({ carrierService }) => String(carrierService?.code ?? '')))
  for (const code of new Set(services)) {
    const candidate = { ...request, carrierServices: [{ code }] }
    const answer = await search(world, { ...candidate, ...center, ...WIDE })
    const types =
      answer.status === 200 ? pointsOf(answer, 'coordinates').map((point) => point.locationType) : []
    if (new Set(types).size > 1) return { request: candidate, center }
  }
  return { request, center }
})

export const around = async (world: World, more: object = {}) => {
  const { request, center } = await place(world)
  return pointsOf(await search(world, { ...request, ...center, ...more }), 'coordinates')
}

/** Kilometres on a great circle. */
export function distanceKm(from: GlobePoint, { latitude, longitude }: PudoPoint): number {
  return greatCircleKm(from, { latitude: Number(latitude), longitude: Number(longitude) })
}
