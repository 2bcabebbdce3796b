import { expect, test } from 'vitest'
import { distanceM } from '../../../../src/lib/sandbox/pudos/points.ts'

const placeOf = ({ lat, lon }: { lat: number; lon: number }) => ({ latitude: lat, longitude: lon })

test.each([
  ['Madrid to Barcelona', [40.4168, -3.7038], [41.3874, 2.1686], 505],
  ['London to New York', [51.5074, -0.1278], [40.7128, -74.006], 5570],
  ['Tokyo to Osaka', [35.6762, 139.6503], [34.6937, 135.5023], 392],
  ['over the 180th meridian', [-16.8, 179.9], [-16.8, -179.9], 21],
  ['over the pole', [89.95, 0], [89.95, 180], 11],
  ['to the other side of the Earth', [0, 0], [0, 180], 20_015],
] as const)('%s', (_, [lat, lon], [toLat, toLon], km) => {
  expect(Math.round(distanceM(placeOf({ lat, lon }), placeOf({ lat: toLat, lon: toLon })) / 1000)).toBe(km)
})
