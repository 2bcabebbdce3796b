import { type LookupAddress, lookup } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { AppError } from '../../errors.ts'
import { unbracket } from './proxy.ts'

/** Networks that no public address is in (IANA special-purpose registries): this machine, its link, its site. */
const IPV4 = [
  ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
  ...['192.0.0.0/24', '192.168.0.0/16', '198.18.0.0/15', '224.0.0.0/4', '240.0.0.0/4'],
]
/** `fec0::` and `::a.b.c.d` are obsolete, and still obeyed by some systems. */
const IPV6 = ['::/96', '64:ff9b:1::/48', 'fc00::/7', 'fe80::/10', 'fec0::/10', 'ff00::/8']

const notPublic = new BlockList()
for (const [network = '', bits] of IPV6.map((one) => one.split('/'))) {
  notPublic.addSubnet(network, Number(bits), 'ipv6')
}
for (const [network = '', bits] of IPV4.map((one) => one.split('/'))) {
  // IPv4-mapped addresses are checked with it.
  notPublic.addSubnet(network, Number(bits), 'ipv4')
  // Gateways of NAT64 and 6to4 pass on to the IPv4 address that is written into these.
  notPublic.addSubnet(`64:ff9b::${network}`, 96 + Number(bits), 'ipv6')
  const [a = 0, b = 0, c = 0, d = 0] = network.split('.').map(Number)
  const group = (high: number, low: number) => (high * 256 + low).toString(16)
  notPublic.addSubnet(`2002:${group(a, b)}:${group(c, d)}::`, 16 + Number(bits), 'ipv6')
}

function isPublicAddress(address: string): boolean {
  return !notPublic.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/** Whether the host of a URL can only lead into this machine or its own network. Names are left to `publicLookup`. */
export function isInsideHost(hostname: string): boolean {
  const host = unbracket(hostname).replace(/\.$/, '')
  return isIP(host) === 0 ? /(^|\.)localhost$/i.test(host) : !isPublicAddress(host)
}

export function insideError(host: string): AppError {
  return new AppError(
    'contract',
    `its URL leads into this machine or its own network (${host}); not fetched.`,
    {
      hints: [
        `if labels are kept there: --label-host ${host}, or rma profiles set NAME --label-hosts ${host}`,
      ],
    },
  )
}

/** Fails with `insideError` for a non-public address. Its result is connected to: no second answer can differ. */
export const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    const [first] = addresses ?? []
    if (error || first === undefined) return done(error, '')
    if (!addresses.every(({ address }) => isPublicAddress(address))) return done(insideError(hostname), '')
    if (options.all) return done(null, addresses as LookupAddress[])
    done(null, first.address, first.family)
  })
}
