import { messageOf } from '../../errors.ts'
import { at } from '../../wire/raw.ts'
import { ANSWER_OUT_OF_TURN } from './desync-guard.ts'
import words from './failure-words.json'

export interface NetworkFailure {
  kind: 'network'
  /** `before-send`: the request certainly had no effect. */
  phase: 'before-send' | 'after-send'
  /** Code of the system or the TLS library; `PROXY_407` for a refused tunnel. */
  code: string
  words: string
  cause: unknown
}

interface FailureTraits {
  status?: number
  code: string
  message: string
  /** System calls that failed, one for each address. */
  syscalls: readonly string[]
  reached?: 'nothing' | 'socket' | 'connection' | 'tls'
  isTls: boolean
}

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

export function isCertainlyUndone(failure: FailureTraits) {
  return CERTAINLY_UNDONE.some(({ holds }) => holds(failure))
}

export function isRefusal(status: number) {
  return (status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308
}

export function isCertificateCode(code: string) {
  return /^(CERT_|ERR_TLS_CERT|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/.test(code)
}

function areAll(calls: readonly string[], one: string) {
  return calls.length > 0 && calls.every((call) => call === one)
}

const WORDS: Readonly<Record<string, string>> = {
  ...words.network,
  [ANSWER_OUT_OF_TURN]: 'the connection brought an answer that nobody asked for',
}

const CERTIFICATE_WORDS: Readonly<Record<string, string>> = words.certificate

/** Reads got's error by its properties: got need not be loaded. */
export function networkFailure(cause: unknown): NetworkFailure {
  const message = messageOf(cause)
  const { code, words } = proxyProblem(message) ?? named(String(at(cause, 'code') ?? 'UNKNOWN'), message)
  const traits = {
    code,
    message,
    syscalls: failedCalls(cause),
    reached: reachOf(cause),
    isTls: at(at(at(cause, 'options'), 'url'), 'protocol') === 'https:',
  }
  const phase = isCertainlyUndone(traits) ? 'before-send' : 'after-send'
  return { kind: 'network', phase, code, words, cause }
}

/** Reads messages, since errors of hpagent have no codes. */
function proxyProblem(message: string) {
  const status = /^Bad response: (\d{3})$/.exec(message)?.[1]
  if (status !== undefined) {
    return { code: `PROXY_${status}`, words: `the proxy refused the connection with HTTP ${status}` }
  }
  if (message !== 'Proxy timeout') return undefined
  return { code: 'PROXY_TIMEOUT', words: 'the proxy did not answer in time' }
}

function named(code: string, message: string) {
  if (!isCertificateCode(code)) return { code, words: WORDS[code] ?? otherWords(code, message) }
  const problem = CERTIFICATE_WORDS[code] ?? code.toLowerCase().replaceAll('_', ' ')
  return { code, words: `the server's certificate was not accepted: ${problem}` }
}

/** got keeps the system's error as cause, Node.js one for each address. */
function failedCalls(error: unknown): string[] {
  const own = at(error, 'syscall')
  if (typeof own === 'string') return [own]
  const each = at(error, 'errors')
  if (Array.isArray(each)) return each.flatMap(failedCalls)
  const cause = at(error, 'cause')
  return cause === undefined ? [] : failedCalls(cause)
}

function reachOf(error: unknown): FailureTraits['reached'] {
  const timings = at(error, 'timings')
  if (timings === undefined) return undefined
  if (at(timings, 'secureConnect') !== undefined) return 'tls'
  if (at(timings, 'connect') !== undefined) return 'connection'
  return at(timings, 'socket') === undefined ? 'nothing' : 'socket'
}

function otherWords(code: string, message: string) {
  if (code.startsWith('HPE_')) return 'what came back is not HTTP'
  if (/^(ERR__|ZSTD_)/.test(code)) return WORDS.Z_DATA_ERROR ?? code
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return 'no secure connection could be made (is it an https:// port?)'
  return message || code
}
