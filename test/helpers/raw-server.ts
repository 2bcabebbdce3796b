import net, { type Socket } from 'node:net'
import { closing, listening } from './script-server.ts'

/** Parsed part of a request. */
export interface RawRequest {
  method: string
  path: string
  query: URLSearchParams
  body: string
}

/** A server that writes raw bytes, for answers that no HTTP server gives. */
export async function rawServer(answer: (request: RawRequest, socket: Socket) => void | Promise<void>) {
  const server = net.createServer((socket) => {
    let text = ''
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk
      for (let request = takeRequest(text); request; request = takeRequest(text)) {
        text = request.rest
        void answer(request, socket)
      }
    })
  })
  const close = closing(server)
  const port = await listening(server)
  return { baseUrl: `http://127.0.0.1:${port}`, close }
}

function takeRequest(text: string): (RawRequest & { rest: string }) | undefined {
  const end = text.indexOf('\r\n\r\n')
  if (end === -1) return undefined
  const head = text.slice(0, end)
  const length = Number(/^content-length: *(\d+)$/im.exec(head)?.[1] ?? 0)
  const [body, rest] = [text.slice(end + 4, end + 4 + length), text.slice(end + 4 + length)]
  if (body.length < length) return undefined
  const [method = '', target = ''] = head.split(' ')
  const { pathname, searchParams } = new URL(target, 'http://raw.invalid')
  return { method, path: pathname, query: searchParams, body, rest }
}

/** A complete HTTP/1.1 answer, with a length unless the headers define the end of the body. */
export function httpAnswer(
  status: number,
  body: string | Buffer = '',
  headers: readonly string[] = [],
): Buffer {
  const says = headers.some((line) => /^(content-length|transfer-encoding):/i.test(line))
  const lines = [`HTTP/1.1 ${status} Status`, ...headers]
  if (!says && status !== 204 && status !== 304) lines.push(`Content-Length: ${Buffer.byteLength(body)}`)
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), Buffer.from(body)])
}
