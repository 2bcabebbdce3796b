import type { IncomingMessage, ServerResponse } from 'node:http'
import { ApiError, type Reply } from './answers.ts'

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

export interface ServerExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  /** Aborted when the server begins to close. */
  closing: AbortSignal
}

/** Answers a request. Without a reply, it has done with the connection what was to be done. */
export type Handler = (head: RequestHead, exchange: ServerExchange) => Promise<Reply | undefined>

const MAX_BODY_BYTES = 10 * 1024 * 1024
/** Time that a client with too long a body gets to send it before the connection is closed. */
const DRAIN_MS = 2000

/** The body, without a byte order mark; undefined if the client has gone. @throws ApiError 413 */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLong()
  const chunks: Buffer[] = []
  let bytes = 0
  const isWhole = await new Promise<boolean | ApiError>((resolve) => {
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else resolve(tooLong())
    })
    incoming.once('end', () => resolve(true))
    incoming.once('error', () => resolve(false))
    incoming.once('close', () => resolve(false))
  })
  if (isWhole instanceof ApiError) {
    incoming.removeAllListeners('data')
    throw isWhole
  }
  return isWhole ? textOf(chunks) : undefined
}

function textOf(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString()
  return text.startsWith('\ufeff') ? text.slice(1) : text
}

function tooLong(): ApiError {
  const message = `The body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MB`
  return ApiError.of(413, 'RQ03', message)
}

/** Answers before the body is there; closes once it is, or after `DRAIN_MS`: earlier, no client would read the answer. */
export function answerEarly({ status, headers, bytes }: Reply, { incoming, outgoing }: ServerExchange): void {
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    'Content-Length': bytes.length,
    Connection: 'close',
  })
  outgoing.write(bytes)
  const timer = setTimeout(() => outgoing.end(), DRAIN_MS)
  incoming.once('end', () => outgoing.end())
  incoming.once('error', () => {})
  outgoing.once('close', () => clearTimeout(timer))
  incoming.resume()
}
