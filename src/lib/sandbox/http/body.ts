import type { IncomingMessage } from 'node:http'
import { ApiError } from './api-error.ts'
import type { ServerExchange } from './exchange.ts'
import type { Reply } from './reply.ts'

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
