import type { IncomingHttpHeaders } from 'node:http'
import type { Response } from 'got'
import { JsonTooComplex, parseJson } from '../../wire/json.ts'
import { requestIdOf } from './error-details.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Exchange } from './exchange.ts'
import type { Named } from './turns.ts'

/** Bytes of a body from which on its text and values take a lot of memory. */
const LONG_ANSWER = 16 * 2 ** 20
/** Ten times what a page of 500 returns holds. As objects, 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000
const SPACE = 0x20

export interface Receiving {
  /** Limit of the decompressed body. */
  maxBytes: number
  onLongAnswer?: (() => void) | undefined
  /** Whose an answer is by what it names; without it what it names is not known. */
  named?: ((answer: AnswerFailure) => Named) | undefined
  /** Called when an answer without an error is there, before it is known to be the request's own. */
  onAnswer?: (() => void) | undefined
}

export interface Received {
  kind: 'response'
  status: number
  headers: AnswerHead['headers']
  text: string
  /** Size of the decompressed body. */
  bytes: number
  /** For observers. */
  shown: AnswerHead['shown']
}

/** Its headers are made for those who ask. */
export class AnswerHead {
  readonly #response: Response
  #headers: Readonly<Record<string, string>> | undefined

  constructor(response: Response) {
    this.#response = response
  }

  get status(): number {
    return this.#response.statusCode
  }

  /** Lower-case names; several values joined by commas. */
  get headers(): Readonly<Record<string, string>> {
    this.#headers ??= joined(this.#response.headers)
    return this.#headers
  }

  shown(): Pick<NonNullable<Exchange['response']>, 'statusText' | 'httpVersion' | 'phases'> {
    const { statusMessage: statusText = '', httpVersion, timings } = this.#response
    const { dns, tcp, tls, request: send, firstByte: wait, download: receive } = timings.phases
    return { statusText, httpVersion, phases: { dns, tcp, tls, send, wait, receive } }
  }
}

/** All of an answer; its text is made for those who ask, which are few. */
export class WholeAnswer extends AnswerHead implements Received, AnswerFailure {
  readonly kind = 'response'
  readonly body: unknown
  readonly unreadable: string | undefined
  readonly #bytes: Buffer

  /** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
  constructor(response: Response, bytes: Buffer) {
    super(response)
    this.#bytes = bytes
    if (bytes.every((byte) => byte <= SPACE)) return
    try {
      this.body = parseJson(bytes, MAX_VALUES)
    } catch (error) {
      this.unreadable = error instanceof JsonTooComplex ? error.message : 'is not JSON'
    }
  }

  get text(): string {
    return this.#bytes.toString()
  }

  get bytes(): number {
    return this.#bytes.length
  }

  get requestId(): string | undefined {
    return requestIdOf(this.headers, this.body)
  }
}

class AnswerTooLarge extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE'
  constructor(maxBytes: number) {
    super(`it is larger than ${maxBytes / 2 ** 20} MiB`)
  }
}

/** The body of an answer as it comes. */
export class AnswerBytes {
  #chunks: Buffer[] = []
  #length = 0

  constructor(private readonly limits: Receiving) {}

  /** Gives the error that is to end the exchange if it becomes too large. */
  add(chunk: Buffer): Error | undefined {
    const { maxBytes, onLongAnswer } = this.limits
    const before = this.#length
    this.#length += chunk.length
    if (this.#length > LONG_ANSWER && before <= LONG_ANSWER) onLongAnswer?.()
    if (this.#length > maxBytes) return new AnswerTooLarge(maxBytes)
    this.#chunks.push(chunk)
    return undefined
  }

  all(): Buffer {
    const [first] = this.#chunks
    const all = first && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#chunks = []
    return all
  }
}

/** `set-cookie` alone comes as a list. */
function joined(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return texts
}
