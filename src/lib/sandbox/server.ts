import type { AddressInfo } from 'node:net'
import { AppError } from '../errors.ts'
import { PREFIX } from './app.ts'

/** Longer than clients keep an idle connection, so that none is closed just as it is used again. */
const KEEP_ALIVE_MS = 65_000

export interface ListenOptions {
  host: string
  /** 0 for a free one. */
  port: number
}

export interface Listener {
  /** `http://host:port/integration/v1` */
  baseUrl: string
  /** Takes no more requests, answers those begun, and ends. */
  close(): Promise<void>
}

/**
 * Serves an application over HTTP.
 *
 * @throws AppError `config` if the address can't be had
 */
export async function listen(
  fetch: (request: Request) => Promise<Response>,
  { host, port }: ListenOptions,
): Promise<Listener> {
  const [{ createServer }, { getRequestListener }] = await Promise.all([
    import('node:http'),
    import('@hono/node-server'),
  ])
  let isClosing = false
  const answer = getRequestListener(fetch, { overrideGlobalObjects: false })
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    // A connection that was busy when the closing began is idle, and closed, only now.
    response.once('close', () => {
      if (isClosing) setImmediate(() => server.closeIdleConnections())
    })
    void answer(request, response)
  })
  const address = await new Promise<AddressInfo | string | null>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => resolve(server.address()))
  }).catch((error: unknown) => {
    throw new AppError('config', `The sandbox can't listen on ${host}:${port}: ${reason(error)}`, {
      hints: ['choose another port'],
      cause: error,
    })
  })
  if (address === null || typeof address === 'string') throw new Error('The server has no port')
  const name = address.family === 'IPv6' ? `[${address.address}]` : address.address
  return {
    baseUrl: `http://${name}:${address.port}${PREFIX}`,
    close: () =>
      new Promise((resolve) => {
        isClosing = true
        server.close(() => resolve())
      }),
  }
}

function reason(error: unknown): string {
  if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return 'the port is in use'
  return error instanceof Error ? error.message : String(error)
}
