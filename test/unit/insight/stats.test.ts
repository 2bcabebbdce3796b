import { expect, it } from 'vitest'
import { StatsCounter, type StatsDimension, statsFactsOf } from '../../../src/lib/insight/stats.ts'
import type { Refund } from '../../../src/lib/wire/refunds.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { factsIn } from '../../helpers/return-facts.ts'
import { testSandbox } from '../../helpers/sandbox-client.ts'

const { sandbox } = await testSandbox({ returns: 300 })
const all = await factsIn(sandbox)

function counted(zone = 'UTC', dimensions?: readonly StatsDimension[]) {
  const counter = new StatsCounter(zone)
  for (const facts of all) counter.add(statsFactsOf(facts))
  return counter.groups(dimensions)
}

it('counts every return once in each dimension, as counting by hand does', () => {
  const groups = counted()
  const sumOf = (by: string) =>
    groups.filter((group) => group.by === by).reduce((sum, { returns }) => sum + returns, 0)
  expect(['all', 'status', 'method', 'carrier', 'country', 'shop', 'day', 'week'].map(sumOf)).toEqual(
    Array(8).fill(300),
  )
  const closed = all.filter(({ record }) => record.status === 'CLOSED').length
  const share = Math.round((1000 * closed) / 300) / 10
  expect(groups.find(({ key }) => key === 'CLOSED')).toMatchObject({ by: 'status', returns: closed, share })
  const reason = groups.find(({ by }) => by === 'reason')
  const withReason = all.filter(({ record }) =>
    record.returnLineItems.some((line) => line.returnReason?.code === reason?.key),
  )
  expect(reason).toMatchObject({ returns: withReason.length, label: expect.stringMatching(/\w/) })
})

it('stats measure the times from request to refund and from drop-off to arrival', () => {
  const [everything] = counted()
  const hours = all
    .flatMap(({ record, refunds = [] }) =>
      refunds
        .filter(({ status }) => status === 'EXECUTED')
        .map(({ executedAt }) => Date.parse(String(executedAt)) - Date.parse(String(record.createdAt))),
    )
    .map((ms) => ms / 3_600_000)
    .sort((a, b) => a - b)
  const median = hours[Math.ceil(hours.length / 2) - 1] ?? 0
  expect(everything?.requestToRefund?.count).toBe(hours.length)
  expect(Math.abs((everything?.requestToRefund?.p50 ?? 0) - median)).toBeLessThan(0.01 * median + 0.1)
  const { count = 0, p50 = 0, p90 = 0, p95 = 0 } = everything?.dropOffToArrival ?? {}
  expect(count).toBeGreaterThan(100)
  expect([p50, p90, p95]).toEqual([p50, p90, p95].sort((a, b) => a - b))
  expect(p50).toBeGreaterThan(2)
})

it('stats count a dated refund without a status as executed', () => {
  const minutesIn = (status: (one: Refund) => Refund['status']) =>
    all.map(({ refunds = [], ...others }) => {
      const changed = refunds.map((refund) => ({ ...refund, status: status(refund) }))
      return statsFactsOf({ ...others, refunds: changed }).refundMinutes
    })
  expect(minutesIn(() => undefined)).toEqual(minutesIn(({ status }) => status))
})

it('stats take days and weeks from the zone, and count only the requested dimensions', () => {
  const counter = new StatsCounter('Pacific/Auckland')
  const [facts] = all
  if (!facts) throw new Error('no demo data')
  for (const createdAt of ['2025-12-28 11:30:00Z', '2026-01-04 10:59:00Z', '2026-01-04 11:00:00Z', 'soon']) {
    counter.add(statsFactsOf({ record: { ...facts.record, createdAt } }))
  }
  const told = counter.groups(['day', 'week']).map(({ by, key, returns }) => `${by} ${key} ${returns}`)
  expect(told).toEqual([
    'all all 4',
    'day 2025-12-29 1',
    'day 2026-01-04 1',
    'day 2026-01-05 1',
    'week 2026-W01 2',
    'week 2026-W02 1',
  ])
})

it('a reason gets its newest words', () => {
  const counter = new StatsCounter('UTC')
  const said = [
    ['new words', 2],
    ['old words', 1],
    ['other new words', 2],
  ] as const
  for (const [words, createdMs] of said) {
    const reasons: [string, string][] = [['X', words]]
    counter.add({ ...statsFactsOf({ record: {} as Return }), reasons, createdMs })
  }
  expect(counter.groups(['reason']).at(-1)).toMatchObject({ key: 'X', label: 'new words', returns: 3 })
})

it('counts 1,000,000 returns in little time', () => {
  const counter = new StatsCounter('Europe/Madrid')
  const before = process.cpuUsage()
  for (const facts of all) {
    const counted = statsFactsOf(facts)
    for (let i = 0; i < 1_000_000 / all.length; i++) counter.add(counted)
  }
  expect(counter.groups()[0]?.returns).toBeGreaterThanOrEqual(1_000_000)
  // 0.5 s on a machine that does nothing else.
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3)
})
