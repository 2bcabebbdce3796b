import type { IncomingMessage } from 'node:http'

/** What is known of a request before its body is read. */
export interface RequestHead {
  method: string
  /** Whole, as the client sees it. */
  url: string | URL
  headers: { get(name: string): string | null | undefined }
}

/** What the platform reads of a request; a `Request` of `fetch` is one, too. */
export interface ReceivedRequest extends RequestHead {
  text(): Promise<string>
}

/** @throws Error that says why the target or the `Host` can't be read */
export function requestHead({
  method = 'GET',
  url = '/',
  headers,
  headersDistinct,
}: IncomingMessage): RequestHead {
  return {
    method,
    url: wholeUrl(url, headers.host),
    headers: { get: (name) => headersDistinct[name.toLowerCase()]?.join(', ') },
  }
}

/** Of a path, or of a proxy's form, which is whole already. */
function wholeUrl(target: string, host: string | undefined): URL {
  // A parser would take them for slashes.
  if (/^[^?]*\\/.test(target)) throw new Error('Backslash in request path')
  if (/^https?:\/\//.test(target)) {
    const url = parsed(target)
    if (url === undefined) throw new Error('Invalid absolute URL')
    return url
  }
  if (!host) throw new Error('Missing host header')
  if (!target.startsWith('/')) throw new Error('Invalid URL')
  const url = parsed(`http://${host}${target}`)
  // `a@b` and `a/b` parse, but not as a host; `1.2.3.4.5` does not even parse.
  if (url?.hostname !== host.replace(/:\d*$/, '').toLowerCase()) throw new Error('Invalid host header')
  return url
}

function parsed(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}

/** Parsing takes microseconds, and several parts of the platform look at it. */
export function urlOf({ url }: RequestHead): URL {
  return typeof url === 'string' ? new URL(url) : url
}
