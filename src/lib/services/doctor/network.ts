import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isLoopbackHost } from '../../api/http/origin-guard.ts'
import { proxyFor, unbracket } from '../../api/http/proxy.ts'
import { trustContext } from '../../api/http/trust.ts'
import type { Context } from '../../cli/context.ts'
import { readEnv } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { appError, errorCode } from '../../errors.ts'
import { type Checks, type Finding, found, skipped } from './examination.ts'

const LIMIT_MS = 5000
const DAY_MS = 86_400_000
const RENEWAL_DAYS = 14

export function networkChecks({ io }: Context, settings: Settings | undefined): Checks {
  const target = settings?.baseUrl && new URL(settings.baseUrl.value)
  const why = settings?.isSandbox ? 'the built-in sandbox needs no network' : 'no address is known'
  // The process waits for DNS look-ups, which can't be cancelled: by default 5 s twice for each name server.
  process.env.RES_OPTIONS ??= 'timeout:3 attempts:1'
  const on =
    (check: (url: URL, proxy: URL | undefined, settings: Settings) => Promise<Finding | string>) =>
    async () =>
      target ? check(target, proxyFor(target, io.env), settings) : skipped(why)
  return {
    'network.dns': on(checkName),
    'network.proxy': on(checkProxy),
    'network.tls': on((url, proxy, all) => checkTls(url, proxy, io, all)),
  }
}

/** Returns the words that change the address where it was set. */
export function otherAddress({ baseUrl, profile }: Settings, url: string) {
  if (baseUrl?.source === 'environment') return `RMA_BASE_URL=${url}`
  const words = baseUrl?.source === 'flag' ? '' : `rma profiles set ${profile?.value ?? 'NAME'} `
  return `${words}--base-url ${url}`
}

async function checkName({ hostname }: URL, proxy: URL | undefined, settings: Settings) {
  const host = unbracket(proxy?.hostname ?? hostname)
  if (isIP(host) !== 0) return skipped(`${host} is an address, no name`)
  try {
    const addresses = await lookup(host, { all: true })
    return `${host} is ${addresses.map(({ address }) => address).join(', ')}`
  } catch (error) {
    const whose = proxy === undefined ? otherAddress(settings, 'URL') : 'HTTPS_PROXY names the proxy'
    return found(
      `the name ${host} leads nowhere (${errorCode(error)})`,
      errorCode(error) === 'ENOTFOUND'
        ? `is it spelt right? ${whose}`
        : 'does this machine have a network, or need a VPN?',
      `getent hosts ${host}`,
    )
  }
}

async function checkProxy(target: URL, proxy: URL | undefined) {
  if (proxy === undefined) return `straight to ${target.host}, without a proxy`
  // Most proxies refuse a tunnel to a plain port.
  if (target.protocol === 'http:') return `through ${proxy.origin}, by whole URLs`
  try {
    const socket = await openTunnel(target, proxy)
    socket.destroy()
    return `through ${proxy.origin}`
  } catch (error) {
    const { message } = error as Error
    const why = errorCode(error) ?? message.replace('Bad response:', 'it answers with HTTP')
    return found(
      `the proxy ${proxy.origin} does not lead to ${target.host}: ${why}`,
      message.endsWith('407')
        ? 'give the proxy your name and password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
        : `NO_PROXY=${target.hostname} goes without it`,
    )
  }
}

async function openTunnel({ hostname, port }: URL, proxy: URL): Promise<Socket> {
  const { HttpProxyAgent } = await import('hpagent')
  const options = { host: hostname, port: Number(port) || 443, timeout: LIMIT_MS }
  return new Promise((resolve, reject) => {
    new HttpProxyAgent({ proxy }).createConnection(options, (error, socket) =>
      error ? reject(error) : resolve(socket as Socket),
    )
  })
}

async function checkTls(target: URL, proxy: URL | undefined, io: Context['io'], settings: Settings) {
  const { hostname, host, pathname, protocol } = target
  if (protocol === 'http:' && isLoopbackHost(hostname)) return skipped('plain http, within this machine')
  if (protocol === 'http:') {
    const remedy = otherAddress(settings, `https://${host}${pathname}`)
    return found(`plain http: all on the way to ${host} can read along`, remedy)
  }
  if (readEnv(io.env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    return found(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, anybody may answer',
      'unset NODE_TLS_REJECT_UNAUTHORIZED; --ca-file FILE trusts an authority of your own',
    )
  }
  const tunnel = proxy && (await openTunnel(target, proxy).catch(() => 'refused' as const))
  if (tunnel === 'refused') return skipped('the proxy does not lead there')
  const socket = await openSecurely(target, tunnel, trustContext(settings.caFile?.value, io.env))
  if (socket === undefined) return skipped('the name leads nowhere')
  try {
    return judge(target, socket, io.now())
  } finally {
    socket.destroy()
  }
}

function openSecurely(
  target: URL,
  tunnel: Socket | undefined,
  secureContext: ReturnType<typeof trustContext>,
): Promise<TLSSocket | undefined> {
  const host = unbracket(target.hostname)
  return new Promise((resolve, reject) => {
    const port = Number(target.port) || 443
    const secure = connectTls({
      ...(tunnel ? { socket: tunnel } : { port }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      host,
      secureContext,
      rejectUnauthorized: false,
    })
    const fail = (why: string) => {
      secure.destroy()
      const hints = [
        'is it the address of the platform, and its https:// port? rma profiles show',
        `openssl s_client -connect ${host}:${port}`,
      ]
      reject(appError('unavailable', `No secure connection to ${target.host}: ${why}`, ...hints))
    }
    secure.setTimeout(LIMIT_MS, () => fail(`no answer within ${LIMIT_MS / 1000} s`))
    secure.once('secureConnect', () => resolve(secure))
    secure.once('error', (error) => {
      const code = errorCode(error)
      if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') resolve(undefined)
      else fail(code ?? error.message)
    })
  })
}

function judge({ host }: URL, socket: TLSSocket, nowMs: number) {
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate()
  const [name, by] = [subject?.CN ?? host, issuer?.O ?? issuer?.CN ?? 'nobody known']
  if (!socket.authorized) {
    const why = String(socket.authorizationError)
    return found(
      `the certificate of ${host} (${name}, issued by ${by}) is not to be trusted: ${why}`,
      why === 'CERT_HAS_EXPIRED'
        ? 'whoever runs the platform has to renew it; is the clock of this machine right?'
        : '--ca-file FILE, or NODE_EXTRA_CA_CERTS=FILE, trusts the authority of your network',
    )
  }
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS)
  const observed = `${socket.getProtocol()}, ${name}, issued by ${by}, valid for ${days} days`
  if (days >= RENEWAL_DAYS) return observed
  return found(observed, 'whoever runs the platform has to renew the certificate')
}
