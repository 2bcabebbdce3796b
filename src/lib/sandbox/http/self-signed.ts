import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { isIP } from 'node:net'
import type { ServerTls } from './server.ts'

const LIFETIME_MS = 365 * 86_400_000
const COMMON_NAME = Buffer.from('550403', 'hex')
const ALTERNATIVE_NAMES = Buffer.from('551d11', 'hex')
const BASIC_CONSTRAINTS = Buffer.from('551d13', 'hex')
const ECDSA_WITH_SHA256 = Buffer.from('2a8648ce3d040302', 'hex')

/** Makes a certificate that is its own authority, for one run. */
export function selfSigned(hosts: readonly string[], nowMs: number): ServerTls {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const algorithm = sequence(der(0x06, ECDSA_WITH_SHA256))
  const name = sequence(der(0x31, sequence(der(0x06, COMMON_NAME), der(0x0c, Buffer.from('rma sandbox')))))
  const names = sequence(...hosts.map(alternativeName))
  const extensions = sequence(
    sequence(der(0x06, ALTERNATIVE_NAMES), der(0x04, names)),
    sequence(der(0x06, BASIC_CONSTRAINTS), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    // Positive, and never the serial of another run.
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(15)])),
    algorithm,
    name,
    // Clocks may be a little behind.
    sequence(utcTime(nowMs - 86_400_000), utcTime(nowMs + LIFETIME_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const certificate = sequence(body, algorithm, bitString(sign('sha256', body, privateKey)))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
    key: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }
}

function alternativeName(host: string) {
  if (isIP(host) === 0) return der(0x82, Buffer.from(host))
  if (isIP(host) === 4) return der(0x87, Buffer.from(host.split('.').map(Number)))
  const [before = '', after = ''] = host.split('::')
  const [head, tail] = [before, after].map((part) => part.split(':').filter(Boolean))
  const zeros = Array(8 - (head?.length ?? 0) - (tail?.length ?? 0)).fill('0')
  const groups = [...(head ?? []), ...zeros, ...(tail ?? [])]
  return der(0x87, Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex'))
}

/** X.509 wants another form from 2050 on. */
function utcTime(ms: number) {
  const text = new Date(ms).toISOString().replace(/[-T:]|\.\d+/g, '')
  return der(0x17, Buffer.from(text.slice(2)))
}

function bitString(content: Buffer) {
  return der(0x03, Buffer.concat([Buffer.from([0]), content]))
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
