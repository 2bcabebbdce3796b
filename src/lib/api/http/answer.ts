import type { IncomingHttpHeaders } from 'node:http'
import { type ItemReader, parseJsonBytes } from '../../wire/json.ts'
import { JsonTooComplex } from '../../wire/json-scan.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Exchange } from './exchange.ts'

/** Of the body, in bytes: its text and what is read of it are several times as much. */
const LONG_ANSWER = 16 * 2 ** 20
/** Ten times what a page of 500 returns holds. As objects, 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000
const SPACE = 0x20

export interface Receiving {
  /** Of the body after decompression. */
  maxBytes: number
  onLongAnswer?: (() => void) | undefined
  /** Of a list in the answer. */
  items?: ItemReader | undefined
}

export interface AnswerHead {
  status: number
  /** Lower-case names; several values joined by commas. */
  headers: Readonly<Record<string, string>>
  /** For observers. */
  shown(): Pick<NonNullable<Exchange['response']>, 'statusText' | 'httpVersion' | 'phases'>
}

export interface Received extends AnswerHead {
  kind: 'response'
  text: string
  /** Of the decompressed body. */
  bytes: number
}

/** All of an answer; its text is made for those who ask, which are few. */
export class WholeAnswer implements Received, AnswerFailure {
  readonly kind = 'response'
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly shown: AnswerHead['shown']
  readonly body: unknown
  readonly unreadable: string | undefined
  readonly #bytes: Buffer

  /** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
  constructor({ status, headers, shown }: AnswerHead, bytes: Buffer, items: ItemReader | undefined) {
    this.status = status
    this.headers = headers
    this.shown = shown
    this.#bytes = bytes
    if (bytes.every((byte) => byte <= SPACE)) return
    try {
      this.body = parseJsonBytes(bytes, MAX_VALUES, items)
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
export function joined(headers: IncomingHttpHeaders): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined) texts[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return texts
}
