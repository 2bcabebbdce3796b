import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import type { Duplex } from 'node:stream'
import { DesyncGuard } from './desync-guard.ts'
import { type ProxyEnv, proxyFor } from './proxy.ts'

/** Kept-alive connections to one origin. */
export interface Transport {
  request: RequestFunction
  desyncGuard: DesyncGuard
  /** Proxy without its credentials: `http://proxy:3128`. */
  via?: string
  close(): void
}

type RequestFunction = (
  url: URL,
  options: Pick<http.RequestOptions, 'method' | 'headers'>,
) => http.ClientRequest

interface TransportOptions {
  target: URL
  env: ProxyEnv
  caFile?: string
  timeoutMs: number
  lookup?: LookupFunction
}

/** Loads proxy and trust only where configured. */
export async function openTransport({
  target,
  env,
  caFile,
  timeoutMs,
  lookup,
}: TransportOptions): Promise<Transport> {
  const proxy = proxyFor(target, env)
  const needsTrust = caFile !== undefined || (target.protocol === 'https:' && env.NODE_EXTRA_CA_CERTS)
  const secureContext = needsTrust ? (await import('./trust.ts')).trustContext(caFile, env) : undefined
  const keep = { keepAlive: true, ...(secureContext && { secureContext }) }
  if (proxy && target.protocol === 'https:') {
    const { HttpsProxyAgent } = await import('hpagent')
    // This time-out is for the answer to CONNECT, which got can't reach.
    const tunnel = new HttpsProxyAgent({ ...keep, proxy, timeout: timeoutMs })
    return transport(new http.Agent(keep), tunnel, { via: proxy.origin })
  }
  // The proxy itself may be inside this network.
  const direct = { ...keep, ...(lookup && !proxy && { lookup }) }
  const plain = new http.Agent(direct)
  // Loading TLS takes as long as a request.
  const isSecure = [target, proxy].some((url) => url?.protocol === 'https:')
  const secure = isSecure ? new https.Agent(direct) : undefined
  if (!proxy) return transport(plain, secure, {})
  const request = forwardThrough(proxy, proxy.protocol === 'https:' && secure ? secure : plain)
  return transport(plain, secure, { via: proxy.origin, request })
}

function transport(
  plain: http.Agent,
  secure: https.Agent | undefined,
  rest: Partial<Pick<Transport, 'via' | 'request'>>,
): Transport {
  const desyncGuard = new DesyncGuard(secure ? [plain, secure] : [plain])
  const close = () => {
    plain.destroy()
    secure?.destroy()
  }
  const { request = straight(plain, secure), ...others } = rest
  const send: RequestFunction = (url, options) =>
    desyncGuard.watch(request(url, options).on('upgrade', refuseUpgrade))
  return { request: send, desyncGuard, close, ...others }
}

/** Fails a request whose connection switches protocols, for which Node.js raises no error. */
function refuseUpgrade(this: http.ClientRequest, _answer: http.IncomingMessage, socket: Duplex) {
  socket.destroy()
  const error = new Error('it switches to another protocol (HTTP 101)')
  this.emit('error', Object.assign(error, { code: 'ERR_ANSWER_SWITCHES' }))
}

function straight(plain: http.Agent, secure: https.Agent | undefined): RequestFunction {
  return (url, { method, headers }) =>
    url.protocol === 'https:'
      ? https.request(url, { method, headers, agent: secure })
      : http.request(url, { method, headers, agent: plain })
}

/** Sends the whole URL: most proxies refuse tunnels to port 80. */
function forwardThrough(proxy: URL, agent: http.Agent): RequestFunction {
  const send = proxy.protocol === 'https:' ? https.request : http.request
  const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`
  const authorization =
    credentials === ':'
      ? {}
      : { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }
  return (url, { method, headers }) =>
    send({
      method,
      agent,
      protocol: proxy.protocol,
      hostname: proxy.hostname,
      port: proxy.port,
      path: url.href,
      headers: { ...headers, ...authorization, host: url.host },
    })
}
