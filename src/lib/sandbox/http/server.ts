import type { Server as HttpServer, RequestListener, ServerResponse } from 'node:http'
import type { Server as HttpsServer } from 'node:https'
import { type AddressInfo, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { errorCode, messageOf, usageError } from '../../errors.ts'
import { ApiError, newRequestId, type Reply, refusal } from './answers.ts'
import { PREFIX } from './app.ts'
import { type Handler, requestHead } from './received-request.ts'

const KEEP_ALIVE_MS = 65_000
const MAX_HEADER_BYTES = 16 * 1024
const MAX_HEADERS = 100
const SWEEP_MS = 20

const LIMITS = { headersMs: 10_000, requestMs: 30_000, closeMs: 10_000 }

export interface ServerTls {
  cert: string
  key: string
}

export interface ListenOptions {
  host: string
  port: number
  /** Default: addresses of this machine only. */
  allowRemote?: boolean
  tls?: ServerTls
  limits?: Partial<typeof LIMITS>
  dataHeaders?: () => Readonly<Record<string, string>>
}

export async function listen(
  handler: Handler,
  { host, port, allowRemote = false, tls, limits: given, dataHeaders = () => ({}) }: ListenOptions,
) {
  if (!allowRemote && !isLoopback(host)) {
    throw usageError(
      `${host} can be reached from other machines.`,
      'listen on 127.0.0.1',
      'or add --allow-remote if others are to use this sandbox',
    )
  }
  const limits = { ...LIMITS, ...given }
  const closing = new AbortController()
  const refuse: Refuser = (status, code, message) =>
    refusal(ApiError.of(status, code, message, ifReadable(dataHeaders)), newRequestId())
  const server = await createServer(listenerOf(handler, closing.signal, refuse), limits, refuse, tls)
  const address = await open(server, host, port)
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    baseUrl: `${tls ? 'https' : 'http'}://${name}:${address.port}${PREFIX}`,
    /** Completes requests in progress, for 10 s at most. */
    close: () =>
      new Promise<void>((resolve) => {
        const cut = setTimeout(() => server.closeAllConnections(), limits.closeMs)
        // A check after each answer would slow all requests.
        const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
        server.close(() => {
          clearTimeout(cut)
          clearInterval(sweep)
          resolve()
        })
        closing.abort()
      }),
  }
}

async function createServer(
  listener: RequestListener,
  limits: typeof LIMITS,
  refuse: Refuser,
  tls: ServerTls | undefined,
) {
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(1000, limits.headersMs),
    maxHeaderSize: MAX_HEADER_BYTES,
    // Node.js would answer with an empty 400.
    requireHostHeader: false,
  }
  const server: Server = tls
    ? (await import('node:https')).createServer({ ...options, ...tls }, listener)
    : (await import('node:http')).createServer(options, listener)
  // One more than allowed, since Node.js silently drops the rest.
  server.maxHeadersCount = MAX_HEADERS + 1
  const answering = new WeakMap<Duplex, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    answering.set(socket, response)
  })
  server.on('clientError', (error, socket) => {
    void refuseUnread(error, socket, answering.get(socket), refuse)
  })
  server.on('checkContinue', (request, response) => {
    // Node.js would write this into an earlier answer.
    if (response.socket !== null) response.writeContinue()
    server.emit('request', request, response)
  })
  server.on('checkExpectation', (_request, response) => {
    send(refuse(417, 'RQ01', 'Only the expectation 100-continue is known'), response)
  })
  return server
}

function listenerOf(handler: Handler, closing: AbortSignal, refuse: Refuser): RequestListener {
  const answer: RequestListener = async (incoming, outgoing) => {
    const head = requestHead(incoming)
    const reply = head
      ? await handler(head, { incoming, outgoing, closing })
      : refuse(400, 'RQ01', "The request can't be read: invalid target or Host header")
    if (reply) write(reply, outgoing)
  }
  return (incoming, outgoing) => {
    if (incoming.rawHeaders.length > 2 * MAX_HEADERS) {
      send(refuse(431, 'RQ04', `The request has more than ${MAX_HEADERS} headers`), outgoing)
    } else {
      void answer(incoming, outgoing)
    }
  }
}

function open(server: Server, host: string, port: number) {
  return new Promise<AddressInfo>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server.address() as AddressInfo))
  }).catch((error: unknown) => {
    const reason = errorCode(error) === 'EADDRINUSE' ? 'the port is in use' : messageOf(error)
    throw usageError(`The sandbox can't listen on ${host}:${port}: ${reason}`, 'choose another port')
  })
}

function isLoopback(host: string) {
  if (isIP(host) === 4) return host.startsWith('127.')
  return host === '::1' || host.toLowerCase() === 'localhost'
}

/** Returns no headers if the data can't be read. */
function ifReadable(dataHeaders: () => Readonly<Record<string, string>>) {
  try {
    return dataHeaders()
  } catch {
    return {}
  }
}

type Server = HttpServer | HttpsServer

type Refuser = (status: ApiError['status'], code: string, message: string) => Reply

/** Closes the connection: an unreadable request hides where the next begins. */
function send(reply: Reply, outgoing: ServerResponse) {
  write(reply, outgoing, ['connection', 'close'])
}

function write({ status, headers, bytes }: Reply, outgoing: ServerResponse, more: readonly string[] = []) {
  outgoing.writeHead(status, [...headers, ['content-length', String(bytes.length)], more].flat())
  outgoing.end(bytes)
}

async function refuseUnread(
  error: Error,
  socket: Duplex,
  begun: ServerResponse | undefined,
  refuse: Refuser,
) {
  const { STATUS_CODES } = await import('node:http')
  const found = UNREADABLE[errorCode(error) ?? '']
  const [status, code, message] = found ?? ([400, 'RQ01', 'The request is not HTTP'] as const)
  if (begun && !begun.closed) {
    // An earlier answer on this connection goes first.
    if (begun.req.complete) await new Promise((resolve) => begun.once('close', resolve))
    else if (begun.headersSent) socket.destroy()
  }
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { headers: fields, text, bytes } = refuse(status, code, message)
  const headers = [...fields, ['content-length', bytes.length], ['connection', 'close']]
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
  ]
  socket.on('error', () => {})
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`, () => socket.destroy())
}

const UNREADABLE: Readonly<Record<string, readonly [status: 408 | 431, code: string, message: string]>> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'RQ02', 'The request took too long to arrive'],
  HPE_HEADER_OVERFLOW: [431, 'RQ04', `The headers are longer than ${MAX_HEADER_BYTES / 1024} KiB`],
}
