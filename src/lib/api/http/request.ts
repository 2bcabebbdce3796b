import { stringifyJson } from '../../wire/json.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Named } from './turns.ts'

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it goes out. Each redirect is one. It holds secrets: mask it before it is shown. */
export interface SentRequest {
  method: Method
  url: URL
  /** True if the service or somebody else made the address: its query may be a signature. */
  hidesQuery?: boolean
  headers: Readonly<Record<string, string>>
  body: string | undefined
  /** Counts from 1. */
  attempt: number
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** Milliseconds; `undefined` for a phase that did not take place or is not known. */
interface Phases {
  dns?: number | undefined
  tcp?: number | undefined
  tls?: number | undefined
  send?: number | undefined
  wait?: number | undefined
  receive?: number | undefined
}

export interface Exchange {
  request: SentRequest
  durationMs: number
  response?: {
    status: number
    statusText: string
    httpVersion: string
    headers: Readonly<Record<string, string>>
    text: string
    /** Size of the decompressed body. */
    bytes: number
    phases: Phases
  }
  failure?: { code: string; words: string }
}

/** Called for every exchange, including retries and redirects. */
export interface ExchangeObserver {
  started?(request: SentRequest): void
  finished?(exchange: Exchange): void
}

export interface HttpRequest {
  method: Method
  /** Relative to the base URL, from a slash on, its parameters encoded. */
  path: string
  /** `undefined` values are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>> | undefined
  /** Sent as JSON. */
  body?: unknown
  /** True if it changes nothing although it is a POST: it is sent again like a GET. */
  isRead?: boolean | undefined
  /** Limit of the decompressed answer in bytes; default 64 MiB. */
  maxBytes?: number | undefined
  /** Whose an answer is by what it names. */
  named?: ((answer: AnswerFailure) => Named) | undefined
  /** Called when an answer without an error is there, before it is known to be the request's own. */
  onAnswer?: (() => void) | undefined
}

export interface ProbeRequest extends HttpRequest {
  /** The `Authorization` header in place of the usual one, made of the token; undefined: none. */
  authorization?: ((token: string) => string | undefined) | undefined
}

/** Joined as text: a path such as `//elsewhere` must not turn into another host. */
export function targetUrl(base: URL, { path, query = {} }: HttpRequest): URL {
  const url = new URL(base)
  const [pathname = '', search = ''] = path.split('?', 2)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${pathname.replace(/^\/+/, '')}`
  url.search = search
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.append(name, String(value))
  }
  return url
}

export function headersAndBody(
  { body: value, authorization = (token) => token && `Bearer ${token}` }: ProbeRequest,
  { token = '', userAgent }: { token?: string | undefined; userAgent: string },
): Pick<SentRequest, 'headers' | 'body'> {
  const authorized = authorization(token)
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent,
    ...(authorized && { authorization: authorized }),
  }
  if (value === undefined) return { headers, body: undefined }
  return { headers: { ...headers, 'content-type': 'application/json' }, body: stringifyJson(value) }
}

/** Method that has the effects which the request has. */
export function effectOf({ method, isRead: isReading }: HttpRequest): string {
  return isReading ? 'GET' : method
}
