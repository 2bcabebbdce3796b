import type { PudoResult, PudosRequest } from '../wire/pudos.ts'
import { ContainerError, type Departures, kindOf, readRecord } from '../wire/read.ts'
import { pudoResultShape } from '../wire/shapes.ts'
import type { Http } from './http/client.ts'
import { readAnswer } from './read-answer.ts'

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
      return readAnswer(answer, (sent) => {
        if (!Array.isArray(sent)) throw new ContainerError('a list', kindOf(sent))
        return sent.map((result) => readRecord(pudoResultShape, result, 'pudos[]', departures))
      })
    },
  }
}
