import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { harWriter } from '../../../../src/lib/api/trace/har.ts'
import { expectPrivate, jsonFile, newFolder, textFile } from '../../../helpers/files.ts'
import type { Answer } from '../../../helpers/script-server.ts'
import { scriptServer } from '../../../helpers/script-server.ts'
import { testHttp } from '../../../helpers/test-http.ts'

type HarWriter = ReturnType<typeof harWriter>

let file: string
beforeEach(() => {
  file = join(newFolder(), 'trace.har')
})

const readHar = () => jsonFile(file)

const CREATOR = { name: 'rma-cli', version: '1.2.3' }

function open() {
  const writer = harWriter(file, CREATOR, expect.unreachable)
  onTestFinished(() => writer.close())
  return writer
}

async function trace(writer: HarWriter, answers: Answer[], body?: unknown) {
  const server = await scriptServer(answers)
  const http = testHttp(server.baseUrl, { retries: 1, token: 'secret-token', observers: [writer] })
  const method = body === undefined ? 'GET' : 'POST'
  await http
    .request({ method, path: '/returns', query: { name: 'R#-1', email: 'a@b.co' }, body })
    .catch(() => {})
}

/** The members that the HAR 1.2 format requires of an entry, and their types. */
const text = expect.any(String)
const number = expect.any(Number)
const ENTRY = {
  startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  time: number,
  request: {
    method: text,
    url: text,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: expect.any(Array),
    queryString: expect.any(Array),
    headersSize: number,
    bodySize: number,
  },
  response: {
    status: number,
    statusText: text,
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: expect.any(Array),
    content: { size: number, mimeType: text, text },
    redirectURL: text,
    headersSize: number,
    bodySize: number,
  },
  cache: {},
  timings: {
    blocked: number,
    dns: number,
    connect: number,
    ssl: number,
    send: number,
    wait: number,
    receive: number,
  },
  comment: text,
}

it('harWriter writes entries as HAR 1.2 has them, masked', async () => {
  await trace(open(), [
    { fault: 'reset' },
    { body: { email: 'a@b.co', id: 'x1' }, headers: { 'set-cookie': 'sid=1' } },
  ])
  const { log } = readHar()
  expect(log).toMatchObject({ version: '1.2', creator: { name: 'rma-cli', version: '1.2.3' } })
  expect(log.entries).toEqual([ENTRY, ENTRY])
  const [failed, done] = log.entries
  expect(failed).toMatchObject({ response: { status: 0 }, comment: expect.stringContaining('ECONNRESET') })
  expect(done.request.queryString).toEqual([
    { name: 'name', value: 'R#-1' },
    { name: 'email', value: '***' },
  ])
  expect(done.request.headers).toContainEqual({ name: 'authorization', value: 'Bearer ***' })
  expect(done.response).toMatchObject({
    status: 200,
    content: { text: '{"email":"***","id":"x1"}', size: 28 },
  })
  for (const { send, wait, receive } of [failed.timings, done.timings]) {
    expect(Math.min(send, wait, receive)).toBeGreaterThanOrEqual(0)
  }
  expect(textFile(file)).not.toMatch(/secret-token|a@b|sid=1/)
})

it('harWriter shows what was posted', async () => {
  await trace(open(), [{ body: {} }], { shopCode: 'acme', phone: '+34600' })
  expect(readHar().log.entries[0].request).toMatchObject({
    bodySize: 36,
    postData: { mimeType: 'application/json', params: [], text: '{"shopCode":"acme","phone":"***"}' },
  })
})

it('a HAR file is complete after each entry, and before the first', async () => {
  const writer = open()
  expect(readHar().log.entries).toEqual([])
  for (const count of [1, 2, 3]) {
    await trace(writer, [{ body: { count } }])
    expect(readHar().log.entries).toHaveLength(count)
  }
})

it('harWriter cuts long bodies and says so', async () => {
  await trace(open(), [{ body: ['y '.repeat(500_050)] }])
  const { content } = readHar().log.entries[0].response
  expect(content.text).toHaveLength(1_000_000)
  expect(content.comment).toBe('cut at 1000000 of 1000104 characters')
})

it('a HAR file replaces an older one, readable by the user only', () => {
  writeFileSync(file, 'z'.repeat(10_000))
  chmodSync(file, 0o644)
  open()
  expect(readHar().log.entries).toEqual([])
  expectPrivate(file)
})

it('harWriter says when the file can not be written', () => {
  expect(() => harWriter('/nowhere/x.har', CREATOR, expect.unreachable)).toThrow(
    expect.objectContaining({ kind: 'usage', message: expect.stringContaining('/nowhere/x.har') }),
  )
})
