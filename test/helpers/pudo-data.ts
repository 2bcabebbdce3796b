import { makePoints } from '../../src/lib/sandbox/pudos/demo-points.ts'
import type { PudoData, PudoIndex } from '../../src/lib/sandbox/pudos/pudo-index.ts'
import { openPudoIndex } from '../../src/lib/sandbox/pudos/pudo-index.ts'
import type { Place } from '../../src/lib/sandbox/pudos/sphere.ts'
import { loadGazetteer, type Town } from '../../src/lib/sandbox/pudos/towns.ts'

let demo: Promise<PudoData> | undefined

/** All demo points, made once. */
export function demoData(): Promise<PudoData> {
  demo ??= loadGazetteer().then((gazetteer) => ({ ...gazetteer, points: makePoints(gazetteer.towns) }))
  return demo
}

const TOWN: Town = {
  ...{ no: 0, name: 'Nowhere', aliases: [], country: 'ES', region: '', lat: 0, lon: 0 },
  ...{ population: 1, timeZone: 'UTC', area: '00' },
}

/** Points of one network, numbered as listed. */
export function pointsAt(places: readonly Place[]): PudoData {
  const points = places.map((place, no) => ({ no, network: 0, type: no % 4, town: 0, ...place }))
  return { towns: [TOWN], areas: [], points }
}

export async function indexOf(data: PudoData): Promise<PudoIndex> {
  return openPudoIndex(':memory:', async () => data)
}

/**
 * Distance in whole metres by another way than the product's: the angle between two unit vectors, from their cross and
 * dot products, which is exact for near, far and opposite places alike.
 */
export function independentDistanceM(a: Place, b: Place): number {
  const vector = ({ lat, lon }: Place) => {
    const [phi, lambda] = [(lat * Math.PI) / 180, (lon * Math.PI) / 180]
    return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)] as const
  }
  const [ax, ay, az] = vector(a)
  const [bx, by, bz] = vector(b)
  const cross = Math.hypot(ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx)
  return Math.round(6_371_008.8 * Math.atan2(cross, ax * bx + ay * by + az * bz))
}
