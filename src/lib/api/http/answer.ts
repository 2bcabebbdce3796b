import type { Response } from 'got'
import { JsonTooComplex, parseJson } from '../../wire/json.ts'
import { type AnswerFailure, requestIdOf } from './error-map.ts'
import type { Exchange, HttpRequest } from './request.ts'

/** Bytes of a body from which on its text and values take a lot of memory. */
const LONG_ANSWER = 16 * 2 ** 20
/** Ten times what a page of 500 returns holds. As objects, 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000
const SPACE = 0x20

export interface Receiving extends Pick<HttpRequest, 'named' | 'onAnswer'> {
  /** Limit of the decompressed body. */
  maxBytes: number
  onLongAnswer?: (() => void) | undefined
}

/** Head of an answer. */
export interface Received {
  kind: 'response'
  status: number
  /** Lower-case names; several values joined by commas. */
  headers: Readonly<Record<string, string>>
  text: string
  /** Size of the decompressed body. */
  bytes: number
  /** Further facts for observers. */
  shown(): Pick<NonNullable<Exchange['response']>, 'statusText' | 'httpVersion' | 'phases'>
}

export function headOf(response: Response): Pick<Received, 'kind' | 'status' | 'headers' | 'shown'> {
  // `set-cookie` alone comes as a list.
  const headers = Object.entries(response.headers).map(
    ([name, value]) => [name, [value].flat().join(', ')] as const,
  )
  return {
    kind: 'response',
    status: response.statusCode,
    headers: Object.fromEntries(headers),
    shown: () => {
      const { statusMessage: statusText = '', httpVersion, timings } = response
      const { dns, tcp, tls, request: send, firstByte: wait, download: receive } = timings.phases
      return { statusText, httpVersion, phases: { dns, tcp, tls, send, wait, receive } }
    },
  }
}

export type WholeAnswer = Received & AnswerFailure

/** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
export function wholeAnswer(response: Response, bytes: Buffer): WholeAnswer {
  const head = headOf(response)
  const { body, unreadable } = parsed(bytes)
  return {
    ...head,
    body,
    unreadable,
    bytes: bytes.length,
    get requestId() {
      return requestIdOf(head.headers, body)
    },
    get text() {
      return bytes.toString()
    },
  }
}

function parsed(bytes: Buffer): Pick<AnswerFailure, 'body' | 'unreadable'> {
  if (bytes.every((byte) => byte <= SPACE)) return { body: undefined }
  try {
    return { body: parseJson(bytes, MAX_VALUES) }
  } catch (error) {
    return { body: undefined, unreadable: error instanceof JsonTooComplex ? error.message : 'is not JSON' }
  }
}

/** Gathers the body of an answer. @returns an error that is to end the exchange for each excess chunk */
export function bodyReader({ maxBytes, onLongAnswer }: Receiving) {
  const chunks: Buffer[] = []
  let length = 0
  return {
    add(chunk: Buffer): Error | undefined {
      const before = length
      length += chunk.length
      chunks.push(chunk)
      if (length > LONG_ANSWER && before <= LONG_ANSWER) onLongAnswer?.()
      if (length <= maxBytes) return undefined
      const error = new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`)
      return Object.assign(error, { code: 'ERR_ANSWER_TOO_LARGE' })
    },
    all: () => Buffer.concat(chunks),
  }
}
