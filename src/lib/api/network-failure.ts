/** An attempt that brought no complete answer. */
export interface NetworkFailure {
  kind: 'network'
  /** `before-send` only where no byte of the request can have reached the service. */
  phase: 'before-send' | 'after-send'
  /** The system's or TLS library's code; `PROXY_407` for a proxy that refused the tunnel with that status. */
  code: string
  /** What happened, in words, to stand after a colon. */
  words: string
  cause: unknown
}

const WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection broke off',
  EPIPE: 'the connection broke off',
  ENOTFOUND: 'the host name is not known',
  EAI_AGAIN: 'the name server did not answer',
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'the network is not reachable',
  ETIMEDOUT: 'no answer in time',
  Z_BUF_ERROR: 'the answer broke off',
  Z_DATA_ERROR: 'the answer is not compressed the way it says',
}

/** Why a server's certificate was not accepted, by OpenSSL's and Node's codes. */
const CERTIFICATE_WORDS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  CERT_REVOKED: 'it has been revoked',
  CERT_UNTRUSTED: 'its authority is not trusted',
  CERT_SIGNATURE_FAILURE: 'its signature is wrong',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its authority is self-signed and not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT: 'its authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its authority is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it was made for another host',
  HOSTNAME_MISMATCH: 'it was made for another host',
}

/** Why the server's certificate was refused, if that is what the code says. */
export function certificateProblem(code: string): string | undefined {
  const isCertificate = /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(code)
  return CERTIFICATE_WORDS[code] ?? (isCertificate ? code.toLowerCase().replaceAll('_', ' ') : undefined)
}

/** Tells what a rejection of got was about. Knows the error by its properties, so that got need not be loaded. */
export function networkFailure(cause: unknown): NetworkFailure {
  const message = cause instanceof Error ? cause.message : String(cause)
  // hpagent has no code for it.
  const refused = /^Bad response: (\d{3})$/.exec(message)?.[1]
  if (refused !== undefined || message === 'Proxy timeout') {
    const [code, words] = refused
      ? [`PROXY_${refused}`, `the proxy refused the connection with HTTP ${refused}`]
      : ['PROXY_TIMEOUT', 'the proxy did not answer in time']
    return { kind: 'network', phase: 'before-send', code, words, cause }
  }
  const code = String(property(cause, 'code') ?? 'UNKNOWN')
  const problem = certificateProblem(code)
  const words = problem ? `the server's certificate was not accepted: ${problem}` : WORDS[code]
  // Once connected got states the time; on a reused connection too.
  const isConnected = property(property(cause, 'timings'), 'connect') !== undefined
  const isHandshake =
    problem !== undefined || message.includes('before secure TLS connection was established')
  const phase = isConnected && !isHandshake ? 'after-send' : 'before-send'
  return { kind: 'network', phase, code, words: words ?? otherWords(code, message), cause }
}

function otherWords(code: string, message: string): string {
  if (code.startsWith('HPE_')) return 'what came back is not HTTP'
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return 'no secure connection could be made (is it an https:// port?)'
  return message || code
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
}
