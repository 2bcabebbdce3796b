import { statSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ANSWER_FAULTS, blanksBehindGzip } from '../helpers/answer-faults.ts'
import { ended, succeeded, typed } from '../helpers/command-line.ts'
import { type Command, tried } from '../helpers/faulty-platform.ts'
import { newFolder } from '../helpers/files.ts'
import { labelRequest } from '../helpers/label-service.ts'
import { caFile, leafTls } from '../helpers/leaf-tls.ts'
import { expectWithinLimits, measuredCli } from '../helpers/measured-cli.ts'
import { rawServer } from '../helpers/raw-server.ts'
import { listening } from '../helpers/script-server.ts'
import { shell, spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

/** A service whose answers to one method are these gzipped bytes; every other request is told that nothing is there. */
async function service(method: string, zipped: Buffer) {
  const posts: string[] = []
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') posts.push(request.url ?? '')
    request.resume()
    if (request.method === method) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' })
      response.end(zipped)
    } else {
      response
        .writeHead(404)
        .end(JSON.stringify({ errors: [{ code: 'LB03', message: 'none' }], status: 404 }))
    }
  })
  const port = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${port}`, posts }
}

async function measured(url: string, argv: string[], stdin?: string) {
  const env = { RMA_BASE_URL: url, RMA_TOKEN: 't', RMA_RETRIES: '0' }
  const result = await measuredCli([...argv, '--json'], env, { stdin })
  const error = result.stderr.split('\n').find((line) => line.startsWith('{"error"'))
  return { ...result, error: error === undefined ? undefined : JSON.parse(error).error }
}

const levels = (count: number) => gzipSync(`${'['.repeat(count)}${']'.repeat(count)}`)
const values = gzipSync(`{"returns":[],"x":[${'{},'.repeat(20_000_000)}{}]}`, { level: 1 })

describe('a sample of docs/reliability.md on the built command', () => {
  const names = [
    '101 Switching Protocols',
    'reset before any answer',
    '503 with a page',
    'not gzip as it says',
  ]
  const faults = ANSWER_FAULTS.filter(({ name }) => names.includes(name))
  const commands: Command[] = [
    'rma tracking push RETURN',
    'rma tracking push --file FILE',
    'rma labels create',
    'rma labels update',
  ]

  // Each command and each fault once: test/system/reliability-page.test.ts tries all pairs on the same code.
  it.each(
    commands.map((command, at) => ({ command, fault: faults[at] ?? expect.fail(), name: faults[at]?.name })),
  )('$command: $name that was carried out is sent once, exit 0', async ({ command, fault }) => {
    const seen = await tried(command, fault, 'done', (argv, env) => spawnCli(argv, { env: spawnEnv(env) }))
    expect(seen).toMatchObject({ sent: 1, effects: 1, code: 0 })
  })

  it('101 as the answer to a read is exit 8', async () => {
    const server = await rawServer((_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n')
    })
    onTestFinished(server.close)
    const { error } = ended(await measured(server.baseUrl, ['returns', 'list']), 8)
    expect(error?.message).toEqual(expect.stringContaining('another protocol'))
  })
})

it.each([
  ['600 MB of blanks behind 600 kB', blanksBehindGzip, /larger than 64 MiB/],
  ['20,000,000 levels', () => levels(20_000_000), /deeper than 1000 levels/],
  ['20,000,000 objects', () => values, /more than 500000 values/],
])(
  'an answer to a read with %s ends with 8, soon and without much memory',
  async (_name, zipped, message) => {
    const { url } = await service('GET', zipped())
    const result = await measured(url, ['returns', 'list'])
    const { code, error } = result
    expect([code, error]).toMatchObject([8, { kind: 'contract', message: expect.stringMatching(message) }])
    expectWithinLimits(result)
  },
)

it('60 MB in answer to a look for labels is above their limit: exit 8', async () => {
  const { url } = await service('GET', gzipSync(Buffer.alloc(60_000_000, ' '), { level: 1 }))
  const result = await measured(url, ['labels', 'get', 'SHP-1'])
  const { code, error } = result
  expect([code, error?.message]).toEqual([8, expect.stringContaining('larger than 48 MiB')])
  expectWithinLimits(result)
})

it('600 MB of blanks in answer to a write cause one POST and a look: exit 10', async () => {
  const { url, posts } = await service('POST', blanksBehindGzip())
  const out = join(newFolder(), 'labels')
  const stdin = JSON.stringify(labelRequest('SHP-1'))
  const result = await measured(url, typed`labels create --from - --out ${out}`, stdin)
  const { code, error } = result
  expect([code, posts]).toEqual([10, ['/shipping_labels']])
  expect(error).toMatchObject({ kind: 'unknown', message: expect.stringContaining('larger than 48 MiB') })
  expectWithinLimits(result)
})

describe('an answer of 60 MB within the limits', () => {
  let zipped: Buffer | undefined
  /** One character that is not Latin makes its string take two bytes a character. */
  function longAnswer() {
    const text = 'x'.repeat(1200)
    const lines = times(100, (at) => ({ sku: `S-${at}`, quantity: 1, text }))
    const returns = times(500, (at) => ({ id: `€${at}`, name: `R#-${at}`, lines }))
    const body = JSON.stringify({ returns, pageInfo: { totalRecords: 500, totalPages: 1 } })
    expect(body.length).toBeGreaterThan(60_000_000)
    return gzipSync(body, { level: 1 })
  }

  async function platform() {
    zipped ??= longAnswer()
    const { url } = await service('GET', zipped)
    return { RMA_BASE_URL: url, RMA_TOKEN: 't' }
  }

  it.each(['| cat', '>file'])('a list of 60 MB is printed in 400 MiB (%s)', async (target) => {
    const file = join(newFolder(), 'returns.json')
    const script = `rma returns list --all --json ${target.replace('file', file)}`
    const result = succeeded(await measuredCli(script, await platform()))
    const { size } = statSync(file, { throwIfNoEntry: false }) ?? { size: result.stdout.length }
    expect(size).toBeGreaterThan(60_000_000)
    expectWithinLimits(result)
  })

  it('printing to a file ends soon after an interrupt', async () => {
    const file = join(newFolder(), 'returns.json')
    const env = spawnEnv(await platform())
    let isInterrupted = false
    const running = shell(`exec "$NODE_BIN" "$RMA_BIN" returns list --all --json >${file}`, {
      env,
      onStart: async (child) => {
        while ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) === 0) await setTimeout(5)
        isInterrupted = child.kill('SIGINT')
      },
    })
    ended(await running, 130)
    expect(isInterrupted).toBe(true)
    expect(statSync(file).size).toBeLessThan(50_000_000)
  })
})

/** 40 pages of 500 records; each is made once. */
const pages: Buffer[] = []
function pageOf(page: number) {
  const text = 'x'.repeat(4000)
  const id = (at: number) => `${page}-${at}`
  const returns = times(500, (at) => ({ id: id(at), name: `R#-${id(at)}`, text }))
  const pageInfo = { totalRecords: 20_000, totalPages: 40 }
  pages[page] ??= Buffer.from(JSON.stringify({ returns, pageInfo }))
  return pages[page]
}

it.each([
  ['-o ndjson', typed`-o ndjson`],
  ['-o ndjson and --jq', typed`-o ndjson --jq 'select(.status == "none") | .name'`],
])('20,000 records of 4 kB take less than 170 MiB with %s', async (_name, flags) => {
  const server = http.createServer((request, response) => {
    response.end(pageOf(Number(new URL(request.url ?? '', 'http://localhost').searchParams.get('page'))))
  })
  const port = await listening(server)
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = { RMA_BASE_URL: `http://127.0.0.1:${port}`, RMA_TOKEN: 't' }
  const result = succeeded(await measuredCli(typed`returns list --all ${flags}`, env))
  expect(result.peakMib).toBeLessThan(170)
})

/** Label of 47 MiB, made by the first test of it. */
let largeLabel: Buffer | undefined
function gzippedLabel() {
  const label = () => ({ base64: 'QUJD'.repeat(47 * 2 ** 18 - 100) })
  const sets = () => JSON.stringify([{ clientShipmentId: 'SHP-1', shippingLabels: [label()] }])
  largeLabel ??= gzipSync(sets(), { level: 1 })
  return largeLabel
}

it.each(['json', 'ndjson', 'yaml'])('a label of 47 MiB is printed in 400 MiB as %s', async (format) => {
  const { url } = await service('GET', gzippedLabel())
  const env = { RMA_BASE_URL: url, RMA_TOKEN: 't' }
  const result = succeeded(await measuredCli(typed`labels get SHP-1 -o ${format}`, env))
  expect(result.stdout.length).toBeGreaterThan(47 * 2 ** 20 - 400)
  expectWithinLimits(result)
})

it('a file of 255 MiB behind a label URL is streamed to the disk', async () => {
  const [piece, pieces] = [Buffer.alloc(2 ** 20, '%PDF-1.4 '), 255]
  const files = https.createServer(leafTls, (_request, response) => {
    Readable.from(times(pieces, () => piece)).pipe(response)
  })
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    files.closeAllConnections()
    files.close()
  })
  const link = `https://127.0.0.1:${(files.address() as AddressInfo).port}/label`
  const set = { clientShipmentId: 'SHP-1', shippingLabels: [{ url: link }] }
  const { url } = await service('GET', gzipSync(JSON.stringify([set])))
  const out = newFolder()
  const trust = typed`--ca-file ${caFile} --label-host 127.0.0.1`
  const result = succeeded(await measured(url, typed`labels download SHP-1 --out ${out} ${trust}`))
  expect(statSync(join(out, 'SHP-1.pdf')).size).toBe(pieces * piece.length)
  // Far less than the file.
  expect(result.peakMib).toBeLessThan(200)
})
