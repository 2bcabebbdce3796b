import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext, rootCertificates, type SecureContext } from 'node:tls'
import { causedBy, errorCode } from '../../errors.ts'
import type { ProxyEnv } from './proxy.ts'

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g

/** States all roots, since `ca` switches off Node's own and `NODE_EXTRA_CA_CERTS`. @throws AppError `config` */
export function trustContext(caFile: string | undefined, env: ProxyEnv): SecureContext {
  const own = caFile === undefined ? [] : readCaFile(caFile)
  return createSecureContext({ ca: [...rootCertificates, ...readEnvironmentFile(env), ...own] })
}

function readCaFile(file: string) {
  const blocks = (read(file).match(PEM_BLOCK) ?? []).map(String)
  if (blocks.length === 0) throw caFileError(file, 'contains no PEM certificate')
  blocks.forEach((block, index) => {
    try {
      new X509Certificate(block)
    } catch (cause) {
      throw caFileError(file, `can't be used: certificate ${index + 1} of ${blocks.length} is damaged`, cause)
    }
  })
  return blocks
}

/** Ignores a bad file, of which Node.js warns. */
function readEnvironmentFile(env: ProxyEnv) {
  if (!env.NODE_EXTRA_CA_CERTS) return []
  try {
    return readCaFile(env.NODE_EXTRA_CA_CERTS)
  } catch {
    return []
  }
}

function read(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const reason = errorCode(cause) ?? 'unknown reason'
    throw caFileError(file, reason === 'ENOENT' ? 'does not exist' : `can't be read (${reason})`, cause)
  }
}

function caFileError(file: string, problem: string, cause?: unknown) {
  return causedBy(
    cause,
    'config',
    `The CA file ${file} ${problem}`,
    'give --ca-file a PEM file with one or more "-----BEGIN CERTIFICATE-----" blocks',
  )
}
