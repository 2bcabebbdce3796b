import { lookup } from 'node:dns/promises'
import { isIP, type Socket } from 'node:net'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { isLoopbackHost } from '../../api/http/origin-guard.ts'
import { proxyFor, unbracket } from '../../api/http/proxy.ts'
import { trustContext } from '../../api/http/trust.ts'
import type { Context } from '../../cli/context.ts'
import { readEnv } from '../../config/paths.ts'
import type { Settings } from '../../config/settings.ts'
import { AppError, errorCode } from '../../errors.ts'
import { type Examination, type Finding, found, skipped, well } from './examination.ts'
import { openTunnel } from './tunnel.ts'

const PATIENCE_MS = 5000
const DAY_MS = 86_400_000
/** Who renews certificates needs about so long. */
const RENEWAL_DAYS = 14

/**
 * A look-up of the system's can't be called off, and a process does not end before it. The C library of Linux reads this
 * at its first look-up; 5 s and two attempts for each name server are the default.
 */
const LOOKUP_PATIENCE = 'timeout:3 attempts:1'

/** The way to the platform, step by step, as the client would go it. */
export function networkExaminations(
  { io }: Pick<Context, 'io'>,
  settings: Settings | undefined,
): Examination[] {
  const target = settings?.baseUrl && new URL(settings.baseUrl.value)
  const why = settings?.isSandbox ? 'the built-in sandbox needs no network' : 'no address is known'
  process.env.RES_OPTIONS ??= LOOKUP_PATIENCE
  const on = (look: (url: URL) => Promise<Finding>) => async () => (target ? look(target) : skipped(why))
  return [
    { id: 'network.dns', look: on((url) => lookAtName(url, proxyFor(url, io.env))) },
    { id: 'network.proxy', look: on((url) => lookAtProxy(url, proxyFor(url, io.env))) },
    {
      id: 'network.tls',
      look: on((url) => lookAtTls(url, { io, caFile: settings?.caFile?.value })),
    },
  ]
}

async function lookAtName({ hostname }: URL, proxy: URL | undefined): Promise<Finding> {
  const host = unbracket((proxy ?? { hostname }).hostname)
  if (isIP(host) !== 0) return skipped(`${host} is an address, no name`)
  const late = AbortSignal.timeout(PATIENCE_MS)
  try {
    const tooLong = new Promise<never>((_resolve, reject) => {
      late.addEventListener('abort', () => reject(Object.assign(new Error(), { code: 'ETIMEDOUT' })))
    })
    const addresses = await Promise.race([lookup(host, { all: true }), tooLong])
    return well(`${host} is ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    const code = errorCode(error) ?? 'unknown'
    const whose = proxy === undefined ? 'rma profiles set NAME --base-url URL' : 'HTTPS_PROXY names the proxy'
    return found(
      `the name ${host} leads nowhere (${code})`,
      code === 'ENOTFOUND'
        ? `is it spelt right? ${whose}`
        : 'does this machine have a network, or need a VPN?',
      `getent hosts ${host}`,
    )
  }
}

async function lookAtProxy(target: URL, proxy: URL | undefined): Promise<Finding> {
  if (proxy === undefined) return well(`straight to ${target.host}, without a proxy`)
  // Most proxies refuse a tunnel to a plain port, and the client asks for none.
  if (target.protocol === 'http:') return well(`through ${proxy.origin}, by whole URLs`)
  const tunnel = await openTunnel({ target, proxy, timeoutMs: PATIENCE_MS })
  if ('socket' in tunnel) {
    tunnel.socket.destroy()
    return well(`through ${proxy.origin}`)
  }
  const remedy =
    tunnel.status === 407
      ? 'give the proxy your name and password: HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT'
      : `NO_PROXY=${target.hostname} goes without it`
  return found(`the proxy ${proxy.origin} does not lead to ${target.host}: ${tunnel.why}`, remedy)
}

interface TlsSurroundings extends Pick<Context, 'io'> {
  caFile: string | undefined
}

async function lookAtTls(target: URL, { io, caFile }: TlsSurroundings): Promise<Finding> {
  if (target.protocol === 'http:') {
    return isLoopbackHost(target.hostname)
      ? skipped('plain http, within this machine')
      : found(
          `plain http: all on the way to ${target.host} can read along`,
          `rma profiles set NAME --base-url https://${target.host}${target.pathname}`,
        )
  }
  if (readEnv(io.env, 'NODE_TLS_REJECT_UNAUTHORIZED') === '0') {
    return found(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked, anybody may answer',
      'unset NODE_TLS_REJECT_UNAUTHORIZED; --ca-file FILE trusts an authority of your own',
    )
  }
  const proxy = proxyFor(target, io.env)
  const tunnel = proxy && (await openTunnel({ target, proxy, timeoutMs: PATIENCE_MS }))
  if (tunnel && !('socket' in tunnel)) return skipped('the proxy does not lead there')
  const socket = await secured(target, tunnel?.socket, trustContext(caFile, io.env))
  if (socket === undefined) return skipped('the name leads nowhere')
  if (socket instanceof AppError) throw socket
  try {
    return judge(target, socket, io.now())
  } finally {
    socket.destroy()
  }
}

/** Any certificate is let in: it is looked at, and nothing is sent. Undefined for a name that leads nowhere. */
function secured(
  target: URL,
  socket: Socket | undefined,
  secureContext: ReturnType<typeof trustContext>,
): Promise<TLSSocket | AppError | undefined> {
  const host = unbracket(target.hostname)
  return new Promise((resolve) => {
    const secure = connectTls({
      ...(socket ? { socket } : { host, port: Number(target.port) || 443 }),
      ...(isIP(host) === 0 ? { servername: host } : {}),
      host,
      secureContext,
      rejectUnauthorized: false,
    })
    const fail = (why: string) => {
      secure.destroy()
      resolve(
        new AppError('unavailable', `No secure connection to ${target.host}: ${why}`, {
          hints: [
            'is it the address of the platform, and its https:// port? rma profiles show',
            `openssl s_client -connect ${host}:${target.port || 443}`,
          ],
        }),
      )
    }
    secure.setTimeout(PATIENCE_MS, () => fail(`no answer within ${PATIENCE_MS / 1000} s`))
    secure.once('secureConnect', () => resolve(secure))
    secure.once('error', (error) => {
      const code = errorCode(error)
      if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') resolve(undefined)
      else fail(code ?? error.message)
    })
  })
}

function judge({ host }: URL, socket: TLSSocket, nowMs: number): Finding {
  const { subject, issuer, valid_to: validTo } = socket.getPeerCertificate()
  const names = { cn: subject?.CN ?? host, by: issuer?.O ?? issuer?.CN ?? 'nobody known' }
  if (!socket.authorized) {
    const why = String(socket.authorizationError)
    return found(
      `the certificate of ${host} (${names.cn}, issued by ${names.by}) is not to be trusted: ${why}`,
      why === 'CERT_HAS_EXPIRED'
        ? 'whoever runs the platform has to renew it; is the clock of this machine right?'
        : '--ca-file FILE, or NODE_EXTRA_CA_CERTS=FILE, trusts the authority of your network',
    )
  }
  const days = Math.floor((Date.parse(validTo) - nowMs) / DAY_MS)
  const observed = `${socket.getProtocol()}, ${names.cn}, issued by ${names.by}, valid for ${days} days`
  return days < RENEWAL_DAYS
    ? found(observed, 'whoever runs the platform has to renew the certificate')
    : well(observed)
}
