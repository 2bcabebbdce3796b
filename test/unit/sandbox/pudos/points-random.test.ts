import { expect, test } from 'vitest'
import { Random } from '../../../../src/lib/sandbox/demo/random.ts'
import { NETWORKS, nearestPoints } from '../../../../src/lib/sandbox/pudos/points.ts'
import type { Place } from '../../../../src/lib/sandbox/pudos/towns.ts'
import { PUDO_LOCATION_TYPES } from '../../../../src/lib/wire/enumerations.ts'
import { demoData, independentDistanceM } from '../../../helpers/pudo-data.ts'

/** Degrees of latitude, rounded down: places whose parallels are further apart are further apart themselves. */
const M_PER_DEGREE = 111_195

/** Position of the first place from that latitude on, in a list sorted by latitude. */
function firstFrom(sorted: readonly Place[], latitude: number) {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.latitude < latitude) low = middle + 1
    else high = middle
  }
  return low
}

test('1,000 random questions have the answers that going through all points gives, in the same order', async () => {
  const { groups, points } = demoData()
  const byNetwork = new Map(
    NETWORKS.map((network) => [
      network,
      points.filter((point) => point.network === network).sort((one, other) => one.latitude - other.latitude),
    ]),
  )
  const random = new Random(5, 1, 1)
  let answered = 0
  for (let i = 0; i < 1000; i++) {
    const network = random.pick(NETWORKS)
    const type = random.chance(0.3) ? random.pick(PUDO_LOCATION_TYPES) : undefined
    const rangeM = random.pick([1000, 10_000, 50_000, 100_000])
    const limit = random.pick([1, 20, 200])
    // Near a point of the network, most of the time.
    const ofNetwork = byNetwork.get(network) ?? []
    const { latitude, longitude } = random.pick(ofNetwork)
    const center = random.chance(0.9)
      ? { latitude: latitude + random.next() - 0.5, longitude: longitude + random.next() - 0.5 }
      : { latitude: random.next() * 180 - 90, longitude: random.next() * 360 - 180 }
    const reach = (rangeM + 1) / M_PER_DEGREE
    const expected = ofNetwork
      .slice(firstFrom(ofNetwork, center.latitude - reach), firstFrom(ofNetwork, center.latitude + reach))
      .filter((point) => type === undefined || point.type === type)
      .map((point) => ({ no: point.no, metres: independentDistanceM(center, point) }))
      .filter(({ metres }) => metres <= rangeM)
      .sort((a, b) => a.metres - b.metres || a.no - b.no)
      .slice(0, limit)
    const found = nearestPoints({ center, rangeM, network, type, limit }, groups)
    expect(found.map(({ point, distanceM }) => ({ no: point.no, metres: distanceM }))).toEqual(expected)
    answered += found.length
  }
  expect(answered).toBeGreaterThan(10_000)
})
