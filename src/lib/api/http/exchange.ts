export type Method = 'GET' | 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** A request as it goes out: one attempt, redirects apart. Holds secrets; whoever shows it masks it first. */
export interface SentRequest {
  method: Method
  url: URL
  /** The service or somebody else made the address: nothing is known of its query, which may be a signature. */
  hidesQuery?: boolean
  headers: Readonly<Record<string, string>>
  body: string | undefined
  /** Counts from 1. */
  attempt: number
  /** Milliseconds since the epoch. */
  startedAt: number
}

/** Milliseconds; `undefined` where a phase did not take place (a reused connection) or is not known. */
interface Phases {
  dns?: number | undefined
  tcp?: number | undefined
  tls?: number | undefined
  send?: number | undefined
  wait?: number | undefined
  receive?: number | undefined
}

export interface Exchange {
  request: SentRequest
  durationMs: number
  response?: {
    status: number
    statusText: string
    httpVersion: string
    headers: Readonly<Record<string, string>>
    text: string
    /** Size of the decompressed body. */
    bytes: number
    phases: Phases
  }
  failure?: { code: string; words: string }
}

/** Called for every exchange, including retries and redirects. */
export interface ExchangeObserver {
  started?(request: SentRequest): void
  finished?(exchange: Exchange): void
}
