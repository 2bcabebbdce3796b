import http from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import { unbracket } from '../../api/http/proxy.ts'
import { errorCode } from '../../errors.ts'

export interface TunnelRequest {
  target: URL
  proxy: URL
  timeoutMs: number
}

/** Through a proxy to the target's port (CONNECT), or why there is none. */
export function openTunnel({
  target,
  proxy,
  timeoutMs,
}: TunnelRequest): Promise<{ socket: Socket } | { status: number | undefined; why: string }> {
  const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const { request } = proxy.protocol === 'https:' ? https : http
  return new Promise((resolve) => {
    const asked = request({
      method: 'CONNECT',
      host: unbracket(proxy.hostname),
      port: proxy.port,
      path: `${target.hostname}:${port}`,
      agent: false,
      timeout: timeoutMs,
      headers: {
        host: `${target.hostname}:${port}`,
        ...(credentials === ':'
          ? {}
          : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
      },
    })
    const fail = (status: number | undefined, why: string) => {
      asked.destroy()
      resolve({ status, why })
    }
    asked.once('connect', ({ statusCode = 0 }, socket) => {
      if (statusCode === 200) return resolve({ socket })
      socket.destroy()
      fail(statusCode, `it answers with HTTP ${statusCode}`)
    })
    asked.once('response', ({ statusCode }) => fail(statusCode, `it answers with HTTP ${statusCode}`))
    asked.once('timeout', () => fail(undefined, `no answer within ${timeoutMs / 1000} s`))
    asked.once('error', (error) => fail(undefined, errorCode(error) ?? error.message))
    asked.end()
  })
}
