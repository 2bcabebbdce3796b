import type { PudoResult, PudosRequest } from '../wire/pudos.ts'
import { type Departures, readRecord } from '../wire/read.ts'
import { pudoResultShape } from '../wire/shapes.ts'
import type { Http } from './http/client.ts'
import { listIn, readAnswer } from './resource.ts'

interface PudosApiOptions {
  /** Collects where answers depart from the specification. */
  departures: Departures
}

export type PudosApi = ReturnType<typeof createPudosApi>

export function createPudosApi(http: Http, { departures }: PudosApiOptions) {
  return {
    /** The points near a place, a result for each carrier service. Computes only, so that it is tried again as a read. */
    async search(body: PudosRequest): Promise<PudoResult[]> {
      const answer = await http.request({ method: 'POST', path: '/pudos', body, isRead: true })
      return readAnswer(answer, (sent) =>
        listIn(sent, (result) => readRecord(pudoResultShape, result, 'pudos[]', departures)),
      )
    },
  }
}
