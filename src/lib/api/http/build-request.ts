import { stringifyJson } from '../../wire/json.ts'
import type { AnswerFailure } from './error-map.ts'
import type { Method, SentRequest } from './exchange.ts'
import type { Named } from './turns.ts'

type Query = Readonly<Record<string, string | number | boolean | undefined>>

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
  /** Limit of the decompressed answer in bytes; default 64 MiB. */
  maxBytes?: number | undefined
  /** Same as in `Receiving`. */
  named?: ((answer: AnswerFailure) => Named) | undefined
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

/**
 * Makes the requests of one client. Header objects are reused, so that what got derives from them is reused as well.
 */
export function requestBuilder({ token, userAgent }: { token?: string | undefined; userAgent: string }) {
  const plain = {
    accept: 'application/json',
    'accept-encoding': 'gzip, deflate, br',
    'user-agent': userAgent,
  }
  const usual = token === undefined ? plain : { ...plain, authorization: `Bearer ${token}` }
  const withBody = { ...usual, ...JSON_BODY }

  const probing = (authorization: string | undefined, body: string | undefined) => ({
    ...plain,
    ...(authorization !== undefined && { authorization }),
    ...(body !== undefined && JSON_BODY),
  })

  return (
    { method, body: value, authorization }: ProbeRequest,
    url: URL,
    { attempt, startedAt, hidesQuery }: Pick<SentRequest, 'attempt' | 'startedAt' | 'hidesQuery'>,
  ): SentRequest => {
    const body = value === undefined ? undefined : stringifyJson(value)
    const standing = body === undefined ? usual : withBody
    const headers = authorization ? probing(authorization(token ?? ''), body) : standing
    return { method, url, headers, body, attempt, startedAt, hidesQuery }
  }
}

const JSON_BODY = { 'content-type': 'application/json' }

export function effectOf({ method, isRead: isReading }: HttpRequest): string {
  return isReading ? 'GET' : method
}
