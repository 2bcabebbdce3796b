import { expect, test } from 'vitest'
import { nearestPoints } from '../../../../src/lib/sandbox/pudos/demo-pudos.ts'
import { leastCpuMs } from '../../../helpers/growth.ts'
import { pointsAt } from '../../../helpers/pudo-data.ts'

const all = { network: 0, type: undefined, limit: 10 }

test('finds points on both sides of the 180th meridian', () => {
  const points = pointsAt([
    { lat: -16.8, lon: 179.99 },
    { lat: -16.8, lon: -179.99 },
    { lat: -16.8, lon: 180 },
    { lat: -16.8, lon: -180 },
    { lat: -16.8, lon: 178 },
    { lat: -16.8, lon: 0 },
  ])
  for (const lon of [179.999, -179.999, 180, -180]) {
    const found = nearestPoints({ ...all, center: { lat: -16.8, lon }, rangeM: 10_000 }, points)
    expect(found.map(({ point }) => point.no).sort(), `from ${lon}`).toEqual([0, 1, 2, 3])
  }
})

test('finds points around the poles, beyond them too', () => {
  const points = pointsAt([
    { lat: 89.99, lon: 0 },
    { lat: 89.99, lon: 180 },
    { lat: 89.99, lon: -90 },
    { lat: 89, lon: 0 },
    { lat: -89.99, lon: 45 },
  ])
  const near = (lat: number) =>
    nearestPoints({ ...all, center: { lat, lon: 120 }, rangeM: 10_000 }, points).map(({ point }) => point.no)
  expect(near(89.99).sort()).toEqual([0, 1, 2])
  expect(near(90).sort()).toEqual([0, 1, 2])
  expect(near(-90)).toEqual([4])
})

test('equally far points come by number, and the limit cuts after the sorting', () => {
  const points = pointsAt([
    { lat: 40.0105, lon: -3 },
    { lat: 40.01, lon: -3 },
    { lat: 39.99, lon: -3 },
    { lat: 40.01, lon: -3 },
  ])
  const found = nearestPoints({ ...all, limit: 3, center: { lat: 40, lon: -3 }, rangeM: 10_000 }, points)
  expect(found.map(({ point, distanceM }) => [point.no, distanceM])).toEqual([
    [1, 1112],
    [2, 1112],
    [3, 1112],
  ])
})

test('a point exactly as far as the range is in it, one a metre further is not', () => {
  const points = pointsAt([{ lat: 40.01, lon: -3 }])
  const count = (rangeM: number) =>
    nearestPoints({ ...all, center: { lat: 40, lon: -3 }, rangeM }, points).length
  expect([count(1112), count(1111)]).toEqual([1, 0])
})

test('only points of the network and type asked for', () => {
  const points = pointsAt([0, 1, 2, 3].map((i) => ({ lat: 40 + i / 1000, lon: -3 })))
  const query = { ...all, center: { lat: 40, lon: -3 }, rangeM: 10_000 }
  expect(nearestPoints({ ...query, type: 2 }, points).map(({ point }) => point.no)).toEqual([2])
  expect(nearestPoints({ ...query, network: 1 }, points)).toEqual([])
})

test('ten thousand points in range are searched in less than 30 ms of CPU time', () => {
  const places = Array.from({ length: 20_000 }, (_, i) => ({
    lat: 40 + (i % 100) / 200,
    lon: (i < 10_000 ? -3 : 30) + Math.floor((i % 10_000) / 100) / 200,
  }))
  const points = pointsAt(places)
  const center = { lat: 40.25, lon: -2.75 }
  const search = () => {
    const found = nearestPoints({ ...all, limit: 200, center, rangeM: 100_000 }, points)
    expect(found).toHaveLength(200)
  }
  // Compiled by then.
  for (let i = 0; i < 10; i++) search()
  expect(leastCpuMs(search)).toBeLessThan(30)
})
