import { usageError } from '../errors.ts'
import { escapeRegExp } from '../wire/plain.ts'
import { at, isPathSafe, isRecord } from '../wire/raw.ts'
import {
  ContainerError,
  kindOf,
  readList,
  readRecord,
  readRecords,
  type Shape,
  type SpecDeviations,
} from '../wire/read.ts'
import type { Http } from './http/client.ts'
import type { AnswerOwner } from './http/desync-guard.ts'
import { contractError, type HttpResponse } from './http/error-map.ts'

export interface Resource<T> {
  path(...parents: string[]): string
  shape: Shape<T>
  list: string
  /** Field with the id of the return asked for. */
  idField?: string
}

export function createReader(http: Http, deviations: SpecDeviations) {
  const get = async (path: string, idField: string | undefined, [id = '']: string[]) => {
    const ownerOf = (answer: HttpResponse) => (idField === undefined ? 'own' : ownerById(answer, idField, id))
    const answer = await http.request({ method: 'GET', path, query: {}, ownerOf })
    if (ownerOf(answer) === 'own') return answer
    throw contractError(answer, `The answer is about another return than ${id}`)
  }
  return {
    /** @throws AppError `usage` for an impossible id, `contract` for another answer */
    async one<T>({ path, shape, list, idField }: Resource<T>, ...ids: string[]) {
      const segments = ids.map(segment)
      const answer = await get(`${path(...segments.slice(0, -1))}/${segments.at(-1)}`, idField, ids)
      return readAnswer(answer, (body) => readRecord(shape, recordIn(body), `${list}[]`, deviations))
    },
    async all<T>({ path, shape, list, idField }: Resource<T>, ...parents: string[]) {
      const answer = await get(path(...parents.map(segment)), idField, parents)
      // Spec §4.8 leaves open whether the list is bare.
      return readAnswer(answer, (body) =>
        readRecords(shape, Array.isArray(body) ? { [list]: body } : body, list, deviations),
      )
    },
  }
}

/** Looks for the id as a word of the whole answer: a return may be asked for by its name. */
function ownerById({ body, text }: HttpResponse, field: string, id: string): AnswerOwner {
  const records = [body, at(body, 'refunds')].flat()
  const isNamed = records.some((record) => typeof at(record, field) === 'string')
  const word = new RegExp(`(?<![\\p{L}\\p{N}])${escapeRegExp(id)}(?![\\p{L}\\p{N}])`, 'iu')
  return isNamed && !word.test(text) ? 'other' : 'own'
}

function segment(id: string) {
  if (!isPathSafe(id)) throw usageError(`"${id}" is not an id`)
  return encodeURIComponent(id)
}

export function readAnswer<T>(answer: HttpResponse, read: (body: unknown) => T): T {
  try {
    return read(answer.body)
  } catch (error) {
    if (!(error instanceof ContainerError)) throw error
    throw contractError(answer, `The answer has another shape than specified: ${error.message}`, error)
  }
}

export function recordIn(body: unknown): object {
  if (isRecord(body)) return body
  throw new ContainerError('an object', kindOf(body))
}

export function listIn<T>(body: unknown, read: (item: unknown) => T): T[] {
  return readList(body, undefined, read).items
}

/** Limits of concurrent lookups: low, because the service states no rate limit (spec §8). */
export const LOOKUP_LIMITS = {
  concurrency: 6,
  /** Answers that may wait for an earlier one. */
  backpressure: 512,
}
