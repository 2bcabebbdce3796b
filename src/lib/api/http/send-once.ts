import type { Duplex } from 'node:stream'
import type { Response } from 'got'
import { AppError } from '../../errors.ts'
import { type ItemReader, parseJsonBytes } from '../../wire/json.ts'
import { JsonTooComplex } from '../../wire/json-scan.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Exchange, ExchangeObserver, SentRequest } from './exchange.ts'
import type { Line } from './line.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'

export interface Received {
  kind: 'response'
  status: number
  /** Lower-case names; several values joined by commas. */
  headers: Readonly<Record<string, string>>
  text: string
  /** Of the decompressed body. */
  bytes: number
  response: Response
}

/** Shows the exchange to the observers; never retries or follows. @throws AppError of our own */
export async function exchangeOnce<A extends Received>(
  sent: SentRequest,
  { observers = [], now }: { observers?: readonly ExchangeObserver[] | undefined; now: () => number },
  receive: (sent: SentRequest) => Promise<A>,
): Promise<A | NetworkFailure> {
  for (const observer of observers) observer.started?.(sent)
  const outcome = await receive(sent).catch((error: unknown) => {
    if (error instanceof AppError) throw error
    return networkFailure(error)
  })
  if (observers.length === 0) return outcome
  const exchange = { request: sent, durationMs: now() - sent.startedAt, ...shown(outcome) }
  for (const observer of observers) observer.finished?.(exchange)
  return outcome
}

function shown(outcome: Received | NetworkFailure): Pick<Exchange, 'response' | 'failure'> {
  if (outcome.kind === 'network') return { failure: { code: outcome.code, words: outcome.words } }
  const { status, headers, text, bytes, response } = outcome
  const { statusMessage: statusText = '', httpVersion } = response
  return { response: { status, statusText, httpVersion, headers, text, bytes, phases: phasesOf(response) } }
}

/** Of the body, in bytes: its text and what is read of it are several times as much. */
const LONG_ANSWER = 16 * 2 ** 20

export interface Receiving {
  maxBytes: number
  onLongAnswer?: (() => void) | undefined
  items?: ItemReader | undefined
}

/** All of an answer. Rejects with got's errors, and for more than `maxBytes` after decompression. */
export function receiveText(
  line: Line,
  sent: SentRequest,
  { maxBytes, onLongAnswer, items }: Receiving,
): Promise<Received & AnswerFailure> {
  return new Promise((resolve, reject) => {
    const stream = line.open(sent)
    let chunks: Buffer[] = []
    let bytes = 0
    let response: Response | undefined
    stream.on('response', (head: Response) => {
      response = head
    })
    stream.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > LONG_ANSWER && bytes - chunk.length <= LONG_ANSWER) onLongAnswer?.()
      if (bytes > maxBytes) stream.destroy(new AnswerTooLarge(maxBytes))
      else chunks.push(chunk)
    })
    stream.on('error', reject)
    stream.on('end', () => {
      // Stops got's clocks; the connection stays.
      stream.destroy()
      const body = Buffer.concat(chunks)
      chunks = []
      if (!response) return
      resolve({
        ...headOf(response),
        ...bodyOf(body, items),
        bytes,
        // For those who ask, which are few.
        get text() {
          return body.toString()
        },
      })
    })
    // Without an end or an error before it.
    stream.on('close', () => reject(new Error('the exchange ended without an answer')))
  })
}

/** An answer whose body is still to be read from `stream`. Rejects with got's errors, and with ours that got wrapped. */
export function receiveHead(line: Line, sent: SentRequest): Promise<Received & { stream: Duplex }> {
  return new Promise((resolve, reject) => {
    const stream = line.open(sent)
    stream.once('response', (response: Response) => {
      const bytes = Number(response.headers['content-length'] ?? 0)
      resolve({ ...headOf(response), text: '', bytes, stream })
    })
    stream.once('error', (error) => reject(error.cause instanceof AppError ? error.cause : error))
    stream.once('close', () => reject(new Error('the exchange ended without an answer')))
  })
}

function headOf(response: Response): Pick<Received, 'kind' | 'status' | 'headers' | 'response'> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { kind: 'response', status: response.statusCode, headers, response }
}

/** Ten times what a page of 500 returns holds. As objects, 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000

const SPACE = 0x20

class AnswerTooLarge extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE'
  constructor(maxBytes: number) {
    super(`it is larger than ${maxBytes / 2 ** 20} MiB`)
  }
}

/** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
function bodyOf(bytes: Buffer, items: ItemReader | undefined): Pick<AnswerFailure, 'body' | 'unreadable'> {
  const isBlank = bytes.every((byte) => byte <= SPACE)
  if (isBlank) return { body: undefined }
  try {
    return { body: parseJsonBytes(bytes, MAX_VALUES, items) }
  } catch (error) {
    return { body: undefined, unreadable: error instanceof JsonTooComplex ? error.message : 'is not JSON' }
  }
}

function phasesOf({ timings: { phases } }: Response) {
  const { dns, tcp, tls, request: send, firstByte: wait, download: receive } = phases
  return { dns, tcp, tls, send, wait, receive }
}
