import type { Response } from 'got'
import type { AnswerOwner } from './desync-guard.ts'
import type { AnswerFailure } from './error-map.ts'

type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Request as it goes out. It holds secrets: mask it before it is shown. */
export interface SentRequest {
  method: Method
  url: URL
  /** True if the address is not ours: its query may be a signature. */
  hidesQuery?: boolean
  headers: Readonly<Record<string, string>>
  body: string | undefined
  /** Counts from 1. */
  attempt: number
  startedAt: number
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
    /** Decompressed size. */
    bytes: number
    phases: Partial<Response['timings']['phases']>
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
  path: string
  query?: Readonly<Record<string, string | number | boolean | undefined>>
  body?: unknown
  /** True for a POST that changes nothing: it is repeated like a GET. */
  isRead?: boolean
  maxBytes?: number
  /** Tells whether an answer belongs to this request. */
  ownerOf?: (answer: AnswerFailure) => AnswerOwner
  /** Called for an answer without an error, before it is known to be the request's own. */
  onAnswer?: () => void
}

export interface ProbeRequest extends HttpRequest {
  authorization?: (token: string) => string | undefined
}

/** A query may hold further question marks. */
export function splitQuery(path: string): [pathname: string, search: string] {
  const [, pathname = '', search = ''] = /^([^?]*)\??(.*)$/s.exec(path) ?? []
  return [pathname, search]
}

/** A path such as `//elsewhere` must not become another host. */
function targetUrl(base: URL, { path, query = {} }: HttpRequest) {
  const url = new URL(base)
  const [pathname, search] = splitQuery(path)
  url.pathname = `${base.pathname.replace(/\/$/, '')}/${pathname.replace(/^\/+/, '')}`
  url.search = search
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) url.searchParams.append(name, String(value))
  }
  return url
}

/** The same path gives the same object, so that got need not read it again. */
export function targetUrls(base: URL): (request: HttpRequest) => URL {
  let last: { path: string; url: URL } | undefined
  return (request) => {
    if (request.query !== undefined) return targetUrl(base, request)
    if (last?.path !== request.path) last = { path: request.path, url: targetUrl(base, request) }
    return last.url
  }
}

/** The same headers give the same object, so that got need not check them again. */
export function headersOf({ token = '', userAgent }: { token?: string; userAgent: string }) {
  const plain = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent,
  }
  const withBody = (headers: SentRequest['headers']) => ({ ...headers, 'content-type': 'application/json' })
  const usual = token ? { ...plain, authorization: `Bearer ${token}` } : plain
  const usualWithBody = withBody(usual)
  return ({ body, authorization }: ProbeRequest): SentRequest['headers'] => {
    if (!authorization) return body === undefined ? usual : usualWithBody
    const authorized = authorization(token)
    const headers = { ...plain, ...(authorized && { authorization: authorized }) }
    return body === undefined ? headers : withBody(headers)
  }
}

export function effectiveMethod({ method, isRead: isReading }: HttpRequest): string {
  return isReading ? 'GET' : method
}
