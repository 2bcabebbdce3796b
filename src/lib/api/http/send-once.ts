import { Duplex } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Got, Options, Response } from 'got'
import { JsonTooComplex, parseJson } from '../../wire/json.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Exchange, SentRequest } from './exchange.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'
import type { Transport } from './transport.ts'

/** What a request goes out with: the one got instance, and the connections. */
export interface Line {
  /** Rejects with got's errors, and for more bytes after decompression. */
  send(request: SentRequest, maxBytes: number): Promise<Answer>
  transport: Transport
}

interface Answer {
  response: Response
  text: string
  /** Bytes of the text. */
  size: number
}

/**
 * got for one origin: each call is one attempt, whose answer comes as it is. As streams and with options prepared once,
 * because got's promises and the merging of options take longer than all the rest of a request.
 */
export function openLine(
  { got, Options: GotOptions }: { got: Got; Options: typeof Options },
  transport: Transport,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Line {
  const instance = got.extend({
    request: transport.request,
    handlers: [(options, next) => next(Object.assign(options, { createNativeRequestOptions: fewOptions }))],
    timeout: { request: timeoutMs },
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
  })
  const prepared = new GotOptions(undefined, { isStream: true }, instance.defaults.options)
  let url: URL | undefined
  const underWay = new Set<Duplex>()
  // One listener for all is cheaper than got's own, one a request.
  signal.addEventListener('abort', () => {
    for (const stream of underWay) stream.destroy(new Error('Interrupted'))
  })
  const open = (request: SentRequest): Duplex => {
    if (request.url !== url) {
      url = request.url
      prepared.url = url
    }
    prepared.method = request.method
    prepared.headers = request.headers
    prepared.body = request.body
    // They are copied before it returns.
    const stream = instance(undefined, undefined, prepared)
    if (!(stream instanceof Duplex)) throw new TypeError('got gave no stream')
    // What has no body, got ends only where none may be.
    if (request.body === undefined && !/^(GET|HEAD)$/.test(request.method)) stream.end()
    return stream
  }
  const send = (request: SentRequest, maxBytes: number): Promise<Answer> =>
    new Promise((resolve, reject) => {
      if (signal.aborted) throw new Error('Interrupted')
      const stream = open(request)
      underWay.add(stream)
      const decoder = new StringDecoder('utf8')
      let text = ''
      let size = 0
      let response: Response | undefined
      stream.on('response', (head: Response) => {
        response = head
      })
      stream.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > maxBytes) stream.destroy(new AnswerTooLarge(maxBytes))
        else text += decoder.write(chunk)
      })
      stream.on('error', (error) => {
        underWay.delete(stream)
        reject(error)
      })
      stream.on('end', () => {
        underWay.delete(stream)
        // Stops got's clocks; the connection stays.
        stream.destroy()
        if (response) resolve({ response, text: text + decoder.end(), size })
      })
      // Without an end or an error before it.
      stream.on('close', () => {
        underWay.delete(stream)
        reject(new Error('the exchange ended without an answer'))
      })
    })
  return { send, transport }
}

/**
 * What got makes of all its options for Node.js is an object of forty properties, for which V8 makes new hidden classes
 * each time: 16 kB a request that only a full collection frees. This is what we use of it.
 */
function fewOptions(this: Options) {
  return { method: this.method, headers: this.headers }
}

/** Ten times what a page of 500 returns holds. As objects, 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000

class AnswerTooLarge extends Error {
  readonly code = 'ERR_ANSWER_TOO_LARGE'
  constructor(maxBytes: number) {
    super(`it is larger than ${maxBytes / 2 ** 20} MiB`)
  }
}

/** Sends one request and tells what came of it; never throws, retries or follows. */
export async function exchangeOnce(
  line: Line,
  sent: SentRequest,
  maxBytes: number,
  now: () => number,
): Promise<{ outcome: AnswerFailure | NetworkFailure; exchange: Exchange }> {
  try {
    const { response, text, size } = await line.send(sent, maxBytes)
    const outcome = readAnswer(response, text)
    const { status, headers } = outcome
    const shown = {
      status,
      statusText: response.statusMessage ?? '',
      httpVersion: response.httpVersion,
      headers,
      text,
      bytes: size,
      phases: phasesOf(response),
    }
    return { outcome, exchange: { request: sent, durationMs: now() - sent.startedAt, response: shown } }
  } catch (error) {
    const outcome = networkFailure(error)
    const failure = { code: outcome.code, words: outcome.words }
    return { outcome, exchange: { request: sent, durationMs: now() - sent.startedAt, failure } }
  }
}

function readAnswer(response: Response, text: string): AnswerFailure {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return { kind: 'response', status: response.statusCode, headers, text, ...bodyOf(text) }
}

/** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
function bodyOf(text: string): Pick<AnswerFailure, 'body' | 'unreadable'> {
  if (text.trim() === '') return { body: undefined }
  try {
    return { body: parseJson(text, MAX_VALUES) }
  } catch (error) {
    return { body: undefined, unreadable: error instanceof JsonTooComplex ? error.message : 'is not JSON' }
  }
}

function phasesOf({ timings: { phases } }: Response) {
  const { dns, tcp, tls, request: send, firstByte: wait, download: receive } = phases
  return { dns, tcp, tls, send, wait, receive }
}
