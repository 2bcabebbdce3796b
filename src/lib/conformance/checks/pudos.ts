import { greatCircleKm } from '../../wire/geography.ts'
import type { ReturnMethod } from '../../wire/methods.ts'
import { type PudoPoint, pudoPointSchema, pudoResultSchema } from '../../wire/pudos.ts'
import {
  all,
  answers,
  type CheckedPlatform,
  type CheckRun,
  haveTypes,
  listAt,
  once,
  type Runs,
} from '../check.ts'
import { each, errorsOf, must, mustBe, type ProbeAnswer, Skipped, toPudos } from '../expect.ts'
import { offers } from './methods.ts'

const SLACK_KM = 0.05
/** Relative tolerance for rounding and another model of the Earth. */
const SLACK = 0.01
const NEAR_KM = 3
/** A search wide enough to meet several types of points. */
const WIDE = { range: 50, limit: 100 }

function resultsOf(answer: ProbeAnswer, to: string) {
  mustBe(answer, '200', to)
  return listAt(pudoResultSchema, answer.body)
}

const pointsOf = (answer: ProbeAnswer) =>
  resultsOf(answer, 'a search').flatMap(({ pudoPoints }) => pudoPoints)

/** Asks for methods first, then for the points of their carriers. */
async function* searches(platform: CheckedPlatform) {
  for (const { record, methods } of await offers(platform)) {
    const { line1, city, postalCode, countryCode } = record.customer.address ?? {}
    const address = { address: line1, city, postalCode, countryCode }
    for (const code of new Set(methods.map(serviceOf))) {
      const request = { shopCode: record.shopCode, carrierServices: [{ code }] }
      const answer = await platform.send(toPudos({ ...request, ...address }))
      // A platform may refuse an unknown place, but must not fail.
      if (answer.status >= 500) mustBe(answer, '200', 'an address')
      const points = answer.status === 200 ? pointsOf(answer) : []
      if (points.length > 0) yield { request, address, answer, points }
    }
  }
}

const searched = once(async (platform) => {
  for await (const found of searches(platform)) return found
  throw new Skipped('no drop-off points around the customers of the newest returns')
})

/** First search with coordinates, which the specification does not promise. */
export const place = once(async (platform) => {
  for await (const found of searches(platform)) {
    const [latitude, longitude] = [Number(found.points[0]?.latitude), Number(found.points[0]?.longitude)]
    if (found.points.length > 2 && latitude && longitude) return { ...found, center: { latitude, longitude } }
  }
  throw new Skipped('no three drop-off points with coordinates around the customers of the newest returns')
})

async function around(platform: CheckedPlatform, more: object = {}): Promise<PudoPoint[]> {
  const { request, center } = await place(platform)
  return pointsOf(await platform.send(toPudos({ ...request, ...center, ...more })))
}

const serviceOf = ({ carrierService }: ReturnMethod) => String(carrierService?.code ?? '')

const idsOf = (points: readonly PudoPoint[]) => points.map(({ id }) => id).join(', ')

/** Carrier services whose points differ. */
const services = once(async (platform) => {
  const { shopCode } = (await place(platform)).request
  const ofShop = (await offers(platform)).filter(({ record }) => record.shopCode === shopCode)
  const found = new Map<string, { code: string; points: PudoPoint[] }>()
  for (const code of new Set(ofShop.flatMap(({ methods }) => methods.map(serviceOf)))) {
    const points = await around(platform, { carrierServices: [{ code }], ...WIDE })
    if (points.length > 0 && !found.has(idsOf(points))) found.set(idsOf(points), { code, points })
  }
  return [...found.values()]
})

const findsFirst =
  (more: object): CheckRun =>
  async (platform) => {
    const [first] = (await place(platform)).points
    const found = (await around(platform, more)).map(({ id }) => id)
    return must(found.includes(first?.id), `${first?.id} among ${found.length} points`)
  }

const measured =
  (more: object, complaint: (point: PudoPoint, km: number) => string | false): CheckRun =>
  async (platform) => {
    const { center } = await place(platform)
    return each(await around(platform, more), 'points', (point) => {
      const [latitude, longitude] = [Number(point.latitude), Number(point.longitude)]
      return complaint(point, greatCircleKm(center, { latitude, longitude }))
    })
  }

const searchWith = (more: object) => async (platform: CheckedPlatform) =>
  toPudos({ ...(await place(platform)).request, ...more })

export const PUDO_CHECKS: Runs = {
  'pudos.fields': haveTypes(
    pudoResultSchema.omit({ pudoPoints: true }).required(),
    async (platform) => resultsOf((await searched(platform)).answer, 'an address'),
    'carriers',
  ),
  'pudos.point-fields': haveTypes(pudoPointSchema, around, 'points'),
  'pudos.points': all(
    around,
    'points',
    ({ id, name, locationType, address, latitude, longitude, distance }) => {
      const isLocated = [latitude, longitude, distance].every((value) =>
        Number.isFinite(Number(value ?? Number.NaN)),
      )
      return !(id && name && locationType && address && isLocated) && `${id ?? 'a point'} lacks some of them`
    },
  ),
  'pudos.hours': all(around, 'points', ({ id, openingHours }) => {
    const isSo = (openingHours ?? []).every(({ day, opens, closes }) =>
      /^[1-7] (\d\d:\d\d ?){2}$/.test(`${day} ${opens} ${closes}`),
    )
    return !isSo && `${id}: ${JSON.stringify(openingHours)}`
  }),
  'pudos.services': async (platform) => {
    const [first, second] = await services(platform)
    if (!first || !second) throw new Skipped('no two carrier services have points around one place')
    const found = await around(platform, {
      carrierServices: [first, second].map(({ code }) => ({ code })),
      ...WIDE,
    })
    return each([first, second], 'carrier services', ({ code, points: [point] }) => {
      const isThere = found.some(({ id }) => id === point?.id)
      return !isThere && `${point?.id} of ${code} is not among ${found.length} points`
    })
  },
  'pudos.all-services': findsFirst({ carrierServices: undefined, ...WIDE }),
  'pudos.coordinates': findsFirst({}),
  'pudos.coordinates-win': async (platform) => {
    const lisbon = { address: 'Rua Augusta 1', city: 'Lisboa', postalCode: '1100-053', countryCode: 'PT' }
    const [alone, both] = [idsOf(await around(platform)), idsOf(await around(platform, lisbon))]
    return must(alone === both, `${both} with an address beside the coordinates, else ${alone}`)
  },
  'pudos.limit': async (platform) => {
    const counts = []
    for (const limit of [1, 2, 3]) counts.push((await around(platform, { limit })).length)
    return must(counts.join() === '1,2,3', `${counts.join(', ')} points with limit 1, 2, 3`)
  },
  'pudos.limit-nearest': async (platform) => {
    const [nearest, few] = [(await around(platform)).slice(0, 3), await around(platform, { limit: 3 })]
    return must(idsOf(nearest) === idsOf(few), `${idsOf(few)}; the nearest are ${idsOf(nearest)}`)
  },
  'pudos.order': async (platform) => {
    const distances = (await around(platform)).map(({ distance }) => Number(distance))
    return must(distances.join() === distances.toSorted((a, b) => a - b).join(), `${distances.join(', ')} km`)
  },
  'pudos.distance': measured({}, ({ id, distance }, km) => {
    const isSo = Math.abs(Number(distance) - km) <= km * SLACK + SLACK_KM
    return !isSo && `${id} at ${distance}, computed ${km.toFixed(3)} km`
  }),
  'pudos.range': measured(
    { range: NEAR_KM, limit: 50 },
    ({ id }, km) =>
      km > NEAR_KM * (1 + SLACK) + SLACK_KM && `${id} at ${km.toFixed(3)} km with range ${NEAR_KM}`,
  ),
  'pudos.location-type': async (platform) => {
    const typed = (await services(platform)).map(({ code, points: [first, ...others] }) => {
      const other = others.find((point) => point.locationType !== first?.locationType)
      return { code, locationType: other?.locationType ?? first?.locationType, isMixed: !!other }
    })
    const { code, locationType } = typed.find(({ isMixed }) => isMixed) ?? typed[0] ?? {}
    if (!locationType) throw new Skipped('no point says its type')
    const found = await around(platform, { carrierServices: [{ code }], ...WIDE, locationType })
    must(found.length > 0, `no point of type ${locationType}, though there is one`)
    return each(
      found,
      `points of type ${locationType}`,
      (point) => point.locationType !== locationType && `${point.id} is ${point.locationType}`,
    )
  },
  'pudos.neither': answers(searchWith({}), '4xx'),
  'pudos.neither-code': answers(searchWith({}), '400 PU01'),
  'pudos.unknown-service': async (platform) => {
    const points = await around(platform, { carrierServices: [{ code: 'CONFORMANCE_NO_SUCH_SERVICE' }] })
    return must(points.length === 0, `${points.length} points`)
  },
  'pudos.unknown-place': async (platform) => {
    const { countryCode } = (await place(platform)).address
    const town = { address: 'Street 1', city: 'Conformanceville', countryCode }
    const answer = await platform.send(await searchWith(town)(platform))
    const { message = '' } = errorsOf(answer)[0] ?? {}
    return must(mustBe(answer, '400') && message.includes(town.city), message)
  },
}
