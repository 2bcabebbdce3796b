import { Agent, type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'

export interface WireAnswer {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Error, e.g. `ECONNRESET` or `aborted`, if the connection ended before the answer did. */
  cut?: string
}

export interface WireRequest {
  method?: string
  headers?: Record<string, string>
  body?: string | Buffer
  signal?: AbortSignal
  agent?: Agent
}

/** Sends one request with Node's plain client on a new connection. Rejects only if no answer began. */
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

/** Writes raw bytes to the server, and returns its output until it closes. */
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

export function bodyOf(raw: string): string {
  return raw.slice(raw.indexOf('\r\n\r\n') + 4)
}
