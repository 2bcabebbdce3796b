import { makePoints } from './demo-points.ts'
import { openPudoIndex, type PudoIndex } from './pudo-index.ts'
import { loadGazetteer } from './towns.ts'

export function openDemoPudos(file: string): Promise<PudoIndex> {
  return openPudoIndex(file, async () => {
    const gazetteer = await loadGazetteer()
    return { ...gazetteer, points: makePoints(gazetteer.towns) }
  })
}
