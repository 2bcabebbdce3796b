import { makePoints } from './demo-points.ts'
import { openPudoIndex, type PudoIndex } from './pudo-index.ts'
import { loadGazetteer } from './towns.ts'

/** The index of all demo points, in a file that is made the first time, or in `:memory:`. */
export function openDemoPudos(file: string): Promise<PudoIndex> {
  return openPudoIndex(file, async () => {
    const gazetteer = await loadGazetteer()
    return { ...gazetteer, points: makePoints(gazetteer.towns) }
  })
}
