import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { connect } from '../../src/lib/sandbox/store/open.ts'
import { Statements } from '../../src/lib/sandbox/store/snapshot.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import { bundleProgram } from '../helpers/bundle-program.ts'
import { typed } from '../helpers/command-line.ts'
import { jsonFile, newFolder } from '../helpers/files.ts'
import { NOW, testSandbox } from '../helpers/sandbox-client.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

const folder = newFolder()
const program = await bundleProgram(
  'durability',
  `openSandbox({ file: process.argv[2] }).then(async (sandbox) => {
      const { baseUrl } = await sandbox.listen({ host: '127.0.0.1', port: 0 })
      process.on('message', () => process.exit())
      process.send({ baseUrl, token: await sandbox.issueToken() })
    })`,
)

const agent = new Agent({ keepAlive: true })

/** Status of the answer; rejects if there is none. */
function post(url: string, token: string, body: object) {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const call = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode ?? 0))
      response.on('error', reject)
    })
    call.on('error', reject)
    call.end(JSON.stringify(body))
  })
}

test('each update is synced to the disk before it is answered', async () => {
  const file = join(folder, 'synced.db')
  const first = await testSandbox({ file, returns: 30 })
  const [shipment] = (await first.allReturns()).filter(
    ({ activeTransportation: t }) => t?.status === 'REQUESTED',
  )
  first.sandbox.close()
  const execArgv = typed`--trace-event-categories node.fs.async`
  const child = fork(program, [file], { execArgv, cwd: folder })
  const [{ baseUrl, token }] = await once(child, 'message')
  const body = {
    shopCode: shipment?.shopCode,
    shipmentId: shipment?.name,
    trackingStatus: 'SHIPPING_IN_PROGRESS',
  }
  for (let i = 0; i < 3; i++) {
    const trackingDate = new Date(NOW + i * 1000).toISOString()
    expect(await post(`${baseUrl}/shipping_trackings`, token, { ...body, trackingDate })).toBe(200)
  }
  child.send('end')
  await once(child, 'exit')
  const { traceEvents } = jsonFile(join(folder, 'node_trace.1.log'))
  const syncs = traceEvents.filter(
    ({ name, ph }: { name: string; ph: string }) => name === 'fdatasync' && ph === 'e',
  )
  expect(syncs).toHaveLength(3)
})

test('a server killed while it writes has lost no acknowledged update', async () => {
  const file = join(folder, 'killed.db')
  const first = await testSandbox({ file, returns: 600 })
  const shipments = (await first.allReturns()).filter(
    ({ activeTransportation: t }) => t?.status === 'REQUESTED' || t?.status === 'SHIPPING_IN_PROGRESS',
  )
  first.sandbox.close()
  const date = (i: number) => new Date(NOW + i * 1000).toISOString()
  const acknowledged: { record: Return; date: string }[] = []
  let next = 0

  for (const killAfter of [40, 500, 900]) {
    const child = fork(program, [file])
    const [{ baseUrl, token }] = await once(child, 'message')
    const work = async () => {
      for (;;) {
        const i = next++
        const record = shipments[i % shipments.length]
        if (record === undefined) return
        const body = {
          shopCode: record.shopCode,
          shipmentId: record.name,
          trackingStatus: 'SHIPPING_IN_PROGRESS',
          trackingDate: date(i),
        }
        expect(await post(`${baseUrl}/shipping_trackings`, token, body)).toBeLessThan(500)
        acknowledged.push({ record, date: date(i) })
        if (acknowledged.length >= killAfter) child.kill('SIGKILL')
      }
    }
    const results = await Promise.allSettled(times(16, work))
    // All of them end because nobody answers any more.
    expect(valuesOf(results, 'status')).not.toContain('fulfilled')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  }
  agent.destroy()

  const later = await testSandbox({ file })
  const known = new Map<string, string[]>()
  for (const record of new Set(valuesOf(acknowledged, 'record'))) {
    const events = (await later.transportsOf(record)).flatMap(({ trackingEvents }) => trackingEvents ?? [])
    known.set(
      record.name,
      events.map(({ date }) => String(date).replace(' ', 'T').replace('Z', '.000Z')),
    )
  }
  later.sandbox.close()
  expect(acknowledged.length).toBeGreaterThanOrEqual(900)
  const missing = acknowledged.filter(({ record, date }) => !known.get(record.name)?.includes(date))
  expect(missing).toEqual([])
  for (const dates of known.values()) expect(new Set(dates).size).toBe(dates.length)
  const db = await connect(file)
  expect(new Statements(db).all<{ integrity_check: string }>('PRAGMA integrity_check')).toEqual([
    { integrity_check: 'ok' },
  ])
  db.close()
})
