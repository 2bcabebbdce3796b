import type { IncomingMessage } from 'node:http'

/** What is known of a request before its body is read. */
export interface RequestHead {
  method: string
  /** Whole, as the client sees it. */
  url: string
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
function wholeUrl(target: string, host: string | undefined): string {
  // A parser would take them for slashes.
  if (/^[^?]*\\/.test(target)) throw new Error('Backslash in request path')
  if (/^https?:\/\//.test(target)) {
    if (!URL.canParse(target)) throw new Error('Invalid absolute URL')
    return new URL(target).href
  }
  if (!host) throw new Error('Missing host header')
  if (!target.startsWith('/')) throw new Error('Invalid URL')
  const whole = `http://${host}${target}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  // `a@b` and `a/b` parse, but not as a host; `1.2.3.4.5` does not even parse.
  if (url?.hostname !== host.replace(/:\d*$/, '').toLowerCase()) throw new Error('Invalid host header')
  return url.href
}
