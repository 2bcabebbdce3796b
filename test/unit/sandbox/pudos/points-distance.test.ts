import { expect, test } from 'vitest'
import { distanceM } from '../../../../src/lib/sandbox/pudos/points.ts'

const placeOf = ({ lat, lon }: { lat: number; lon: number }) => ({ latitude: lat, longitude: lon })

/** Length of the geodesic on WGS 84 in metres, by Vincenty's inverse formula. */
function geodesicM(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const [major, f] = [6_378_137, 1 / 298.257223563]
  const minor = major * (1 - f)
  const radians = Math.PI / 180
  const L = (b.lon - a.lon) * radians
  const [U1, U2] = [a, b].map(({ lat }) => Math.atan((1 - f) * Math.tan(lat * radians))) as [number, number]
  let lambda = L
  for (let i = 0; ; i++) {
    const [sinL, cosL] = [Math.sin(lambda), Math.cos(lambda)]
    const sinS = Math.hypot(
      Math.cos(U2) * sinL,
      Math.cos(U1) * Math.sin(U2) - Math.sin(U1) * Math.cos(U2) * cosL,
    )
    const cosS = Math.sin(U1) * Math.sin(U2) + Math.cos(U1) * Math.cos(U2) * cosL
    const sigma = Math.atan2(sinS, cosS)
    const sinA = (Math.cos(U1) * Math.cos(U2) * sinL) / sinS
    const cosA2 = 1 - sinA ** 2
    const cos2M = cosA2 === 0 ? 0 : cosS - (2 * Math.sin(U1) * Math.sin(U2)) / cosA2
    const C = (f / 16) * cosA2 * (4 + f * (4 - 3 * cosA2))
    const next = L + (1 - C) * f * sinA * (sigma + C * sinS * (cos2M + C * cosS * (2 * cos2M ** 2 - 1)))
    if (Math.abs(next - lambda) < 1e-12 || i > 200) {
      const u2 = (cosA2 * (major ** 2 - minor ** 2)) / minor ** 2
      const A = 1 + (u2 / 16384) * (4096 + u2 * (-768 + u2 * (320 - 175 * u2)))
      const B = (u2 / 1024) * (256 + u2 * (-128 + u2 * (74 - 47 * u2)))
      const delta =
        B *
        sinS *
        (cos2M +
          (B / 4) *
            (cosS * (2 * cos2M ** 2 - 1) - (B / 6) * cos2M * (4 * sinS ** 2 - 3) * (4 * cos2M ** 2 - 3)))
      return minor * A * (sigma - delta)
    }
    lambda = next
  }
}

test('the reference itself agrees with published lengths', () => {
  // Flinders Peak to Buninyong, Geoscience Australia's test line: 54,972.271 m.
  const flinders = { lat: -(37 + 57 / 60 + 3.7203 / 3600), lon: 144 + 25 / 60 + 29.5244 / 3600 }
  const buninyong = { lat: -(37 + 39 / 60 + 10.1561 / 3600), lon: 143 + 55 / 60 + 35.3839 / 3600 }
  expect(geodesicM(flinders, buninyong)).toBeCloseTo(54_972.271, 2)
})

test('distances are within 0.5 % of the geodesic wherever there are points, in every direction', () => {
  for (let lat = 15; lat <= 71; lat += 2) {
    for (let bearing = 0; bearing < 360; bearing += 30) {
      const to = {
        lat: lat + 0.8 * Math.cos((bearing * Math.PI) / 180),
        lon: 0.8 * Math.sin((bearing * Math.PI) / 180),
      }
      const from = { lat, lon: 0 }
      const [shown, exact] = [distanceM(placeOf(from), placeOf(to)), geodesicM(from, to)]
      expect(Math.abs(shown - exact) / exact, `${lat}° towards ${bearing}°`).toBeLessThan(0.005)
    }
  }
})

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
