import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'
import type { ServerExchange } from './exchange.ts'

/** Longest body that is read. */
const MAX_BODY_BYTES = 10 * 1024 * 1024
/** A client that is told that its body is too long gets so much time to listen, since most send all before they do. */
const DRAIN_MS = 2000

/**
 * Reads a request's body to its end and leaves it where the HTTP adapter looks for it first.
 *
 * @throws ApiError 413 for one that is too long
 * @returns false if the client has gone meanwhile
 */
export async function readBody(incoming: IncomingMessage): Promise<boolean> {
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
  const [first] = chunks
  Object.assign(incoming, { rawBody: chunks.length === 1 ? first : Buffer.concat(chunks) })
  return isWhole
}

function tooLong(): ApiError {
  const message = `The body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MB`
  return new ApiError(413, [{ code: 'RQ03', message }])
}

/**
 * Answers before the body is there, and closes. The answer is complete at once, but the connection stays until the client
 * has sent what it wanted or a moment has passed: closed under a client that still sends, the answer would be lost.
 */
export async function answerEarly(response: Response, { incoming, outgoing }: ServerExchange): Promise<void> {
  const bytes = Buffer.from(await response.arrayBuffer())
  outgoing.writeHead(response.status, {
    ...Object.fromEntries(response.headers),
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
