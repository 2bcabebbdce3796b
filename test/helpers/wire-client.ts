import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** `ECONNRESET`, `aborted`… where the connection ended before the answer did. */
  cut?: string
}

export interface WireRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
  agent?: Agent
}

/** One request by Node's plain client on a connection of its own. Rejects only where no answer began. */
export function send(url: string, { body, ...options }: WireRequest = {}): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent: new Agent(), ...options }, (response) => {
      let text = ''
      const end = (cut?: string) =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, ...(cut && { cut }) })
      response.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      response.on('end', () => end())
      response.on('error', (error: NodeJS.ErrnoException) => end(error.code ?? error.message))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Writes bytes to the server as they are, and gives all that comes back until it closes. */
export function sendRaw(baseUrl: string, ...parts: (string | Buffer)[]): Promise<string> {
  const { port } = new URL(baseUrl)
  return new Promise((resolve) => {
    let text = ''
    const socket = connect(Number(port), '127.0.0.1', () => {
      for (const part of parts) socket.write(part)
    })
    socket.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    socket.on('error', () => {})
    socket.on('close', () => resolve(text))
  })
}

/** The body of a raw answer. */
export function bodyOf(raw: string): string {
  return raw.slice(raw.indexOf('\r\n\r\n') + 4)
}
