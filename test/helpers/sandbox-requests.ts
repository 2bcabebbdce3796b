import type { ReceivedRequest } from '../../src/lib/sandbox/http/received-request.ts'
import type { Sandbox } from '../../src/lib/sandbox/index.ts'
import type { Refund } from '../../src/lib/wire/refunds.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import type { Transportation } from '../../src/lib/wire/transportations.ts'

/** Noon of the day of the tests' demo data. */
export const NOW = Date.parse('2026-04-15T12:00:00Z')
const BASE = 'http://sandbox.test/integration/v1'

export interface Answer {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  body: any
}

export interface RequestOptions {
  method?: string
  headers?: Record<string, string>
  /** Text is sent unchanged, other values as JSON. */
  body?: unknown
}

/** A client for a sandbox. */
export function clientOf(sandbox: Sandbox) {
  const everything = sandbox.issueToken()
  /** Sends a request, by default with a token for all shops. */
  async function request(path: string, { body = '', ...init }: RequestOptions = {}): Promise<Answer> {
    const sent = typeof body === 'string' ? body : JSON.stringify(body)
    const headers = { authorization: `Bearer ${everything}`, ...init.headers }
    const {
      status,
      headers: fields,
      text,
    } = await sandbox.fetch(received(BASE + path, { ...init, body: sent, headers: Object.entries(headers) }))
    return {
      status,
      // Computed on demand, since few tests read them.
      get headers() {
        return new Headers([...fields])
      },
      body: text === '' ? undefined : JSON.parse(text),
    }
  }
  return {
    request,
    /** All returns that match the parameters of `GET /returns`. */
    async allReturns(query = ''): Promise<Return[]> {
      const all: Return[] = []
      for (let page = 1; ; page++) {
        const { body } = await request(`/returns?limit=500&page=${page}&${query}`)
        all.push(...body.returns)
        if (page >= body.pageInfo.totalPages) return all
      }
    },
    async refundsOf(record: Return): Promise<Refund[]> {
      return (await request(`/returns/${record.id}/refunds`)).body.refunds
    },
    async transportsOf(record: Return): Promise<Transportation[]> {
      return (await request(`/returns/${record.id}/transportations`)).body.transportations
    },
  }
}

/** Request before the server parses it. */
interface Sent {
  method?: string
  headers?: Iterable<readonly [name: string, value: string]>
  body?: string
}

/** Request as the server hands it on. Making a `Request` of `fetch` takes longer than many answers. */
export function received(
  url: string,
  { method = 'GET', headers = [], body = '' }: Sent = {},
): ReceivedRequest {
  const fields = new Map<string, string>()
  for (const [sent, value] of headers) {
    const name = sent.toLowerCase()
    const before = fields.get(name)
    fields.set(name, before === undefined ? value.trim() : `${before}, ${value.trim()}`)
  }
  return {
    method,
    url: new URL(url),
    headers: { get: (name) => fields.get(name.toLowerCase()) },
    text: body,
  }
}
