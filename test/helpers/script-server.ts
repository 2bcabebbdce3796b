import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Server, Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { onTestFinished } from 'vitest'

/** A scripted answer; by default 200 with an empty body. */
export interface Answer {
  status?: number
  headers?: Record<string, string | string[]>
  /** Text and buffers are sent unchanged, other values as JSON with its content type. */
  body?: unknown
  /** Sends the body compressed, with `Content-Encoding: gzip`. */
  gzip?: boolean
  /** Waits this long before answering. */
  delayMs?: number
  /**
   * - `hang`: accepts the request and never answers
   * - `reset`: tears the connection down once the request has been read
   * - `cut-body`: announces the whole body, sends half of it, tears the connection down
   * - `half-headers`: sends half a header block, tears the connection down
   */
  fault?: 'hang' | 'reset' | 'cut-body' | 'half-headers'
  /** Bytes written instead of an HTTP answer, after which the connection closes. */
  raw?: string | Buffer
}

/** A request as the server received it. */
export interface RecordedRequest {
  method: string
  /** Path and query as sent. */
  url: string
  path: string
  query: URLSearchParams
  headers: http.IncomingHttpHeaders
  text: string
  /** Body parsed as JSON; `undefined` if it is empty or invalid. */
  json: unknown
  /** The client's port, which identifies a kept-alive connection. */
  remotePort: number | undefined
}

export type Handler = (request: RecordedRequest, index: number) => Answer | Promise<Answer>

export interface ScriptServerOptions {
  /** Serves HTTPS with this key and certificate (PEM). */
  tls?: { key: string; cert: string }
  /** False outside a test (in `beforeAll`): the caller must call `done()` and `close()`. */
  autoClose?: boolean
}

export type ScriptServer = Awaited<ReturnType<typeof scriptServer>>

/** Lets a server listen on a free loopback port. */
export async function listening(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

/** Returns a function that closes a server and its connections, whose errors are ignored. */
export function closing(server: Server): () => Promise<void> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
  })
  return async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
}

/** A page of `GET /returns`, by default the last. */
export const pageOf = (returns: readonly unknown[], totalRecords = returns.length) => ({
  returns,
  pageInfo: { totalRecords, totalPages: Math.ceil(totalRecords / 500) },
})

/** A refusal in the platform's format. */
export const refusal = (code: string, message = 'no', status = 400) => ({
  status,
  body: { errors: [{ code, message }], status, requestId: 'r-1' },
})

/**
 * A real HTTP server on a free loopback port that answers from a script.
 *
 *     const server = await scriptServer([
 *       { status: 429, headers: { 'retry-after': '1' } },
 *       { body: { returns: [] } },
 *       (request) => ({ body: { echoed: request.query.get('name') } }),
 *     ])
 *
 * A list is used up in order, one entry a request, and the test fails at its end unless exactly all of it was used.
 * A single function answers every request, any number of times. Closed by itself when the test ends.
 */
export async function scriptServer(
  script: readonly (Answer | Handler)[] | Handler,
  { tls, autoClose = true }: ScriptServerOptions = {},
) {
  /** Every request so far in order, including unexpected ones. */
  const requests: RecordedRequest[] = []
  const unexpected: string[] = []
  const next = (request: RecordedRequest, index: number): Answer | Promise<Answer> => {
    if (typeof script === 'function') return script(request, index)
    const entry = script[index]
    if (typeof entry === 'function') return entry(request, index)
    if (entry) return entry
    unexpected.push(`${request.method} ${request.url}`)
    return { status: 500, body: 'script-server: no answer scripted for this request' }
  }

  const listener: http.RequestListener = async (incoming, response) => {
    const request = await readRequest(incoming)
    const index = requests.push(request) - 1
    try {
      await send(await next(request, index), response)
    } catch (error) {
      unexpected.push(`handler failed: ${error}`)
      response.destroy()
    }
  }
  const server = tls ? https.createServer(tls, listener) : http.createServer(listener)
  const close = closing(server)
  const port = await listening(server)

  /** Throws unless the number of requests matches that of scripted answers. */
  const done = () => {
    if (unexpected.length > 0) throw new Error(`script-server: not scripted: ${unexpected.join(', ')}`)
    if (typeof script !== 'function' && requests.length < script.length) {
      throw new Error(`script-server: ${script.length} answers scripted, ${requests.length} requests came`)
    }
  }
  if (autoClose) {
    onTestFinished(async ({ task }) => {
      await close()
      // A failed test already has its cause; unused answers are only a consequence.
      if (task.result?.state !== 'fail') done()
    })
  }
  return { baseUrl: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`, port, requests, done, close }
}

async function readRequest(incoming: http.IncomingMessage): Promise<RecordedRequest> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const url = incoming.url ?? '/'
  // A proxy gets a full URL, other servers a path.
  const { pathname, searchParams } = new URL(url, 'http://script.invalid')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    json = undefined
  }
  const { method = 'GET', headers } = incoming
  const { remotePort } = incoming.socket
  return { method, url, path: pathname, query: searchParams, headers, text, json, remotePort }
}

async function send(answer: Answer, response: http.ServerResponse): Promise<void> {
  if (answer.delayMs) await new Promise((resolve) => setTimeout(resolve, answer.delayMs))
  if (answer.fault === 'hang') return
  if (answer.fault === 'reset') {
    response.socket?.resetAndDestroy()
    return
  }
  if (answer.fault === 'half-headers') {
    response.socket?.end('HTTP/1.1 200 OK\r\nContent-Type: applica')
    return
  }
  if (answer.raw !== undefined) {
    response.socket?.end(answer.raw)
    return
  }
  const isJson = answer.body !== undefined && typeof answer.body !== 'string' && !Buffer.isBuffer(answer.body)
  const plain = isJson ? JSON.stringify(answer.body) : ((answer.body ?? '') as string | Buffer)
  const bytes = answer.gzip ? gzipSync(plain) : Buffer.from(plain)
  response.writeHead(answer.status ?? 200, {
    ...(isJson ? { 'content-type': 'application/json' } : {}),
    ...(answer.gzip ? { 'content-encoding': 'gzip' } : {}),
    'content-length': String(bytes.length),
    ...answer.headers,
  })
  if (answer.fault === 'cut-body') {
    response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
    return
  }
  response.end(bytes)
}
