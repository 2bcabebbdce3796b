import type { PudoResult, PudosRequest } from '../wire/pudos.ts'
import { readRecord, type SpecDeviations } from '../wire/read.ts'
import { pudoResultShape } from '../wire/shapes.ts'
import type { Http } from './http/client.ts'
import { listIn, readAnswer } from './resource.ts'

export function createPudosApi(http: Http, deviations: SpecDeviations) {
  return {
    /** Spec §4.5. */
    async search(body: PudosRequest): Promise<PudoResult[]> {
      const answer = await http.request({ method: 'POST', path: '/pudos', body, isRead: true })
      return readAnswer(answer, (sent) =>
        listIn(sent, (result) => readRecord(pudoResultShape, result, 'pudos[]', deviations)),
      )
    },
  }
}
