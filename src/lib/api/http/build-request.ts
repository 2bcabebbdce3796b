import { type ItemReader, stringifyJson } from '../../wire/json.ts'
import type { Method, SentRequest } from './exchange.ts'

export type Query = Readonly<Record<string, string | number | boolean | undefined>>

export interface HttpRequest {
  method: Method
  /** Relative to the base URL, from a slash on, its parameters encoded. */
  path: string
  /** `undefined` values are left out. */
  query?: Query | undefined
  /** Sent as JSON. */
  body?: unknown
  /** Changes nothing whatever the method is (a POST that computes), so that it is sent again as a GET would be. */
  isRead?: boolean | undefined
  /** Of the answer's body after decompression, at most; else 64 MiB. */
  maxBytes?: number | undefined
  /** Of a list in the answer. */
  items?: ItemReader | undefined
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

export function buildRequest(
  request: ProbeRequest,
  url: URL,
  attempt: number,
  { token, userAgent }: { token?: string | undefined; userAgent: string },
  startedAt: number,
): SentRequest {
  const body = request.body === undefined ? undefined : stringifyJson(request.body)
  const bearer = token === undefined ? undefined : `Bearer ${token}`
  const authorization = request.authorization ? request.authorization(token ?? '') : bearer
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent,
    ...(authorization === undefined ? {} : { authorization }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return { method: request.method, url, headers, body, attempt, startedAt }
}

export function effectOf({ method, isRead: isReading }: HttpRequest): string {
  return isReading ? 'GET' : method
}
