import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'
import type { Platform } from './platform.ts'

const STARTED = 'http.server.request.start'

/**
 * Counts requests of a kind to the platform since the test began, faulty ones included. The returned function can be
 * called repeatedly.
 * | @param kind `POST /shipping_labels`
 */
export function countArrivals({ baseUrl }: Platform, kind: string): () => number {
  const { port, pathname } = new URL(baseUrl)
  const [method, path] = kind.split(' ')
  let count = 0
  const onStart = (message: unknown) => {
    const { request } = message as { request: IncomingMessage }
    const isOurs = request.socket.localPort === Number(port)
    if (isOurs && request.method === method && request.url === pathname + path) count += 1
  }
  subscribe(STARTED, onStart)
  onTestFinished(() => void unsubscribe(STARTED, onStart))
  return () => count
}
