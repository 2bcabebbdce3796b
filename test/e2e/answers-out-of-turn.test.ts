import { readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { jsonOf, ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { label } from '../helpers/label-service.ts'
import { httpAnswer, rawServer } from '../helpers/raw-server.ts'
import { pageOf } from '../helpers/script-server.ts'
import { spawnCli, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

const ROWS = 120
const DATE = '2026-03-02T10:00:00Z'
const json = (status: number, body: unknown) =>
  httpAnswer(status, JSON.stringify(body), ['Content-Type: application/json'])

/** When the answer that nobody asked for comes, seen from the one to a request. */
type Extra = 'in one piece' | 'at once' | 'some milliseconds later' | 'before it in one piece'

const EXTRAS: readonly Extra[] = ['in one piece', 'at once', 'some milliseconds later']

async function sendBoth(socket: Socket, real: Buffer, other: Buffer, extra: Extra, laterMs: number) {
  if (extra === 'before it in one piece') return void socket.write(Buffer.concat([other, real]))
  if (extra === 'in one piece') return void socket.write(Buffer.concat([real, other]))
  socket.write(real)
  if (extra === 'at once') return void setImmediate(() => socket.write(other))
  await delay(laterMs)
  socket.write(other)
}

/** Refuses every seventh update. With each n-th answer another one comes, which says the opposite. */
async function jumbledPlatform(extra: Extra, says: (name: string) => string, answersInMs: number, each = 20) {
  const taken = new Set<string>()
  const sockets = new Set<Socket>()
  let answers = 0
  const look = (path: string, name: string) => {
    const isTaken = taken.has(name)
    const transport = { id: 't', status: isTaken ? 'SHIPPING_IN_PROGRESS' : 'REQUESTED' }
    const trackingEvents = isTaken ? [{ status: 'SHIPPING_IN_PROGRESS', date: DATE, applied: true }] : []
    if (path.endsWith('/transportations'))
      return json(200, { transportations: [{ ...transport, trackingEvents }] })
    const record = { id: name.replace('R#', 'id'), name, shopCode: 'S', activeTransportation: transport }
    return json(200, pageOf([record]))
  }
  const answerTo = (isRefused: boolean, name: string) =>
    isRefused
      ? json(400, { errors: [{ code: 'TR02', message: `no ${says(name)}` }] })
      : json(200, { statusCode: 'OK', description: `taken ${says(name)}` })
  const server = await rawServer(async ({ method, path, query, body }, socket) => {
    sockets.add(socket)
    const asked = query.get('name') ?? path.split('/')[2]?.replace('id-', 'R#-') ?? ''
    if (method === 'GET') return void socket.write(look(path, asked))
    const { shipmentId } = JSON.parse(body)
    const number = Number(shipmentId.slice(3))
    await delay(answersInMs + (number % 5))
    const isRefused = number % 7 === 0
    if (!isRefused) taken.add(shipmentId)
    const real = answerTo(isRefused, shipmentId)
    answers += 1
    const laterMs = answersInMs / 2 + ((answers / each) % 6)
    if (answers % each === 0) await sendBoth(socket, real, answerTo(!isRefused, 'R#-9999'), extra, laterMs)
    else socket.write(real)
  })
  onTestFinished(() => server.close())
  return { ...server, taken, sockets, answers: () => answers }
}

// An extra answer that names nothing is told by its coming while the connection rests, which is as long as requests take.
describe.each<[string, (name: string) => string, number]>([
  ['names the return', (name) => name, 0],
  ['names nothing', () => '', 40],
])('a server of which an answer %s', (_, says, answersInMs) => {
  it.each<Extra>(EXTRAS)(
    'a platform that sends unrequested answers %s gives no row the answer of another',
    async (extra) => {
      const platform = await jumbledPlatform(extra, says, answersInMs)
      const file = join(newFolder(), 'scans.csv')
      const names = times(ROWS, (at) => `R#-${1000 + at}`)
      const lines = names.map((name) => `${name},SHIPPING_IN_PROGRESS,${DATE}`)
      writeFileSync(file, ['shipmentId,trackingStatus,trackingDate', ...lines].join('\n'))
      const { code, stdout, stderr } = await spawnCli(
        typed`tracking push --file ${file} -o ndjson --max-failures 100% --concurrency 2`,
        { env: spawnEnvAt(platform.baseUrl) },
      )
      const rows = ndjson(stdout)
      const truth = (key: string) => (platform.taken.has(key) ? 'succeeded' : 'failed')
      expect(rows.filter(({ key, status }) => status !== truth(key) && status !== 'unknown')).toEqual([])
      expect([code, rows.length, stderr]).toEqual([9, ROWS, expect.any(String)])
      expect(platform.answers()).toBeGreaterThanOrEqual(ROWS)
      // After the first such answer each request has a connection of its own.
      expect(platform.sockets.size).toBeGreaterThan(ROWS / 2)
      expect(rows.filter(({ status }) => status === 'unknown')).toEqual([])
    },
    60_000,
  )
})

it('an answer that arrives together with another is ignored, even if it is the first', async () => {
  const { baseUrl, taken } = await jumbledPlatform('before it in one piece', () => '', 0, 1)
  const push = typed`tracking push R#-1002 --status SHIPPING_IN_PROGRESS --date ${DATE} --json`
  expect([jsonOf(succeeded(await spawnCli(push, { env: spawnEnvAt(baseUrl) }))), [...taken]]).toMatchObject([
    { statusCode: 'OK' },
    ['R#-1002'],
  ])
})

it.each<Extra>(EXTRAS)(
  'a server that sends unrequested labels %s has none saved under another name',
  async (extra) => {
    const ids = times(ROWS, (at) => `SHP-${at}`)
    const content = (id: string) => Buffer.from(`%PDF-1.4\n%${id}\n`)
    const setOf = (id: string) =>
      json(200, [{ clientShipmentId: id, shippingLabels: [label(content(id), id)] }])
    let answers = 0
    const server = await rawServer(async ({ query }, socket) => {
      const real = setOf(query.get('client_shipment_id') ?? '')
      answers += 1
      if (answers % 20 === 0) await sendBoth(socket, real, setOf('SHP-9999'), extra, (answers / 20) % 6)
      else socket.write(real)
    })
    onTestFinished(() => server.close())
    const folder = newFolder()
    const file = join(folder, 'ids.txt')
    writeFileSync(file, ids.join('\n'))
    succeeded(
      await spawnCli(typed`labels download --file ${file} --out ${join(folder, 'labels')} --concurrency 2`, {
        env: spawnEnvAt(server.baseUrl),
      }),
    )
    const saved = ids.map((id) => readFileSync(join(folder, 'labels', `${id}.pdf`), 'utf8'))
    expect(saved).toEqual(ids.map((id) => content(id).toString()))
  },
  60_000,
)
