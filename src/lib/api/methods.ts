import { usageError } from '../errors.ts'
import type { MethodExplanation, MethodsRequest, ReturnMethod } from '../wire/methods.ts'
import { type RecordList, readRecords, type SpecDeviations } from '../wire/read.ts'
import { methodExplanationShape, returnMethodShape } from '../wire/shapes.ts'
import type { Http } from './http/client.ts'
import { readAnswer } from './resource.ts'

type MethodsAnswer = RecordList<ReturnMethod>

export function createMethodsApi(http: Http, deviations: SpecDeviations) {
  const path = '/return_methods'
  const read = (body: unknown): MethodsAnswer =>
    readRecords(returnMethodShape, body, 'returnMethods', deviations)
  return {
    async calculate(request: MethodsRequest): Promise<MethodsAnswer> {
      return readAnswer(await http.request({ method: 'POST', path, body: request, isRead: true }), read)
    },

    async explain(request: MethodsRequest): Promise<MethodsAnswer & { explanations: MethodExplanation[] }> {
      const query = { explain: true }
      const answer = await http.request({ method: 'POST', path, query, body: request, isRead: true })
      const found = readAnswer(answer, read)
      if (!Array.isArray(found.rest.explanations)) {
        throw usageError(
          'This service does not explain its methods: only the sandbox does.',
          'leave out --explain',
          'the request on the sandbox: --profile mock',
        )
      }
      const explanations = readAnswer(answer, (body) =>
        readRecords(methodExplanationShape, body, 'explanations', deviations),
      ).sent
      return { ...found, explanations }
    },
  }
}
