export interface FailureTraits {
  status?: number | undefined
  /** The system's, the TLS library's or our own. */
  code: string
  message: string
  /** System calls that failed; several addresses of one host fail one by one. */
  syscalls: readonly string[]
  /** How far the connection got; undefined where nobody saw. */
  reached?: 'nothing' | 'socket' | 'connection' | 'tls' | undefined
  isTls: boolean
}

/** After these a request had no effect: even a write is sent again without a look. All else may have happened. */
export const CERTAINLY_UNDONE: readonly { when: string; holds(failure: FailureTraits): boolean }[] = [
  { when: 'the host name is not found', holds: ({ syscalls }) => areAll(syscalls, 'getaddrinfo') },
  {
    when: 'no connection comes about: refused, no route to the host, no answer in time',
    holds: ({ syscalls, reached, code }) =>
      areAll(syscalls, 'connect') || reached === 'nothing' || (reached === 'socket' && code === 'ETIMEDOUT'),
  },
  {
    when: 'TLS fails before the request: the certificate is not accepted, the port does not speak TLS',
    holds: ({ code, message, isTls, reached }) =>
      isCertificateCode(code) ||
      message.includes('before secure TLS connection was established') ||
      (isTls && reached === 'connection'),
  },
  { when: 'a proxy refuses the tunnel', holds: ({ code }) => code.startsWith('PROXY_') },
  { when: 'the answer is 429: too many requests', holds: ({ status }) => status === 429 },
]

export function isCertainlyUndone(failure: FailureTraits): boolean {
  return CERTAINLY_UNDONE.some(({ holds }) => holds(failure))
}

/** Whether an answer of this status tells that the request was not carried out: it says no, or to ask elsewhere. */
export function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308
}

/** Codes of OpenSSL and Node.js for a certificate that is not accepted. */
export function isCertificateCode(code: string): boolean {
  return /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(code)
}

function areAll(calls: readonly string[], one: string): boolean {
  return calls.length > 0 && calls.every((call) => call === one)
}
