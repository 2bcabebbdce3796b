import { expect, test } from 'vitest'
import { NETWORKS, nearestPoints } from '../../../../src/lib/sandbox/pudos/points.ts'
import { leastCpuMs } from '../../../helpers/growth.ts'
import { pointsAt } from '../../../helpers/pudo-data.ts'
import { times } from '../../../helpers/values-of.ts'

const all = { network: NETWORKS[0]!, type: undefined, limit: 10 }

test('finds points on both sides of the 180th meridian', () => {
  const points = pointsAt([
    { latitude: -16.8, longitude: 179.99 },
    { latitude: -16.8, longitude: -179.99 },
    { latitude: -16.8, longitude: 180 },
    { latitude: -16.8, longitude: -180 },
    { latitude: -16.8, longitude: 178 },
    { latitude: -16.8, longitude: 0 },
  ])
  for (const lon of [179.999, -179.999, 180, -180]) {
    const found = nearestPoints(
      { ...all, center: { latitude: -16.8, longitude: lon }, rangeM: 10_000 },
      points,
    )
    expect(found.map(({ point }) => point.no).sort(), `from ${lon}`).toEqual([0, 1, 2, 3])
  }
})

test('finds points around the poles, beyond them too', () => {
  const points = pointsAt([
    { latitude: 89.99, longitude: 0 },
    { latitude: 89.99, longitude: 180 },
    { latitude: 89.99, longitude: -90 },
    { latitude: 89, longitude: 0 },
    { latitude: -89.99, longitude: 45 },
  ])
  const near = (lat: number) =>
    nearestPoints({ ...all, center: { latitude: lat, longitude: 120 }, rangeM: 10_000 }, points).map(
      ({ point }) => point.no,
    )
  expect(near(89.99).sort()).toEqual([0, 1, 2])
  expect(near(90).sort()).toEqual([0, 1, 2])
  expect(near(-90)).toEqual([4])
})

test('a point exactly as far as the range is in it, one a metre further is not', () => {
  const points = pointsAt([{ latitude: 40.01, longitude: -3 }])
  const count = (rangeM: number) =>
    nearestPoints({ ...all, center: { latitude: 40, longitude: -3 }, rangeM }, points).length
  expect([count(1112), count(1111)]).toEqual([1, 0])
})

test('ten thousand points in range are searched in less than 30 ms of CPU time', () => {
  const places = times(20_000, (i) => ({
    latitude: 40 + (i % 100) / 200,
    longitude: (i < 10_000 ? -3 : 30) + Math.floor((i % 10_000) / 100) / 200,
  }))
  const points = pointsAt(places)
  const center = { latitude: 40.25, longitude: -2.75 }
  const search = () => {
    const found = nearestPoints({ ...all, limit: 200, center, rangeM: 100_000 }, points)
    expect(found).toHaveLength(200)
  }
  // Compiled by then.
  for (let i = 0; i < 10; i++) search()
  expect(leastCpuMs(search)).toBeLessThan(30)
})
