import { BlockList, isIP } from 'node:net'
import { appError } from '../../errors.ts'
import { isLoopbackHost } from './origin-guard.ts'

export type ProxyEnv = Readonly<Record<string, string | undefined>>

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY`, `ALL_PROXY`, `NO_PROXY` in either case. Packages read `process.env` only.
 * @throws AppError `config`
 */
export function proxyFor(target: URL, env: ProxyEnv): URL | undefined {
  const scheme = target.protocol.slice(0, -1)
  const name = [`${scheme}_proxy`, 'all_proxy']
    .flatMap((low) => [low, low.toUpperCase()])
    .find((key) => env[key])
  const value = name === undefined ? undefined : env[name]
  if (!value || isExempt(target, env.no_proxy || env.NO_PROXY || '')) return undefined
  const text = value.includes('://') ? value : `http://${value}`
  const proxy = parsed(text)
  if (!proxy || (proxy.protocol !== 'http:' && proxy.protocol !== 'https:')) {
    throw appError(
      'config',
      `The environment variable ${name} does not name an http:// or https:// proxy`,
      `set ${name}=http://HOST:PORT, or unset it`,
      'a % in a password is written %25',
    )
  }
  // Another machine's proxy can't reach our loopback, and would be handed the token unencrypted.
  if (isLoopbackHost(target.hostname) && !isLoopbackHost(proxy.hostname)) return undefined
  return proxy
}

/** Returns undefined for other texts, and for credentials that can't be decoded. */
function parsed(text: string) {
  try {
    const url = new URL(text)
    decodeURIComponent(url.username + url.password)
    return url
  } catch {
    return undefined
  }
}

/** `example.com` covers subdomains, like in curl; also networks and `host:port`. */
function isExempt(target: URL, noProxy: string) {
  const host = unbracket(target.hostname)
  const port = target.port || (target.protocol === 'https:' ? '443' : '80')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      if (entry.includes('/')) return isInNetwork(host, entry)
      const [, named = entry, onlyPort] = /^(\[.+\]|[^:]+):(\d+)$/.exec(entry) ?? []
      if (onlyPort !== undefined && onlyPort !== port) return false
      const domain = unbracket(named.replace(/^\*?\./, ''))
      return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
    })
}

function isInNetwork(host: string, entry: string) {
  const [network = '', prefix = ''] = entry.split('/')
  const family = isIP(network)
  const bits = Number(prefix)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(prefix) || bits > (family === 4 ? 32 : 128))
    return false
  const list = new BlockList()
  list.addSubnet(network, bits, family === 4 ? 'ipv4' : 'ipv6')
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6')
}

export function unbracket(host: string): string {
  return host.replace(/^\[(.*)\]$/, '$1')
}
