import { Duplex } from 'node:stream'
import type { Options, Response } from 'got'
import { AppError } from '../../errors.ts'
import { parseJson } from '../../wire/json.ts'
import { JsonTooComplexError } from '../../wire/json-scan.ts'
import { at } from '../../wire/raw.ts'
import { ANSWER_OUT_OF_TURN } from './desync-guard.ts'
import { type AnswerFailure, requestIdOf } from './error-map.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'
import { PendingRequests } from './pending-requests.ts'
import type { Exchange, ExchangeObserver, HttpRequest, SentRequest } from './request.ts'
import type { Transport } from './transport.ts'

export type Connections = Awaited<ReturnType<typeof openConnections>>

interface ConnectionOptions {
  timeoutMs: number
  signal: AbortSignal
}

/** Attempts and redirects are ours, not got's: our policy decides each, and observers see it. */
export async function openConnections(opening: Promise<Transport>, { timeoutMs, signal }: ConnectionOptions) {
  // Loading got takes longer than a request to loopback.
  const [transport, { got, Options: GotOptions }] = await Promise.all([opening, import('got')])
  const instance = got.extend({
    request: transport.request,
    handlers: [(options, next) => next(Object.assign(options, { createNativeRequestOptions: fewOptions }))],
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
  })
  // got's promises and merging of options take longer than the rest of a request.
  const prepared = new GotOptions(undefined, { isStream: true }, instance.defaults.options)
  // got spends much of its time on listeners and timers for each request.
  const pending = new PendingRequests(timeoutMs)
  signal.addEventListener('abort', () => pending.endAll(), { once: true })
  let last: Partial<SentRequest> = {}
  const open = (request: SentRequest): Duplex => {
    if (signal.aborted) throw new Error('Interrupted')
    const { method, url, headers, body } = request
    prepared.method = method
    prepared.body = body
    // got checks and copies each assigned value.
    if (url !== last.url) prepared.url = url
    const lostBody = body === undefined && last.body !== undefined
    if (headers !== last.headers || lostBody) prepared.headers = headers
    last = request
    // Given the length, got does not serialise the body again to count it.
    if (body !== undefined) prepared.headers['content-length'] = String(Buffer.byteLength(body))
    const stream = instance(undefined, undefined, prepared)
    if (!(stream instanceof Duplex)) throw new TypeError('got gave no stream')
    pending.add(stream)
    // got ends requests without a body only for GET and HEAD.
    if (body === undefined && !/^(GET|HEAD)$/.test(method)) stream.end()
    return stream
  }
  return {
    transport,
    /** Resolves with the head; the body is read from `stream`. */
    receiveHead: (request: SentRequest) =>
      answered<Received & { stream: Duplex }>(open(request), (response, stream, resolve) => {
        const bytes = Number(response.headers['content-length'] ?? 0)
        resolve({ ...headOf(response), text: '', bytes, stream })
      }),
    /** Rejects for more than `maxBytes`, too. */
    receive: (request: SentRequest, receiving: Receiving) =>
      answered<WholeAnswer>(open(request), (response, stream, resolve, reject) => {
        const body = bodyReader(receiving)
        // got's stream would double the steps of each chunk.
        response.on('readable', () => {
          for (let chunk: Buffer | null = response.read(); chunk !== null; chunk = response.read()) {
            const excess = body.add(chunk)
            if (excess) {
              stream.destroy(excess)
              return
            }
          }
        })
        response.on('end', async () => {
          pending.delete(stream)
          const answer = wholeAnswer(response, body.take())
          if (answer.status < 400) receiving.onAnswer?.()
          const owner = receiving.ownerOf?.(answer) ?? 'own'
          if (await transport.desyncGuard.isOwn(at(response, 'req'), owner)) resolve(answer)
          else reject(Object.assign(new Error("another request's answer"), { code: ANSWER_OUT_OF_TURN }))
        })
      }),
  }
}

/**
 * Replaces got's object of forty properties, 16 kB a request: a POST took 156 µs of CPU instead of 245 (got 14.6,
 * Node.js 20).
 */
function fewOptions(this: Options) {
  return { method: this.method, headers: this.headers }
}

function answered<T>(
  stream: Duplex,
  read: (
    response: Response,
    stream: Duplex,
    resolve: (answer: T) => void,
    reject: (error: unknown) => void,
  ) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    stream.on('response', (response: Response) => read(response, stream, resolve, reject))
    stream.on('error', reject)
    stream.on('close', () => reject(new Error('the exchange ended without an answer')))
  })
}

export async function exchangeOnce<A extends Received>(
  sent: SentRequest,
  { observers = [], now }: { observers?: readonly ExchangeObserver[]; now: () => number },
  receive: (sent: SentRequest) => Promise<A>,
): Promise<A | NetworkFailure> {
  for (const observer of observers) observer.started?.(sent)
  const outcome = await receive(sent).catch((error: unknown) => {
    // got wraps errors of the DNS lookup.
    for (const one of [error, at(error, 'cause')]) if (one instanceof AppError) throw one
    return networkFailure(error)
  })
  const exchange: Exchange = { request: sent, durationMs: now() - sent.startedAt }
  if (outcome.kind === 'network') exchange.failure = outcome
  else exchange.response = outcome
  for (const observer of observers) observer.finished?.(exchange)
  return outcome
}

export const MAX_REDIRECTS = 5

/** Returns undefined for answers that are no redirects; `to` is undefined for a bad address. */
export function redirectIn(
  { status, headers }: Pick<Received, 'status' | 'headers'>,
  from: URL,
): { location: string; to: URL | undefined } | undefined {
  const { location } = headers
  if (![301, 302, 303, 307, 308].includes(status) || location === undefined) return undefined
  return { location, to: URL.canParse(location, from.href) ? new URL(location, from) : undefined }
}

export async function follow<A>(
  url: URL,
  send: (target: URL, hop: number) => Promise<A>,
  next: (answer: A, from: URL, hop: number) => URL | undefined,
): Promise<{ answer: A; target: URL }> {
  let target = url
  for (let hop = 0; ; hop += 1) {
    const answer = await send(target, hop)
    const to = next(answer, target, hop)
    if (to === undefined) return { answer, target }
    target = to
  }
}

const LONG_ANSWER = 16 * 2 ** 20
/** Ten times a page of 500 returns. 64 MiB of small values would take gigabytes. */
const MAX_VALUES = 500_000

interface Receiving extends Pick<HttpRequest, 'ownerOf' | 'onAnswer'> {
  maxBytes: number
  onLongAnswer?: () => void
}

type Received = NonNullable<Exchange['response']> & { kind: 'response' }

function headOf(response: Response) {
  const headers: Received['headers'] = Object.fromEntries(
    Object.entries(response.headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  )
  const { statusCode: status, statusMessage: statusText = '', httpVersion, timings } = response
  return { kind: 'response', status, statusText, httpVersion, headers, phases: timings.phases } as const
}

type WholeAnswer = Received & AnswerFailure

/** Parses the body without got, so that numbers keep the value sent. */
function wholeAnswer(
  response: Response,
  { text: sent, bytes }: Pick<Received, 'text' | 'bytes'>,
): WholeAnswer {
  const head = headOf(response)
  // Services may echo the request that they refuse.
  const text = head.status < 300 ? sent : withoutToken(sent, response.request.options.headers.authorization)
  let body: unknown
  let unreadable: string | undefined
  try {
    if (!/^[\0- ]*$/.test(text)) body = parseJson(text, MAX_VALUES)
  } catch (error) {
    unreadable = error instanceof JsonTooComplexError ? error.message : 'is not JSON'
  }
  return { ...head, text, bytes, body, unreadable, requestId: requestIdOf(head.headers, body) }
}

function withoutToken(text: string, authorization: unknown) {
  const [, token] = /^Bearer (.+)$/.exec(String(authorization)) ?? []
  return token === undefined ? text : text.replaceAll(token, '[token]')
}

function bodyReader({ maxBytes, onLongAnswer }: Receiving) {
  const chunks: Buffer[] = []
  let bytes = 0
  return {
    add(chunk: Buffer): Error | undefined {
      const before = bytes
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > LONG_ANSWER && before <= LONG_ANSWER) onLongAnswer?.()
      if (bytes <= maxBytes) return undefined
      const error = new Error(`it is larger than ${maxBytes / 2 ** 20} MiB`)
      return Object.assign(error, { code: 'ERR_ANSWER_TOO_LARGE' })
    },
    take: () => ({ text: Buffer.concat(chunks.splice(0)).toString(), bytes }),
  }
}
