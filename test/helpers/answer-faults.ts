import type { Socket } from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { httpAnswer } from './raw-server.ts'

/**
 * Meaning of an answer. `refused`: the request was not carried out. `answered`: a readable success. `open`: the outcome
 * is unknown.
 */
type Says = 'refused' | 'answered' | 'open'

/** A way to answer a POST badly. */
export interface AnswerFault {
  name: string
  says: Says
  /** Writes the answer, given the JSON of a correct one. */
  answer(socket: Socket, good: string): void
  /** True if no more bytes follow, so that the command's time-out ends it. */
  isSilent?: boolean
}

const JSON_TYPE = 'Content-Type: application/json'
const PAGE = '<!doctype html><html><body><h1>We will be back soon</h1></body></html>'
const problem = (status: number, code: string) =>
  JSON.stringify({ errors: [{ code, message: 'no' }], status, requestId: 'r-1' })

const open = (name: string, answer: AnswerFault['answer'], isSilent = false): AnswerFault => ({
  name,
  says: 'open',
  answer,
  isSilent,
})
type Make = (good: string) => string | Buffer
const sent =
  (how: 'write' | 'end') =>
  (name: string, make: Make, says: Says = 'open'): AnswerFault => ({
    name,
    says,
    answer: (socket, good) => void socket[how](make(good)),
  })
/** Writes bytes and leaves the connection open. */
const bytes = sent('write')
/** Writes bytes and closes the server's end of the connection. */
const last = sent('end')
/** Writes bytes and resets the connection after their delivery. */
const reset = (name: string, make: Make): AnswerFault =>
  open(name, (socket, good) => {
    socket.write(make(good), () => setTimeout(() => socket.resetAndDestroy(), 20))
  })
const status = (name: string, code: number, body = '', headers: string[] = [], says: Says = 'open') =>
  bytes(name, () => httpAnswer(code, body, headers), says)
const page = (code: number, says: Says) =>
  status(`${code} with a page`, code, PAGE, ['Content-Type: text/html'], says)
const encoded = (name: string, encoding: string, make: Make) =>
  bytes(name, (good) => httpAnswer(200, make(good), [JSON_TYPE, `Content-Encoding: ${encoding}`]))
const half = (content: Buffer) => content.subarray(0, content.length / 2)

const HEAD = `HTTP/1.1 200 OK\r\n${JSON_TYPE}\r\n`
const moved = (code: number, says: Says) =>
  status(`${code} to another place`, code, '', ['Location: /v2'], says)
const refusal = (code: number, error: string) =>
  status(`${code}`, code, problem(code, error), [JSON_TYPE], 'refused')

/** 600 MB of blanks behind 600 kB. */
let blanks: Buffer | undefined
export function blanksBehindGzip(): Buffer {
  blanks ??= Buffer.concat(Array<Buffer>(60).fill(gzipSync(Buffer.alloc(10_000_000, ' '), { level: 9 })))
  return blanks
}

export const ANSWER_FAULTS: readonly AnswerFault[] = [
  // The connection
  open('closed before any answer', (socket) => socket.end()),
  open('reset before any answer', (socket) => socket.resetAndDestroy()),
  last('closed in the middle of the headers', () => 'HTTP/1.1 200 OK\r\nContent-Ty'),
  reset('reset after the headers', (good) => `${HEAD}Content-Length: ${good.length}\r\n\r\n`),
  reset(
    'reset in the middle of the body',
    (good) => `${HEAD}Content-Length: ${good.length}\r\n\r\n${good.slice(0, 9)}`,
  ),
  open('no answer in time', () => {}, true),
  open('no end of the headers in time', (socket) => void socket.write('HTTP/1.1 200 OK\r\nDate: '), true),
  open(
    'no end of the body in time',
    (socket, good) => void socket.write(`${HEAD}Content-Length: ${good.length}\r\n\r\n${good.slice(0, 9)}`),
    true,
  ),
  open(
    '100 Continue, and nothing more in time',
    (socket) => void socket.write('HTTP/1.1 100 Continue\r\n\r\n'),
    true,
  ),
  // Broken HTTP
  bytes('101 Switching Protocols', () => 'HTTP/1.1 101 Status\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
  last('103 Early Hints, then closed', () => 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n'),
  last('bytes that are not HTTP', () => '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'),
  last('an answer of another protocol', () => 'SSH-2.0-OpenSSH_9.2\r\n'),
  bytes('a header without a name', () => 'HTTP/1.1 200 OK\r\n: x\r\nContent-Length: 0\r\n\r\n'),
  bytes('more headers than Node.js takes', (good) =>
    httpAnswer(200, good, [`X-Long: ${'x'.repeat(20_000)}`]),
  ),
  // Length and encoding of the body
  last('Content-Length too long', (good) => httpAnswer(200, good, [`Content-Length: ${good.length + 9}`])),
  last('Content-Length too short', (good) => httpAnswer(200, good, [`Content-Length: ${good.length - 9}`])),
  last('Content-Length is not a number', (good) => httpAnswer(200, good, ['Content-Length: many'])),
  last('two different Content-Lengths', (good) =>
    httpAnswer(200, good, [`Content-Length: ${good.length}`, 'Content-Length: 3']),
  ),
  last('Content-Length and chunks', (good) =>
    httpAnswer(200, good, [`Content-Length: ${good.length}`, 'Transfer-Encoding: chunked']),
  ),
  last('a chunk without a size', (good) => httpAnswer(200, `zz\r\n${good}`, ['Transfer-Encoding: chunked'])),
  last('chunks without an end', (good) =>
    httpAnswer(200, `${good.length.toString(16)}\r\n${good}\r\n`, ['Transfer-Encoding: chunked']),
  ),
  encoded('not gzip as it says', 'gzip', (good) => good),
  encoded('gzip cut off', 'gzip', (good) => half(gzipSync(good))),
  encoded('gzip with a wrong checksum', 'gzip', (good) => {
    const zipped = gzipSync(good)
    zipped.writeUInt32LE(1, zipped.length - 8)
    return zipped
  }),
  encoded('not deflate as it says', 'deflate', () => 'xxxxxxxxxxxxxxxxxxxx'),
  encoded('deflate cut off', 'deflate', (good) => half(deflateSync(good))),
  encoded('not Brotli as it says', 'br', () => 'garbage not brotli xxxxxxxxx'),
  encoded('Brotli cut off', 'br', (good) => half(brotliCompressSync(good))),
  encoded(
    'an unknown encoding',
    'x-secret',
    (good) => Buffer.from(good).map((byte) => byte ^ 0x55) as Buffer,
  ),
  encoded('600 MB of blanks behind 600 kB of gzip', 'gzip', blanksBehindGzip),
  // Bodies
  status('200 with an empty body', 200),
  status('204', 204),
  bytes('200 with a page', () => httpAnswer(200, PAGE, ['Content-Type: text/html'])),
  last('200 over HTTP/1.0, cut off', (good) => `HTTP/1.0 200 OK\r\n\r\n${good.slice(0, -9)}`),
  bytes('200 with a list', () => httpAnswer(200, '[]', [JSON_TYPE])),
  bytes('200 with a number', () => httpAnswer(200, '7', [JSON_TYPE])),
  bytes('200, nested 100,000 deep', () => httpAnswer(200, '['.repeat(1e5) + ']'.repeat(1e5), [JSON_TYPE])),
  bytes('200 with errors only', () => httpAnswer(200, problem(200, 'IE07'), [JSON_TYPE]), 'refused'),
  // Odd but readable answers
  bytes('200 with a byte-order mark', (good) => httpAnswer(200, `\ufeff${good}`, [JSON_TYPE]), 'answered'),
  bytes(
    '200 with trailers',
    (good) =>
      httpAnswer(200, `${good.length.toString(16)}\r\n${good}\r\n0\r\nX-After: 1\r\n\r\n`, [
        JSON_TYPE,
        'Transfer-Encoding: chunked',
      ]),
    'answered',
  ),
  bytes(
    '200 with headers twice',
    (good) => httpAnswer(200, good, [JSON_TYPE, JSON_TYPE, 'Date: x', 'Date: y']),
    'answered',
  ),
  last('200 over HTTP/1.0, up to the end', (good) => `HTTP/1.0 200 OK\r\n\r\n${good}`, 'answered'),
  last(
    '103 Early Hints, then 200',
    (good) => `HTTP/1.1 103 Hints\r\n\r\n${httpAnswer(200, good)}`,
    'answered',
  ),
  // Statuses
  moved(301, 'open'),
  moved(302, 'open'),
  moved(303, 'open'),
  moved(307, 'refused'),
  moved(308, 'refused'),
  status('304', 304),
  refusal(400, 'VA01'),
  refusal(401, 'AU03'),
  page(403, 'refused'),
  refusal(404, 'RT01'),
  page(404, 'refused'),
  status('408', 408),
  refusal(413, 'VA01'),
  refusal(422, 'VA01'),
  status('425', 425, '', [], 'refused'),
  status('429', 429, '', [], 'refused'),
  status('429, Retry-After: 0', 429, problem(429, 'RL01'), [JSON_TYPE, 'Retry-After: 0'], 'refused'),
  status('429, Retry-After: -5', 429, '', ['Retry-After: -5'], 'refused'),
  status('500 with errors', 500, problem(500, 'IE01'), [JSON_TYPE]),
  status('501', 501),
  page(502, 'open'),
  page(503, 'open'),
  status('503 with a page and a request id', 503, PAGE, ['X-Request-Id: r-1']),
  status('503 with errors', 503, problem(503, 'UN01'), [JSON_TYPE, 'X-Request-Id: r-1']),
  status('503, Retry-After: 0', 503, '', ['Retry-After: 0']),
  status('503, Retry-After: -5', 503, '', ['Retry-After: -5']),
  status('504', 504),
  status('999', 999),
]
