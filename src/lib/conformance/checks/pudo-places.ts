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

/** Found as the specification says: methods first, then the points of their carriers. */
export const place = once(async (world: World) => {
  for (const { record, methods } of await offers(world)) {
    const { line1, city, postalCode, countryCode } = record.customer.address ?? {}
    const address = { address: line1, city, postalCode, countryCode }
    for (const code of new Set(methods.map(({ carrierService }) => carrierService?.code ?? ''))) {
      const request = { shopCode: record.shopCode, carrierServices: [{ code: String(code) }] }
      const answer = await search(world, { ...request, ...address })
      // A place may be refused that the platform does not know; a fault is no reason to go on.
      if (answer.status >= 500) mustAnswer(answer, 200, 'an address')
      if (answer.status !== 200) continue
      const points = pointsOf(answer, 'an address')
      const [first] = points
      if (points.length < 3 || !first?.latitude || !first.longitude) continue
      return {
        request,
        address,
        answer,
        points,
        center: { latitude: Number(first.latitude), longitude: Number(first.longitude) },
      }
    }
  }
  throw new Skipped('no drop-off points around the customers of the newest returns')
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
