import { Duplex } from 'node:stream'
import type { Options, Response } from 'got'
import { at } from '../../wire/raw.ts'
import { AnswerBytes, type Receiving, WholeAnswer } from './answer.ts'
import type { SentRequest } from './exchange.ts'
import type { Transport } from './transport.ts'
import { OUT_OF_TURN, type Turns } from './turns.ts'
import { UnderWay } from './under-way.ts'

/** got, with the connections to one origin. Errors are got's. */
export interface Line {
  /** Sends one request, once, as it is: the answer's body, after a `response` with its head. */
  open(request: SentRequest): Duplex
  /** The same to the end of the answer. Rejects for more than `maxBytes`, too. */
  receive(request: SentRequest, receiving: Receiving): Promise<WholeAnswer>
  transport: Transport
}

interface LineOptions {
  /** For each request, from connecting to the last byte of the answer. */
  timeoutMs?: number | undefined
  /** Ends all requests. */
  signal: AbortSignal
}

/** Streams with options prepared once: got's promises and its merging take longer than the rest of a request. */
export async function openLine(
  opening: Promise<Transport>,
  { timeoutMs, signal }: LineOptions,
): Promise<Line> {
  // Loading got takes longer than a request to loopback; many invocations never make one.
  const [transport, { got, Options: GotOptions }] = await Promise.all([opening, import('got')])
  const instance = got.extend({
    request: transport.request,
    handlers: [(options, next) => next(Object.assign(options, { createNativeRequestOptions: fewOptions }))],
    retry: { limit: 0, methods: [], statusCodes: [], errorCodes: [] },
    throwHttpErrors: false,
    followRedirect: false,
  })
  const prepared = new GotOptions(undefined, { isStream: true }, instance.defaults.options)
  // Listeners and clocks of its own for each request are what got spends much of its time on.
  const underWay = new UnderWay(timeoutMs)
  signal.addEventListener('abort', () => underWay.endAll())
  let last: SentRequest | undefined
  const open = (request: SentRequest): Duplex => {
    if (signal.aborted) throw new Error('Interrupted')
    const { method, url, headers, body } = request
    if (last?.method !== method) prepared.method = method
    if (last?.url !== url) prepared.url = url
    const isCounted = last?.body !== undefined && body === undefined
    if (last?.headers !== headers || isCounted) prepared.headers = headers
    // Given the length, got does not serialise the body again to count it.
    if (body !== undefined) prepared.headers['content-length'] = String(Buffer.byteLength(body))
    prepared.body = body
    last = request
    // They are copied before it returns.
    const stream = instance(undefined, undefined, prepared)
    if (!(stream instanceof Duplex)) throw new TypeError('got gave no stream')
    underWay.add(stream)
    // got ends a request without a body only for GET and HEAD.
    if (body === undefined && !/^(GET|HEAD)$/.test(method)) stream.end()
    return stream
  }
  const receive = (request: SentRequest, receiving: Receiving) =>
    answerFrom(open(request), receiving, underWay, transport.turns)
  return { open, receive, transport }
}

/**
 * got makes an object of forty properties, with new hidden classes each time: 16 kB a request. With this, 15,000
 * POSTs, 16 at a time, took 156 µs of CPU each instead of 245, and 98 MiB instead of 123 (got 14.6, Node.js 20).
 */
function fewOptions(this: Options) {
  return { method: this.method, headers: this.headers }
}

function outOfTurn(): Error {
  return Object.assign(new Error("another request's answer"), { code: OUT_OF_TURN })
}

/** Reads the answer itself: got's stream would pass each chunk through as many steps again. */
function answerFrom(
  stream: Duplex,
  receiving: Receiving,
  underWay: UnderWay,
  turns: Turns,
): Promise<WholeAnswer> {
  return new Promise((resolve, reject) => {
    stream.on('response', (response: Response) => {
      const bytes = new AnswerBytes(receiving)
      response.on('readable', () => {
        for (let chunk: Buffer | null = response.read(); chunk !== null; chunk = response.read()) {
          const excess = bytes.add(chunk)
          if (excess) {
            stream.destroy(excess)
            return
          }
        }
      })
      response.on('end', () => {
        underWay.delete(stream)
        const answer = new WholeAnswer(response, bytes.all())
        if (answer.status < 400) receiving.onAnswer?.()
        const named = receiving.named?.(answer) ?? 'own'
        turns
          .isOwn(at(response, 'req'), named)
          .then((isOwn) => (isOwn ? resolve(answer) : reject(outOfTurn())), reject)
      })
    })
    stream.on('error', reject)
    // The stream may close without an end or an error.
    stream.on('close', () => reject(new Error('the exchange ended without an answer')))
  })
}
