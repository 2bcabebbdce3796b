import { type PudoPoint, pudoPointSchema, pudoResultSchema } from '../../wire/pudos.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec } from '../check.ts'
import { each, must, Skipped } from '../observed.ts'
import { errorsOf, mustAnswer, mustAnswerCode, mustRefuse } from '../probe.ts'
import {
  around,
  distanceKm,
  mixedPlace,
  place,
  pointsOf,
  resultsOf,
  search,
  searched,
  WIDE,
} from './pudo-places.ts'

const SLACK_KM = 0.05
/** Relative: for rounding and models of the Earth. */
const SLACK = 0.01
const NO_SUCH_SERVICE = 'CONFORMANCE_NO_SUCH_SERVICE'
const NEAR_KM = 3

const isDegrees = (value: unknown) => Number.isFinite(Number(value ?? Number.NaN))

const idsOf = (points: readonly PudoPoint[]) => points.map(({ id }) => id).join(', ')

/** Spec §4.5, §2.8. */
export const PUDO_CHECKS: readonly Check[] = [
  operation(
    spec(
      'pudos.fields',
      '§2.8, §4.5',
      'POST /pudos answers with a list of carriers: carrierCode, carrierExternalCode, pudoPoints',
      async (world) => {
        const results = resultsOf((await searched(world)).answer, 'an address')
        return mustFit(pudoResultSchema.omit({ pudoPoints: true }).required(), results, 'carriers')
      },
    ),
  ),
  assumed(
    'pudos.point-fields',
    '§2.8',
    'The fields of a point have the types that rma expects',
    async (world) => mustFit(pudoPointSchema, await around(world), 'points'),
  ),
  assumed(
    'pudos.points',
    '§2.8',
    'A point has id, name, location type, address, coordinates and distance',
    async (world) =>
      each(await around(world), 'points', (point) => {
        const { id, name, locationType, address, latitude, longitude, distance } = point
        const isWhole =
          id && name && locationType && address && [latitude, longitude, distance].every(isDegrees)
        return isWhole ? undefined : `${id ?? 'a point'} lacks some of them`
      }),
  ),
  spec('pudos.coordinates', '§4.5', 'Coordinates alone find the points around them', async (world) => {
    const { points } = await place(world)
    const found = await around(world)
    const [first] = points
    must(
      found.some(({ id }) => id === first?.id),
      `${first?.id} is not among the ${found.length} points around it`,
    )
    return `${found.length} points`
  }),
  spec('pudos.coordinates-win', '§4.5', 'Coordinates take priority over the address', async (world) => {
    const elsewhere = {
      address: 'Rua Augusta 1',
      city: 'Lisboa',
      postalCode: '1100-053',
      countryCode: 'PT',
    }
    const [alone, both] = [await around(world), await around(world, elsewhere)]
    must(idsOf(alone) === idsOf(both), 'other points with an address beside the coordinates')
    return `the same ${alone.length} points`
  }),
  spec('pudos.limit', '§4.5', 'limit is the number of points obtained', async (world) => {
    const counts = []
    for (const limit of [1, 2, 3]) counts.push((await around(world, { limit })).length)
    return must(counts.join() === '1,2,3', `${counts.join(', ')} points with limit 1, 2, 3`)
  }),
  assumed('pudos.limit-nearest', '§4.5', 'With a limit the nearest points come', async (world) => {
    const [all, few] = [await around(world), await around(world, { limit: 3 })]
    must(idsOf(all.slice(0, 3)) === idsOf(few), `${idsOf(few)}, not ${idsOf(all.slice(0, 3))}`)
    return idsOf(few)
  }),
  assumed('pudos.order', '§4.5', 'The nearest point comes first', async (world) => {
    const distances = (await around(world)).map(({ distance }) => Number(distance))
    const sorted = distances.toSorted((a, b) => a - b)
    must(distances.join() === sorted.join(), `${distances.slice(0, 5).join(', ')} km`)
    return `${distances[0]} to ${distances.at(-1)} km`
  }),
  assumed('pudos.distance', '§2.8', 'distance is in kilometres, on a great circle', async (world) => {
    const { center } = await place(world)
    return each(await around(world), 'points', (point) => {
      const expected = distanceKm(center, point)
      const isSo = Math.abs(Number(point.distance) - expected) <= expected * SLACK + SLACK_KM
      return isSo ? undefined : `${point.id} at ${point.distance}, computed ${expected.toFixed(3)} km`
    })
  }),
  assumed('pudos.range', '§4.5', 'range is in kilometres, and no point is farther', async (world) => {
    const { center } = await place(world)
    const [near, far] = [
      await around(world, { range: NEAR_KM, limit: 50 }),
      await around(world, { range: 50, limit: 50 }),
    ]
    must(far.length >= near.length, `${near.length} points in ${NEAR_KM} km, ${far.length} in 50 km`)
    return each(near, `points in ${NEAR_KM} km`, (point) =>
      distanceKm(center, point) <= NEAR_KM * (1 + SLACK) + SLACK_KM
        ? undefined
        : `${point.id} at ${distanceKm(center, point).toFixed(3)} km with range ${NEAR_KM}`,
    )
  }),
  spec('pudos.location-type', '§4.5', 'locationType gives the points of that type', async (world) => {
    const { request, center } = await mixedPlace(world)
    const wide = { ...request, ...center, ...WIDE }
    const types = pointsOf(await search(world, wide), 'coordinates').flatMap(
      ({ locationType }) => locationType ?? [],
    )
    const wanted = types.find((type) => type !== types[0]) ?? types[0]
    if (!wanted) throw new Skipped('no point says its type')
    const found = pointsOf(await search(world, { ...wide, locationType: wanted }), 'a locationType')
    must(found.length > 0, `none of type ${wanted}, though there is one`)
    return each(found, `points of type ${wanted}`, (point) =>
      point.locationType === wanted ? undefined : `${point.id} is ${point.locationType}`,
    )
  }),
  spec('pudos.neither', '§4.5', 'A search with neither address nor coordinates is refused', async (world) =>
    mustRefuse(await search(world, (await place(world)).request)),
  ),
  assumed(
    'pudos.neither-code',
    '§4.5',
    'A search with neither address nor coordinates is refused with 400 PU01',
    async (world) => mustAnswerCode(await search(world, (await place(world)).request), 400, 'PU01'),
  ),
  assumed(
    'pudos.unknown-service',
    '§4.5',
    'A carrier service that there is not has no points',
    async (world) => {
      const points = await around(world, { carrierServices: [{ code: NO_SUCH_SERVICE }] })
      return must(points.length === 0, `${points.length} points`)
    },
  ),
  assumed(
    'pudos.unknown-place',
    '§4.5',
    'A town that there is not is refused with 400, and named',
    async (world) => {
      const { request, address } = await place(world)
      const city = 'Conformanceville'
      const nowhere = { address: 'Street 1', city, countryCode: address.countryCode }
      const answer = await search(world, { ...request, ...nowhere })
      const words = mustAnswer(answer, 400)
      const { message = '' } = errorsOf(answer.body)[0] ?? {}
      must(message.includes(city), `${words}: ${message}`)
      return words
    },
  ),
]
