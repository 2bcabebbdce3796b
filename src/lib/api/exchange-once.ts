import type { Got, OptionsOfBufferResponseBody, Response } from 'got'
import { parseJson } from '../wire/json.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Exchange, SentRequest } from './exchange.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'
import type { Transport } from './transport.ts'

/** What a request goes out with: the one got instance, and the connections. */
export interface Line {
  got: GotBuffer
  transport: Transport
}

type GotBuffer = (url: URL, options: OptionsOfBufferResponseBody) => Promise<Response<Buffer>>

/** got for one origin: each call is one attempt, whose answer comes as it is. */
export function openLine(got: Got, transport: Transport, timeoutMs: number): Line {
  const instance = got.extend({
    ...(transport.request ? { request: transport.request } : {}),
    agent: transport.agent,
    timeout: { request: timeoutMs },
    retry: { limit: 0 },
    throwHttpErrors: false,
    followRedirect: false,
  })
  return {
    got: (url, options) => instance(url, { ...options, responseType: 'buffer' }),
    transport,
  }
}

/** Sends one request and tells what came of it; never throws, retries or follows. */
export async function exchangeOnce(
  { got }: Line,
  sent: SentRequest,
  { now, signal }: { now: () => number; signal: AbortSignal },
): Promise<{ outcome: AnswerFailure | NetworkFailure; exchange: Exchange }> {
  try {
    const response = await got(sent.url, {
      method: sent.method,
      headers: { ...sent.headers },
      ...(sent.body === undefined ? {} : { body: sent.body }),
      signal,
    })
    const outcome = readAnswer(response)
    const { status, headers, text } = outcome
    const shown = {
      status,
      statusText: response.statusMessage ?? '',
      httpVersion: response.httpVersion,
      headers,
      text,
      bytes: response.rawBody.length,
      phases: phasesOf(response),
    }
    return { outcome, exchange: { request: sent, durationMs: now() - sent.startedAt, response: shown } }
  } catch (error) {
    const outcome = networkFailure(error)
    const failure = { code: outcome.code, words: outcome.words }
    return { outcome, exchange: { request: sent, durationMs: now() - sent.startedAt, failure } }
  }
}

function readAnswer(response: Response<Buffer>): AnswerFailure {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value
  }
  const text = response.rawBody.toString('utf8')
  return { kind: 'response', status: response.statusCode, headers, text, body: jsonOf(text) }
}

/** Our own parse instead of got's: numbers keep the value sent, and a failure is ours to describe. */
function jsonOf(text: string): unknown {
  if (text.trim() === '') return undefined
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function phasesOf({ timings: { phases } }: Response<Buffer>) {
  const { dns, tcp, tls, request: send, firstByte: wait, download: receive } = phases
  return { dns, tcp, tls, send, wait, receive }
}
