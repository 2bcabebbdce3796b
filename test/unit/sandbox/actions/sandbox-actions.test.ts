import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { advanceClock } from '../../../../src/lib/sandbox/actions/sandbox-actions.ts'
import { Store } from '../../../../src/lib/sandbox/store/store.ts'
import { leadsTo, RETURN_STATUSES } from '../../../../src/lib/wire/enumerations.ts'
import type { Refund } from '../../../../src/lib/wire/refunds.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import type { Transportation } from '../../../../src/lib/wire/transportations.ts'
import { newFolder } from '../../../helpers/files.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { clientOf, NOW, testSandbox } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

const DAY = 86_400
const folder = newFolder()

interface Life {
  record: Return
  transports: Transportation[]
  refunds: Refund[]
}
type Client = ReturnType<typeof clientOf>

async function livesOf(client: Client) {
  const lives = new Map<string, Life>()
  for (const listed of await client.allReturns()) {
    const record = (await client.request(`/returns/${listed.id}`)).body
    // Only what differs: an assertion of 2,400 records takes as long as reading them.
    if (JSON.stringify(listed) !== JSON.stringify(record)) expect(listed).toEqual(record)
    lives.set(record.name, {
      record,
      transports: await client.transportsOf(record),
      refunds: await client.refundsOf(record),
    })
  }
  return lives
}

/** For each mode of refunds that parcels and time have to do with, whether its moment has come. */
function dueModes({ transports }: Life): Record<string, boolean> {
  const scans = new Set(transports.flatMap((t) => valuesOf(t.trackingEvents ?? [], 'status')))
  const isIn = scans.has('SHIPPING_COMPLETED')
  return {
    DROP_OFF: isIn || scans.has('PICK_UP_COMPLETED') || scans.has('SHIPPING_IN_PROGRESS'),
    SHIPPING_IN_PROGRESS: isIn || scans.has('SHIPPING_IN_PROGRESS'),
    SHIPPING_COMPLETED: isIn,
    POST_VALIDATION: false,
    MANUAL: false,
  }
}

describe('a month', async () => {
  const client = await testSandbox({ returns: 1200 })
  const before = await livesOf(client)
  const cpuBefore = process.cpuUsage()
  const happened = await client.sandbox.control.advance(30 * DAY)
  const cpuMs = process.cpuUsage(cpuBefore).user / 1000
  // The token of then has expired.
  const after = await livesOf(clientOf(client.sandbox))
  const changed = [...after.values()].filter(
    ({ record }) => record.updatedAt !== before.get(record.name)?.record.updatedAt,
  )
  const beforeOf = ({ record }: Life) => before.get(record.name) ?? expect.unreachable()

  test('a month passes in less than two seconds of CPU time', () => expect(cpuMs).toBeLessThan(2000))

  test('a move of the clock returns the counts of what changed', () => {
    const added = (count: (life: Life) => number) =>
      changed.reduce((sum, life) => sum + count(life) - count(beforeOf(life)), 0)
    const events = added(({ transports }) => transports.flatMap((t) => t.trackingEvents ?? []).length)
    const refunds = added((life) => life.refunds.filter(({ status }) => status === 'EXECUTED').length)
    const expired = added(({ record }) => Number(record.status === 'EXPIRED'))
    expect(happened).toEqual({
      now: '2026-05-15T12:00:00.000Z',
      returns: changed.length,
      events,
      refunds,
      expired,
    })
    for (const count of [changed.length, events, refunds, expired]) expect(count).toBeGreaterThan(5)
  })

  test('a month delivers parcels, and leaves alone what waits for people', () => {
    const becomes = new Map<string, number>()
    for (const life of changed) {
      const way = `${beforeOf(life).record.status} ${life.record.status}`
      becomes.set(way, (becomes.get(way) ?? 0) + 1)
    }
    // Stuck on its way, with a scan or another attempt in between.
    becomes.delete('RECEPTION_IN_PROGRESS RECEPTION_IN_PROGRESS')
    becomes.delete('PENDING RECEPTION_IN_PROGRESS')
    becomes.delete('PENDING PENDING')
    expect([...becomes.keys()].sort()).toEqual([
      'PENDING EXPIRED',
      'PENDING RECEPTION_COMPLETED',
      'RECEPTION_IN_PROGRESS RECEPTION_COMPLETED',
    ])
    const open = ({ record }: Life) => record.status === 'PENDING'
    const stillOpen = [...after.values()].filter(open).length
    expect(stillOpen).toBeLessThan([...before.values()].filter(open).length / 3)
  })

  test('a move of the clock does not find parcels that were lost long ago', () => {
    const lost = [...before.values()].filter(
      ({ record, transports }) =>
        record.status === 'RECEPTION_IN_PROGRESS' && String(transports.at(-1)?.updatedAt) < '2026-03-15 12',
    )
    expect(lost.length).toBeGreaterThan(2)
    for (const life of lost) expect(after.get(life.record.name)).toEqual(life)
  })

  test('a move adds only events of that month, in order, along the states', () => {
    for (const life of changed) {
      const known = beforeOf(life).transports.flatMap((t) => t.trackingEvents ?? []).length
      const events = life.transports.flatMap((t) => t.trackingEvents ?? [])
      let last = '2026-04-15 12:00:00Z'
      for (const { receivedAt, date } of events.slice(known)) {
        expect(String(receivedAt) > last).toBe(true)
        expect(String(date) <= String(receivedAt)).toBe(true)
        last = String(receivedAt)
      }
      expect(last <= '2026-05-15 12:00:00Z').toBe(true)
      for (const { status, trackingEvents } of life.transports) {
        const states = ['REQUESTED', ...(trackingEvents ?? []).map((event) => String(event.status))]
        const isPath = states.slice(1).every((state, i) => leadsTo(states[i], state))
        expect([states, isPath]).toEqual([states, true])
        expect(states.at(-1)).toBe(status)
      }
      expect(life.record.updatedAt).toBe(life.transports.at(-1)?.updatedAt)
    }
  })

  test('a move executes refunds by their mode, and drops those of expired returns', () => {
    let [executed, expired] = [0, 0]
    for (const life of changed) {
      const due = dueModes(life)
      for (const { refundMode, status } of life.refunds) {
        const isDue = due[String(refundMode)]
        if (isDue === undefined || status === 'FAILED') continue
        expect([refundMode, status]).toEqual([refundMode, isDue ? 'EXECUTED' : 'PENDING'])
        executed += Number(isDue)
      }
      if (life.record.status === 'EXPIRED') {
        expired += 1
        expect(life.refunds.filter(({ status }) => status === 'PENDING')).toEqual([])
        expect(String(life.record.activeTransportation?.status)).toMatch(/CANCELLED|FAILED/)
      }
    }
    expect(executed).toBeGreaterThan(5)
    expect(expired).toBeGreaterThan(0)
  })
})

test('no scan or cancellation is dated before the last applied one, though a late one came after that', async () => {
  const client = await testSandbox({ returns: 600 })
  const waiting = (await client.allReturns()).filter(({ status }) => status === 'PENDING')
  for (const { name: shipmentId, shopCode } of waiting) {
    for (const hours of [20, -1]) {
      const trackingDate = new Date(NOW + hours * 3_600_000).toISOString()
      const body = { shipmentId, shopCode, trackingStatus: 'PICK_UP_IN_PROGRESS', trackingDate }
      await client.request('/shipping_trackings', { method: 'POST', body })
    }
  }
  const pickUps = waiting.filter((one) => one.activeTransportation?.serviceType === 'pick-up')
  await client.sandbox.control.decide('discard', pickUps[0]?.id ?? '')
  await client.sandbox.control.advance(6 * DAY)
  expect(pickUps.length).toBeGreaterThan(5)
  for (const one of pickUps)
    for (const { trackingEvents } of await client.transportsOf(one)) {
      const dates = valuesOf(trackingEvents?.filter(({ applied }) => applied) ?? [], 'date')
      expect(dates).toEqual(dates.toSorted())
    }
})

test('filters agree with what became of the returns', async () => {
  const client = await testSandbox({ returns: 600 })
  for (const status of RETURN_STATUSES) await client.request(`/returns?status=${status}`)
  await client.sandbox.control.advance(10 * DAY)
  const records = await client.allReturns()
  for (const status of RETURN_STATUSES) {
    const { body } = await client.request(`/returns?status=${status}&updated_from=2026-04-15T12:00:00`)
    const moved = records.filter((r) => r.status === status && String(r.updatedAt) >= '2026-04-15 12:00:00Z')
    expect(body.pageInfo.totalRecords).toBe(moved.length)
  }
})

test('a move that fails half-way leaves returns and clock as they were', async () => {
  const store = await Store.open(':memory:', { seed: 1, returns: 400, now: NOW })
  const state = () =>
    store.read((data) => [data.meta().clockOffset, data.search({ shops: [0, 1, 2, 3, 4] }, 0, 500)])
  const before = state()
  const move = store.write((data) => {
    expect(advanceClock(data, 30 * DAY, NOW).returns).toBeGreaterThan(10)
    throw new Error('the disk is full')
  })
  await expect(move).rejects.toThrow('the disk is full')
  expect(state()).toEqual(before)
  store.close()
})

test('the clock is the same for all processes, and after a restart', async () => {
  const file = join(folder, 'shared.db')
  const one = await testSandbox({ file, returns: 20 })
  const two = await testSandbox({ file })
  const token = one.sandbox.issueToken({ lifetimeSeconds: 2 * DAY })
  const status = async (of: Client) =>
    (await of.request('/returns', { headers: { authorization: `Bearer ${token}` } })).status
  await one.sandbox.control.advance(DAY)
  expect([await status(one), await status(two)]).toEqual([200, 200])
  await two.sandbox.control.advance(DAY)
  expect([await status(one), await status(two)]).toEqual([401, 401])
  one.sandbox.close()
  two.sandbox.close()
  const three = await testSandbox({ file })
  expect(await status(three)).toBe(401)
  // Fresh data, and the present day.
  await three.sandbox.reset({ returns: 20 })
  expect(await status(three)).toBe(200)
  three.sandbox.close()
})

test('the clock dates updates sent without a date, and two moves at once add up', async () => {
  const { sandbox, request, allReturns, transportsOf } = await testSandbox({ returns: 300 })
  const moves = [sandbox.control.advance(3600), sandbox.control.advance(60)]
  expect(valuesOf(await Promise.all(moves), 'now')).toEqual([
    '2026-04-15T13:00:00.000Z',
    '2026-04-15T13:01:00.000Z',
  ])
  const record = (await allReturns()).find(
    ({ status, activeTransportation: t }) => status === 'PENDING' && t?.status === 'REQUESTED',
  )
  if (record === undefined) return expect.unreachable()
  const { shopCode, name: shipmentId } = record
  const body = JSON.stringify({ shopCode, shipmentId, trackingStatus: 'SHIPPING_COMPLETED' })
  await request('/shipping_trackings', { method: 'POST', body })
  expect((await transportsOf(record)).at(-1)?.trackingEvents?.at(-1)?.date).toBe('2026-04-15 13:01:00Z')
})

test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 4_000_000_000])(
  'the clock can’t be moved by %s',
  async (seconds) => {
    const { sandbox, request } = await testSandbox({ returns: 20 })
    const before = (await request('/returns')).body
    await expectRejection(sandbox.control.advance(seconds), 'usage')
    expect((await request('/returns')).body).toEqual(before)
    expect((await sandbox.control.advance(0)).now).toBe('2026-04-15T12:00:00.000Z')
  },
)

test('real time alone changes no return, however much of it passes', async () => {
  let now = NOW
  const { sandbox, request } = await testSandbox({ returns: 400, clock: { now: () => now } })
  const before = (await request('/returns')).body
  now += 20 * DAY * 1000
  expect((await request('/returns')).body).toEqual(before)
  // Events due meanwhile come about with the next move, and not in the past.
  await sandbox.control.advance(DAY)
  const { body } = await request('/returns?limit=500')
  const updated = body.returns.map(({ updatedAt }: Return) => String(updatedAt))
  const moved = updated.filter((date: string) => date > '2026-04-15 12:00:00Z')
  expect(moved.length).toBeGreaterThan(0)
  for (const date of moved) expect(date > '2026-05-05 12:00:00Z').toBe(true)
  // At all hours of the day, and not in one moment.
  expect(new Set(moved.map((date: string) => date.slice(11, 13))).size).toBeGreaterThan(2)
})
