import type { IncomingMessage } from 'node:http'

/** Facts about a request before its body is read. */
export interface RequestHead {
  method: string
  /** Whole, as the client sees it. */
  url: string | Readonly<URL>
  headers: { get(name: string): string | null | undefined }
}

/** Parts of a request that the platform reads; a `Request` of `fetch` is one, too. */
export interface ReceivedRequest extends RequestHead {
  text(): Promise<string>
}

/** @throws Error that says why the target or the `Host` can't be read */
export function requestHead({
  method = 'GET',
  url = '/',
  headers,
  rawHeaders,
}: IncomingMessage): RequestHead {
  return {
    method,
    url: wholeUrl(url, headers.host),
    headers: { get: (name) => fieldOf(rawHeaders, name.toLowerCase()) },
  }
}

/** Several of a name are joined. `headers` and `headersDistinct` of Node.js make objects of all. */
function fieldOf(rawHeaders: readonly string[], name: string): string | undefined {
  let found: string | undefined
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [sent, value] = [rawHeaders[i], rawHeaders[i + 1]]
    if (sent?.length !== name.length || sent.toLowerCase() !== name) continue
    found = found === undefined ? value : `${found}, ${value}`
  }
  return found
}

/** Beyond it all are forgotten, and so are longer ones at once: most requests have one of few. */
const MAX_PARSED = 100
const MAX_PARSED_LENGTH = 200
/** Keys are host and target. */
const parsedUrls = new Map<string, URL>()

function wholeUrl(target: string, host: string | undefined): URL {
  const key = `${host} ${target}`
  const known = parsedUrls.get(key)
  if (known !== undefined) return known
  const url = parseUrl(target, host)
  if (parsedUrls.size >= MAX_PARSED) parsedUrls.clear()
  if (key.length <= MAX_PARSED_LENGTH) parsedUrls.set(key, url)
  return url
}

/** Parses a path, or a proxy's form, which is a whole URL. */
function parseUrl(target: string, host: string | undefined): URL {
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
export function urlOf({ url }: RequestHead): Readonly<URL> {
  return typeof url === 'string' ? new URL(url) : url
}
