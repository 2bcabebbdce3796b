import { middleOf, project, unproject } from '../output/map/projection.ts'
import type { FoundPoint, Position } from '../output/views/pudos.ts'
import { numeric } from './pudos-values.ts'

const MIN_POINTS = 3
/** How far a distance may be from the result: they are rounded, and the Earth is no perfect ball. */
const TOLERANCE_KM = 0.03
const TOLERANCE_SHARE = 0.005
/** Points nearly in a line leave two places on both its sides: the spread across, as a share of that along. */
const MIN_SPREAD = 0.002

/**
 * Where the place is that a service searched around, told from the distances that it gives: for an address, the
 * service alone knows. Undefined where they don't fit together, or leave it open.
 */
export function locatePlace(points: readonly FoundPoint[]): Position | undefined {
  const known = points.flatMap(({ position, record }) => {
    const km = numeric(record.distance)
    return position && km !== undefined ? { position, km } : []
  })
  const middle = middleOf(known.map(({ position }) => position))
  if (!middle || known.length < MIN_POINTS) return undefined
  const spots = known.map(({ position, km }) => ({ ...project(middle, position), km }))
  const place = leastSquares(spots)
  const fits = ({ x, y, km }: { x: number; y: number; km: number }) =>
    place && Math.abs(Math.hypot(x - place.x, y - place.y) - km) <= TOLERANCE_KM + TOLERANCE_SHARE * km
  return place && spots.every(fits) ? unproject(middle, place) : undefined
}

/** Circles around all spots meet there: the equations, less their mean, are linear. */
function leastSquares(
  spots: readonly { x: number; y: number; km: number }[],
): { x: number; y: number } | undefined {
  const mean = (of: (spot: { x: number; y: number; km: number }) => number) =>
    spots.reduce((sum, spot) => sum + of(spot), 0) / spots.length
  const square = ({ x, y, km }: { x: number; y: number; km: number }) => (x * x + y * y - km * km) / 2
  const [mx, my, ms] = [mean(({ x }) => x), mean(({ y }) => y), mean(square)]
  const xx = mean(({ x }) => (x - mx) ** 2)
  const yy = mean(({ y }) => (y - my) ** 2)
  const xy = mean(({ x, y }) => (x - mx) * (y - my))
  const xs = mean((spot) => (spot.x - mx) * (square(spot) - ms))
  const ys = mean((spot) => (spot.y - my) * (square(spot) - ms))
  const determinant = xx * yy - xy * xy
  if (!(determinant > MIN_SPREAD * (xx + yy) ** 2)) return undefined
  return { x: (xs * yy - ys * xy) / determinant, y: (ys * xx - xs * xy) / determinant }
}
