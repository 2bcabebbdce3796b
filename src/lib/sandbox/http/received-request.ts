import { isUtf8 } from 'node:buffer'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type * as z from 'zod'
import { parseJson } from '../../wire/json.ts'
import { JsonTooComplexError } from '../../wire/json-scan.ts'
import { at, pathText } from '../../wire/raw.ts'
import type { NumberValue } from '../../wire/read.ts'
import { ApiError, type Reply } from './answers.ts'

interface RequestHead {
  method: string
  url: Readonly<URL>
  headers: { get(name: string): string | undefined }
}

export interface ReceivedRequest extends RequestHead {
  text: string
}

/** Returns undefined for an invalid target or Host header. */
export function requestHead(incoming: IncomingMessage): RequestHead | undefined {
  const { method = 'GET', url: target = '/', headers, socket } = incoming
  const url = parseUrl(target, 'encrypted' in socket ? 'https' : 'http', headers.host)
  // Headers of one name are joined.
  return (
    url && {
      method,
      url,
      headers: { get: (name) => incoming.headersDistinct[name.toLowerCase()]?.join(', ') },
    }
  )
}

function parseUrl(target: string, scheme: string, host = '') {
  const isAbsolute = /^https?:\/\//.test(target)
  const whole = isAbsolute ? target : `${scheme}://${host}${target}`
  const url = URL.canParse(whole) ? new URL(whole) : undefined
  // `a@b` and `a/b` parse, but not as a host.
  const isOfHost = host !== '' && url?.hostname === host.replace(/:\d*$/, '').toLowerCase()
  // A parser would take a backslash for a slash.
  const isPath = target.startsWith('/') && !/^[^?]*\\/.test(target)
  return isAbsolute || (isOfHost && isPath) ? url : undefined
}

export interface ServerExchange {
  incoming: IncomingMessage
  outgoing: ServerResponse
  closing: AbortSignal
}

/** No reply means that the handler has dealt with the connection. */
export type Handler = (head: RequestHead, exchange: ServerExchange) => Promise<Reply | undefined>

const MAX_BODY_BYTES = 10 * 1024 * 1024
/** Time to finish sending a body that is too long. */
const DRAIN_MS = 2000

/** Returns undefined if the client has gone. */
export async function readBody(incoming: IncomingMessage): Promise<string | undefined> {
  if (Number(incoming.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLong()
  const chunks: Buffer[] = []
  let bytes = 0
  const outcome = await new Promise<boolean | ApiError>((resolve) => {
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
      else resolve(tooLong())
    })
    incoming.once('end', () => resolve(true))
    incoming.once('error', () => resolve(false))
    incoming.once('close', () => resolve(false))
  })
  if (outcome instanceof ApiError) {
    incoming.removeAllListeners('data')
    throw outcome
  }
  if (!outcome) return undefined
  const encoding = incoming.headers['content-encoding'] || 'identity'
  if (encoding !== 'identity') throw invalid([`Content-Encoding: ${encoding} is not taken`])
  const body = Buffer.concat(chunks)
  if (!isUtf8(body)) throw invalid(['body: not UTF-8'])
  return body.toString().replace(/^\ufeff/, '')
}

function tooLong() {
  return ApiError.of(413, 'RQ03', `The body is longer than ${MAX_BODY_BYTES / 1024 / 1024} MB`)
}

/** Closes after the body has arrived: while they send, clients read no answer. */
export function answerEarly({ status, headers, bytes }: Reply, { incoming, outgoing }: ServerExchange) {
  outgoing.writeHead(status, {
    ...Object.fromEntries(headers),
    'content-length': bytes.length,
    connection: 'close',
  })
  outgoing.write(bytes)
  const timer = setTimeout(() => outgoing.end(), DRAIN_MS)
  incoming.once('end', () => outgoing.end())
  incoming.once('error', () => {})
  outgoing.once('close', () => clearTimeout(timer))
  incoming.resume()
}

/** The report of a wrong value takes a thousand times its memory. */
const MAX_VALUES = 250_000
const MAX_PROBLEMS = 50

export type FailIf = (isWrong: unknown, problem: string) => void

/** @param check finds what the schema does not. @throws ApiError 400 VA01 */
export function parseBody<S extends z.ZodType>(
  schema: S,
  text: string,
  check: (request: z.infer<S>, failIf: FailIf) => void = () => {},
): z.infer<S> {
  let body: unknown
  try {
    body = parseJson(text, MAX_VALUES)
  } catch (error) {
    throw invalid([`body: ${error instanceof JsonTooComplexError ? error.message : 'not JSON'}`])
  }
  const { data, error } = schema.safeParse(body)
  const problems = (error?.issues ?? []).map((issue) => describe(issue, body))
  if (!error) check(data, (isWrong, problem) => void (isWrong && problems.push(problem)))
  if (problems.length > 0) throw invalid(problems)
  return data as z.infer<S>
}

export function invalid(problems: readonly string[]): ApiError {
  const rest = problems.length - MAX_PROBLEMS
  const shown = rest > 0 ? [...problems.slice(0, MAX_PROBLEMS), `and ${rest} more`] : problems
  return new ApiError(
    400,
    shown.map((message) => ({ code: 'VA01', message })),
  )
}

function describe({ path, message }: z.core.$ZodIssue, body: unknown) {
  const value = path.reduce<unknown>(at, body)
  return `${pathText(path) || 'body'}: ${value === undefined || value === null ? 'is missing' : message}`
}

export function toNumber(value: NumberValue | null | undefined): number {
  return value === null || value === undefined ? Number.NaN : Number(String(value))
}
