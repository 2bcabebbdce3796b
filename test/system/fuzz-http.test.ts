import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bent, ODD, ODD_TEXTS, rubbish } from '../helpers/fuzz/bent-json.ts'
import { type Answered, expectDocumented, expectRefusal } from '../helpers/fuzz/documented.ts'
import { PROBE_GROUPS, probesOf } from '../helpers/fuzz/probes.ts'
import { testSandbox } from '../helpers/sandbox-client.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

/** Sockets and raw bytes, where the tests of the application end. */
const { sandbox, allReturns, listen } = await testSandbox({ returns: 40, sleep: async () => {} })
const returns = await allReturns()
const listener = await listen({ limits: { headersMs: 1000, requestMs: 2000 } })
const authorization = `Bearer ${sandbox.issueToken({ shops: ['LUMBRE-ES'] })}`

const MAX_HEAD = 16 * 1024
/** Far more than the limits of the listener. */
const MAX_MS = 15_000

/** Writes some parts to a connection of its own, one after the other, and gives all that comes back until it is closed. */
function talk(parts: readonly (string | Buffer)[], isEnded: boolean): Promise<Buffer> {
  const { port } = new URL(listener.baseUrl)
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(port), '127.0.0.1', () => {
      for (const part of parts) socket.write(part, 'latin1')
      if (isEnded) socket.end()
    })
    const timer = setTimeout(() => {
      socket.destroy()
      reject(new Error(`The connection is still open: ${Buffer.concat(chunks).toString('latin1')}`))
    }, MAX_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', () => {})
    socket.on('close', () => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks))
    })
  })
}

/** All answers in what came back; each has to be whole. */
function answersIn(bytes: Buffer, isHead = false) {
  const answers: Answered[] = []
  for (let rest = bytes; rest.length > 0; ) {
    const end = rest.indexOf('\r\n\r\n')
    const [first = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const [, status] = /^HTTP\/1\.1 (\d{3}) [\w -]*$/.exec(first) ?? []
    if (end < 0 || status === undefined)
      throw new Error(`No answer: ${rest.toString('latin1').slice(0, 300)}`)
    const headers = new Headers(
      lines.map((line) => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
    )
    rest = rest.subarray(end + 4)
    if (status === '100') continue
    const length = isHead ? 0 : Number(headers.get('content-length') ?? Number.NaN)
    if (!(length <= rest.length)) throw new Error(`An answer of ${length} bytes has ${rest.length}`)
    answers.push({ status: Number(status), headers, text: rest.subarray(0, length).toString() })
    rest = rest.subarray(length)
  }
  return answers
}

async function expectAlive() {
  const head = `GET /integration/v1/returns?limit=1 HTTP/1.1\r\nHost: x\r\nAuthorization: ${authorization}\r\n`
  const [answer] = answersIn(await talk([Buffer.from(`${head}Connection: close\r\n\r\n`)], false))
  expect(answer?.status).toBe(200)
}

test.each(PROBE_GROUPS)('the documented answer of the application holds over HTTP: %s', async (group) => {
  await fc.assert(
    fc.asyncProperty(probesOf({ sandbox, returns })[group], async (probe) => {
      const bytes = Buffer.from(probe.body ?? '')
      const fields = [...probe.headers, ['Host', 'sandbox.test'], ['Content-Length', String(bytes.length)]]
      const lines = [...fields, ['Connection', 'close']].map(([name, value]) => `${name}: ${value}`)
      const head = `${probe.method} ${probe.target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`
      const isTooLong = head.length > MAX_HEAD
      // An unread request may be a HEAD.
      const isHead = probe.method === 'HEAD' && !isTooLong
      const [answer, ...more] = answersIn(await talk([Buffer.from(head, 'latin1'), bytes], false), isHead)
      if (answer === undefined) throw new Error('There is no answer')
      expect(more).toEqual([])
      // Methods that HTTP parsers do not know.
      if (['get', 'FOO'].includes(probe.method)) expect(expectRefusal(answer)).toBe('RQ01')
      else if (isTooLong) expect(expectRefusal(answer)).toBe('RQ04')
      else expectDocumented(probe, answer)
    }),
    { numRuns: 150 },
  )
})

/** Requests as they should be, to be spoilt. */
const lines = (...all: string[]) => Buffer.from(`${all.join('\r\n')}\r\n\r\n`)
const post = (path: string, ...headers: string[]) => [
  `POST /integration/v1${path} HTTP/1.1`,
  'Host: sandbox.test',
  `Authorization: ${authorization}`,
  ...headers,
]
const report = JSON.stringify({ shipmentId: returns[0]?.name, trackingStatus: 'SHIPPING_IN_PROGRESS' })
const chunked = `${report.length.toString(16)};ext="a;b"\r\n${report}\r\n0\r\nX-Trailer: 1\r\n\r\n`
const SOUND = [
  lines(
    'GET /integration/v1/returns?limit=1 HTTP/1.1',
    'Host: sandbox.test',
    `Authorization: ${authorization}`,
  ),
  lines('GET / HTTP/1.0'),
  lines('OPTIONS * HTTP/1.1', 'Host: sandbox.test'),
  lines('GET http://other.example/integration/v1/returns HTTP/1.1', 'Host: sandbox.test'),
  lines('CONNECT sandbox.test:443 HTTP/1.1', 'Host: sandbox.test'),
  lines('TRACE / HTTP/1.1', 'Host: sandbox.test', 'Max-Forwards: 0'),
  lines('GET /integration/v1/returns HTTP/1.1', 'Host: x', 'Connection: Upgrade', 'Upgrade: websocket, h2c'),
  lines('PRI * HTTP/2.0', '', 'SM'),
  lines('GET /__sandbox/status HTTP/1.1', 'Host: sandbox.test', 'Authorization: Bearer x'),
  Buffer.concat([
    lines(...post('/shipping_trackings', `Content-Length: ${report.length}`)),
    Buffer.from(report),
  ]),
  Buffer.concat([lines(...post('/shipping_trackings', 'Transfer-Encoding: chunked')), Buffer.from(chunked)]),
  Buffer.concat([
    lines(...post('/pudos', `Content-Length: ${report.length}`, 'Expect: 100-continue')),
    Buffer.from(report),
  ]),
]
const NOISE = [...ODD.noise, `X: ${'y'.repeat(20_000)}\r\n`, 'X: 1\r\n'.repeat(120)]

interface Spoiling {
  kind: 'insert' | 'cut' | 'flip' | 'double' | 'drop'
  /** Place, as a share of the length. */
  at: number
  noise: string
  size: number
}

const spoiling = fc.record({
  kind: fc.constantFrom('insert', 'insert', 'insert', 'cut', 'flip', 'double', 'drop'),
  at: fc.nat({ max: 9999 }),
  noise: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...NOISE) },
    { weight: 1, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  ),
  size: fc.integer({ min: 1, max: 40 }),
})

function spoilt(bytes: Buffer, { kind, at, noise, size }: Spoiling) {
  const place = Math.floor((at / 10_000) * bytes.length)
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)]
  if (kind === 'insert') {
    // Most noise means something at the beginning of a line only.
    const start = noise.endsWith('\r\n') ? before.lastIndexOf('\n') + 1 : before.length
    return Buffer.concat([bytes.subarray(0, start), Buffer.from(noise, 'latin1'), bytes.subarray(start)])
  }
  if (kind === 'cut') return before
  if (kind === 'double') return Buffer.concat([before, after.subarray(0, size), after])
  if (kind === 'drop') return Buffer.concat([before, after.subarray(size)])
  const changed = Buffer.from(bytes)
  changed[place] = (changed[place] ?? 0) ^ (1 << (size % 8))
  return changed
}

/** One to three requests on a connection, spoilt here and there, and in how many parts they are sent. */
const conversation = fc
  .record({
    requests: fc.array(fc.constantFrom(...SOUND), { minLength: 1, maxLength: 3 }),
    spoilings: fc.array(spoiling, { maxLength: 3 }),
    cuts: fc.array(fc.nat({ max: 9999 }), { maxLength: 5 }),
  })
  .map(({ requests, spoilings, cuts }) => {
    const bytes = spoilings.reduce(spoilt, Buffer.concat(requests))
    const places = cuts.map((cut) => Math.floor((cut / 10_000) * bytes.length)).sort((a, b) => a - b)
    return [...places, bytes.length].map((end, i) =>
      bytes.subarray(places[i - 1] ?? 0, end).toString('latin1'),
    )
  })

test('anything sent over a connection is answered in the documented form', {
  timeout: 240_000,
}, async () => {
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(conversation, async (parts) => {
      for (const answer of answersIn(await talk(parts, true))) {
        statuses.add(answer.status)
        expect([200, 400, 401, 404, 405, 408, 413, 417, 431]).toContain(answer.status)
        if (answer.status !== 200) expectRefusal(answer)
      }
    }),
    { numRuns: 5000 },
  )
  // Noise must have hit some requests, but not all.
  for (const status of [200, 400, 401, 404, 417, 431]) expect(statuses).toContain(status)
  await expectAlive()
})

test.each([
  ['a Host that looks like an address and is none', ['GET / HTTP/1.1', 'Host: 1.2.3.4.5'], '', [400]],
  ['the same for the control interface', ['GET /__sandbox/status HTTP/1.1', 'Host: .1'], '', [400]],
  [
    'a promise to wait, behind another request',
    [
      'GET /integration/v1/x HTTP/1.1',
      'Host: x',
      '',
      'POST / HTTP/1.1',
      'Expect: 100-continue',
      'Content-Length: 2',
    ],
    '{}',
    [404, 400],
  ],
])('fuzzing found: %s', async (_, head, body, expected) => {
  const answers = answersIn(await talk([lines(...head), Buffer.from(body)], true))
  expect(valuesOf(answers, 'status')).toEqual(expected)
  for (const answer of answers) expectRefusal(answer)
})

test('clients that stop in the middle are disconnected, while others are served', async () => {
  const unfinished = SOUND.filter((bytes) => !/Expect|CONNECT|PRI/.test(bytes.toString('latin1')))
  const talks = times(80, (i) => {
    const bytes = unfinished[i % unfinished.length] ?? Buffer.alloc(0)
    return talk([bytes.subarray(0, 1 + ((i * 37) % (bytes.length - 1)))], false)
  })
  await expectAlive()
  for (const reply of await Promise.all(talks)) {
    const codes = answersIn(reply).map(expectRefusal)
    expect(codes).toEqual(['RQ02'])
  }
})

test('a thousand pipelined requests get a thousand answers in order', async () => {
  const names = returns.slice(0, 10).map(({ id }) => id ?? '')
  const requests = times(1000, (i) =>
    lines(
      `GET /integration/v1/returns/${names[i % 10]} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${sandbox.issueToken()}`,
      ...(i === 999 ? ['Connection: close'] : []),
    ),
  )
  const answers = answersIn(await talk([Buffer.concat(requests)], false))
  expect(answers.map(({ text }) => JSON.parse(text).id)).toEqual(requests.map((_, i) => names[i % 10]))
})

test('the server survives many oversized bodies at once', async () => {
  const megabyte = Buffer.alloc(1024 * 1024, 0x20)
  const chunk = Buffer.concat([Buffer.from('100000\r\n'), megabyte, Buffer.from('\r\n')])
  const talks = times(8, (i) =>
    i % 2 === 0
      ? talk([lines(...post('/pudos', 'Transfer-Encoding: chunked')), ...Array<Buffer>(12).fill(chunk)], true)
      : talk(
          [lines(...post('/pudos', 'Content-Length: 12582912')), ...Array<Buffer>(12).fill(megabyte)],
          true,
        ),
  )
  const replies = await Promise.all(talks)
  expect(replies.some((reply) => reply.length > 0)).toBe(true)
  for (const reply of replies) {
    // A client that sends on regardless may have its connection cut before it listens.
    for (const answer of answersIn(reply))
      expect([answer.status, expectRefusal(answer)]).toEqual([413, 'RQ03'])
  }
  await expectAlive()
})

test('the control interface answers anything in the documented form', {
  timeout: 120_000,
}, async () => {
  const fault = { route: 'GET /returns*', kind: 'late', rate: 0.5, count: 3, after: 1, seed: 7, delayMs: 5 }
  const document = fc.constantFrom(
    fault,
    [fault],
    {
      faults: [
        { ...fault, id: 'a' },
        { ...fault, id: 'b' },
      ],
    },
    { ...fault, kind: '429', delayMs: undefined, retryAfter: 3, retryAfterForm: 'date' },
    { ...fault, kind: 'schema-drift', delayMs: undefined, drift: 'renamed', field: 'returns.customer.email' },
  )
  const body = fc.oneof(
    { weight: 2, arbitrary: document.map((value) => JSON.stringify(value)) },
    { weight: 5, arbitrary: bent(document) },
    { weight: 1, arbitrary: rubbish(document) },
  )
  const part = fc.oneof(fc.constantFrom(...ODD_TEXTS.filter((text) => text.length < 1000)), fc.string())
  const encoded = part.map((text) => encodeURIComponent(Buffer.from(text).toString()))
  const path = fc.oneof(
    fc.constantFrom('/status', '/faults', '/faults', '/faults', '/faults/a', '/requests', '/resets', '', '/'),
    fc
      .tuple(fc.constantFrom('last', 'after', 'status', 'route', 'x'), encoded)
      .map(([name, value]) => `/requests?${name}=${value}`),
    encoded.map((id) => `/faults/${id}`),
  )
  const method = fc.constantFrom('GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'POST', 'PUT')
  const token = fc.constantFrom(
    ...Array<string>(9).fill(`Bearer ${listener.controlToken}`),
    authorization,
    'Bearer',
  )
  const statuses = new Set<number>()
  await fc.assert(
    fc.asyncProperty(method, path, token, body, async (verb, target, bearer, content) => {
      const bytes = Buffer.from(content)
      const head = [
        `${verb} /__sandbox${target} HTTP/1.1`,
        'Host: x',
        `Authorization: ${bearer}`,
        'Connection: close',
      ]
      const reply = await talk([lines(...head, `Content-Length: ${bytes.length}`), bytes], false)
      const [answer, ...more] = answersIn(reply)
      if (answer === undefined) throw new Error('There is no answer')
      expect(more).toEqual([])
      statuses.add(answer.status)
      expect([200, 400, 401, 404, 405]).toContain(answer.status)
      if (answer.status === 200) expect(JSON.parse(answer.text)).toBeTypeOf('object')
      else expectRefusal(answer)
    }),
    { numRuns: 2000 },
  )
  expect([...statuses].sort()).toEqual([200, 400, 401, 404, 405])
  for (const wrong of [
    '{"returns":-1}',
    '{"returns":1e999}',
    '{"seed":"1"}',
    '{"seed":0.5}',
    '[]',
    '{',
    '"\\0"',
  ]) {
    const head = [
      'POST /__sandbox/reset HTTP/1.1',
      'Host: x',
      `Authorization: Bearer ${listener.controlToken}`,
    ]
    const sized = lines(...head, 'Connection: close', `Content-Length: ${wrong.length}`)
    const [answer] = answersIn(await talk([sized, Buffer.from(wrong)], false))
    expect(answer && [wrong, answer.status, expectRefusal(answer)]).toEqual([wrong, 400, 'VA01'])
  }
  await sandbox.faults.clear()
  expect((await allReturns()).length).toBe(returns.length)
  await expectAlive()
})
