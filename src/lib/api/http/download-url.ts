import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { AppError, appError, causedBy } from '../../errors.ts'
import type { HttpOptions } from './client.ts'
import {
  type Connections,
  exchangeOnce,
  follow,
  MAX_REDIRECTS,
  openConnections,
  redirectIn,
} from './connections.ts'
import { type NetworkFailure, networkFailure } from './network-failure.ts'
import { unbracket } from './proxy.ts'
import { type Judged, withRetries } from './retry-policy.ts'
import { openTransport, type Transport } from './transport.ts'

interface UrlFetcherOptions
  extends Pick<
    HttpOptions,
    'userAgent' | 'timeoutMs' | 'retries' | 'caFile' | 'env' | 'observers' | 'random'
  > {
  /** Base URL whose origin may be plain http and inside this network. */
  platform: string
  /** Hosts (`labels.example`, `10.0.0.5:8443`) that may be inside this network. */
  labelHosts?: readonly string[]
  now: () => number
}

interface FetchLimits {
  maxBytes: number
  /** Limit for all attempts together, at least that of one attempt. */
  timeoutMs: number
  signal?: AbortSignal
}

/** Guards against SSRF: addresses from the service (spec §2.6) may not lead inside this network. */
export function createUrlFetcher(options: UrlFetcherOptions) {
  const { env, caFile, timeoutMs: attemptMs, retries, now, random } = options
  const platform = new URL(options.platform).origin
  const labelHosts = new Set(options.labelHosts?.map((host) => new URL(`https://${host}`).host))
  const mayBeInside = ({ origin, hostname, host }: URL) =>
    origin === platform || labelHosts.has(hostname) || labelHosts.has(host)

  /** Refuses plain http, over which a label could be swapped. */
  const checkedUrl = (address: string): URL => {
    const url = URL.canParse(address) ? new URL(address) : undefined
    if (url === undefined || (url.protocol !== 'https:' && url.origin !== platform))
      throw new AppError('contract', 'its URL is not an https:// address.')
    if (!mayBeInside(url) && isInsideHost(url.hostname)) throw insideError(url.hostname)
    return url
  }

  const transports = new Map<string, Promise<Transport>>()

  const transportTo = (target: URL): Promise<Transport> => {
    const known = transports.get(target.origin)
    if (known) return known
    const lookup = mayBeInside(target) ? undefined : publicLookup
    const opened = openTransport({ target, env, caFile, timeoutMs: attemptMs, lookup })
    transports.set(target.origin, opened)
    return opened
  }

  const attemptOnce = async (url: URL, signal: AbortSignal, attempt: number) => {
    const send = async (target: URL): Promise<Outcome> => {
      const connections = await openConnections(transportTo(target), { timeoutMs: attemptMs, signal })
      const headers = { accept: '*/*', 'user-agent': options.userAgent }
      const request = { method: 'GET', url: target, headers, body: undefined, attempt } as const
      return exchangeOnce(
        { ...request, startedAt: now(), hidesQuery: true },
        options,
        connections.receiveHead,
      )
    }
    const { answer } = await follow(url, send, (outcome, from, hop) => {
      const next = outcome.kind === 'network' ? undefined : redirectTarget(outcome, from, checkedUrl)
      if (next === undefined || outcome.kind === 'network') return undefined
      outcome.stream.destroy()
      if (hop < MAX_REDIRECTS) return next
      throw new AppError('contract', `${url.host} redirects more than ${MAX_REDIRECTS} times.`)
    })
    return answer
  }

  const start = (url: URL, signal: AbortSignal): Promise<Opened> =>
    withRetries({ method: 'GET', retries, signal, now, random }, async (attempt): Promise<Judged<Opened>> => {
      const outcome = await attemptOnce(url, signal, attempt)
      if (outcome.kind === 'network')
        return { outcome, giveUp: () => Promise.reject(networkError(outcome, url)) }
      // A part of a label (206) is not a label.
      if (outcome.status === 200) return { value: outcome }
      outcome.stream.destroy()
      return { outcome, giveUp: () => Promise.reject(statusError(outcome.status, url)) }
    })

  return {
    /** Streams the bytes, without the token. @throws AppError */
    async *fetch(address: string, { maxBytes, timeoutMs, signal }: FetchLimits): AsyncGenerator<Uint8Array> {
      const url = checkedUrl(address)
      // A server that sends a byte a minute would never exceed the limits of single steps.
      const mostMs = Math.max(timeoutMs, attemptMs)
      const ending = AbortSignal.timeout(mostMs)
      let stream: Opened['stream'] | undefined
      try {
        const opened = await start(url, signal ? AbortSignal.any([signal, ending]) : ending)
        stream = opened.stream
        yield* bodyOf(opened, url, maxBytes)
      } catch (error) {
        throw readFailure(error, url, { timeoutMs: mostMs, signal, ending })
      } finally {
        stream?.destroy()
      }
    },
    close() {
      for (const opened of transports.values()) opened.then((one) => one.close()).catch(() => {})
    },
  }
}

async function* bodyOf({ headers, stream }: Opened, url: URL, maxBytes: number) {
  let bytes = Number(headers['content-length'] ?? 0)
  if (bytes > maxBytes) throw tooLarge(url, maxBytes)
  bytes = 0
  for await (const chunk of stream) {
    const data: Uint8Array = chunk
    bytes += data.length
    if (bytes > maxBytes) throw tooLarge(url, maxBytes)
    yield data
  }
}

function readFailure(
  cause: unknown,
  url: URL,
  { timeoutMs, signal, ending }: Pick<FetchLimits, 'timeoutMs' | 'signal'> & { ending: AbortSignal },
) {
  if (signal?.aborted) return causedBy(cause, 'interrupted', 'Interrupted.')
  if (ending.aborted)
    return causedBy(cause, 'unavailable', `${url.host} took more than ${timeoutMs / 1000} s.`)
  return cause instanceof AppError ? cause : networkError(networkFailure(cause), url)
}

type Opened = Awaited<ReturnType<Connections['receiveHead']>>
type Outcome = Opened | NetworkFailure

function redirectTarget(answer: Opened, from: URL, checkedUrl: (address: string) => URL) {
  const redirect = redirectIn(answer, from)
  if (redirect === undefined) return undefined
  const { location, to } = redirect
  if (from.protocol === 'https:' && to?.protocol === 'http:') {
    throw new AppError(
      'contract',
      `${from.host} redirects from https:// to http:// (${to.host}); not followed.`,
    )
  }
  return checkedUrl(to?.href ?? location)
}

function statusError(status: number, url: URL) {
  const isPassing = status >= 500 || status === 429 || status === 408
  const kind = status === 404 || status === 410 ? 'not-found' : 'rejected'
  return new AppError(isPassing ? 'unavailable' : kind, `${url.host} answered with HTTP ${status}.`, {
    status,
    hints: [
      isPassing
        ? 'the same again later'
        : 'the address may have expired: ask for the label again, which names a new one',
    ],
  })
}

function tooLarge({ host }: URL, maxBytes: number) {
  const limit = maxBytes < 2 ** 20 ? `${maxBytes} bytes` : `${maxBytes / 2 ** 20} MiB`
  return new AppError('contract', `${host} sends more than ${limit}.`)
}

function networkError({ words, cause }: NetworkFailure, url: URL) {
  return causedBy(cause, 'unavailable', `${url.host} can't be read: ${words}.`, 'the same again later')
}

/** Networks without public addresses (IANA special-purpose registries). */
const IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
]
/** Some systems still obey the obsolete `fec0::` and `::a.b.c.d`. */
const IPV6 = ['::/96', '64:ff9b:1::/48', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8']

const notPublic = new BlockList()
for (const [network = '', bits] of IPV6.map((one) => one.split('/'))) {
  notPublic.addSubnet(network, Number(bits), 'ipv6')
}
for (const [network = '', bits] of IPV4.map((one) => one.split('/'))) {
  // This covers IPv4-mapped addresses.
  notPublic.addSubnet(network, Number(bits), 'ipv4')
  // NAT64 and 6to4 gateways pass on to the IPv4 address in these.
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + Number(bits), 'ipv6')
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  const group = (high: number, low: number) => (high * 256 + low).toString(16)
  notPublic.addSubnet(`2002:${group(a, b)}:${group(c, d)}::`, 16 + Number(bits), 'ipv6')
}

function isPublicAddress(address: string) {
  return !notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** True for inside addresses and `localhost`; `publicLookup` checks other names. */
export function isInsideHost(hostname: string) {
  const host = unbracket(hostname).replace(/\.$/, '')
  return isIP(host) === 0 ? /(^|\.)localhost$/i.test(host) : !isPublicAddress(host)
}

function insideError(host: string) {
  return appError(
    'contract',
    `its URL leads into this machine or its own network (${host}); not fetched.`,
    `if labels are kept there: --label-host ${host}, or rma profiles set NAME --label-hosts ${host}`,
  )
}

/** Prevents DNS rebinding: checks the addresses that are connected to. */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || first === undefined) return done(error, '')
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(insideError(hostname), '')
    if (options.all) return done(null, addresses as LookupAddress[])
    done(null, first.address, first.family)
  })
}
