import { expect, it } from 'vitest'
import { Ledger } from '../../../../src/lib/bulk/job/ledger.ts'
import { runBulk } from '../../../../src/lib/bulk/run/bulk-run.ts'
import type {
  Attempt,
  BulkProgress,
  BulkRow,
  RowResult,
  RunOptions,
  RunRequest,
  Settled,
} from '../../../../src/lib/bulk/run/run-request.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import { memoryJournal, rowsOf, seededRandom } from '../../../helpers/bulk-fakes.ts'
import { valuesOf } from '../../../helpers/values-of.ts'
import { VirtualClock } from '../../../helpers/virtual-clock.ts'

const DONE: Attempt = { kind: 'done' }
const AGAIN: Attempt = {
  kind: 'again',
  code: 'ECONNREFUSED',
  message: 'connection refused',
  isThrottled: false,
}
/** A refusal that says when to try again. */
const busyFor = (retryAfterMs: number): Attempt => ({ ...AGAIN, isThrottled: true, retryAfterMs })
const UNCLEAR: Attempt = { kind: 'unclear', code: 'ETIMEDOUT', message: 'no answer' }
const REJECTED: Attempt = { kind: 'rejected', code: 'TR02', message: 'not allowed' }

type Send = (row: BulkRow<number>, clock: VirtualClock, signal: AbortSignal) => Attempt | Promise<Attempt>

interface Setting extends Partial<Omit<RunRequest<number>, 'send' | 'settle' | 'options'>> {
  count: number
  key?: (row: number) => string
  send?: Send
  onSent?: () => void
  settle?: (row: BulkRow<number>) => Settled
  options?: Omit<RunOptions, 'total' | 'maxAttempts'> & Partial<RunOptions>
  clock?: VirtualClock
  latencyMs?: number
}

/** Runs so many rows, each of a key of its own; keeps what was sent, when, and what was told. */
async function runRows(setting: Setting) {
  const {
    count,
    key = String,
    send = () => DONE,
    onSent = () => {},
    settle = () => 'open',
    options,
    clock = new VirtualClock(),
    latencyMs = 10,
    ...rest
  } = setting
  const sent: { row: number; at: number }[] = []
  const reports: RowResult[] = []
  const progress: BulkProgress[] = []
  const ledger = rest.journal?.ledger ?? new Ledger()
  let underWay = 0
  let mostUnderWay = 0
  const began = clock.now()
  const request: RunRequest<number> = {
    rows: rowsOf(count, key),
    journal: memoryJournal(ledger),
    clock,
    random: seededRandom(1),
    onRow: (report) => void reports.push(report),
    onProgress: (one) => progress.push(one),
    ...rest,
    options: { total: count, maxAttempts: 4, ...options },
    async send(row, signal) {
      sent.push({ row: row.row, at: clock.now() - began })
      onSent()
      underWay += 1
      mostUnderWay = Math.max(mostUnderWay, underWay)
      await clock.sleep(latencyMs)
      underWay -= 1
      return send(row, clock, signal)
    },
    async settle(row) {
      await clock.sleep(latencyMs)
      return settle(row)
    },
  }
  const result = await clock.drive(runBulk(request))
  return { result, sent, reports, progress, ledger, mostUnderWay }
}

it('all simultaneous answers are handled before more rows are sent', async () => {
  class TurningClock extends VirtualClock {
    override nextTurn(work: () => void) {
      void this.sleep(0).then(work)
    }
  }
  let answered = 0
  const answeredAtSend: number[] = []
  const { result } = await runRows({
    count: 12,
    clock: new TurningClock(),
    options: { concurrency: 4 },
    send: () => {
      answered += 1
      return DONE
    },
    onSent: () => answeredAtSend.push(answered),
  })
  expect(result).toMatchObject({ succeeded: 12 })
  expect(answeredAtSend).toEqual([0, 0, 0, 0, 4, 4, 4, 4, 8, 8, 8, 8])
})

it('rows of one key are sent one at a time in order, others in parallel up to the limit', async () => {
  const { result, sent, mostUnderWay } = await runRows({
    count: 400,
    key: (row) => `k${row % 20}`,
    options: { concurrency: 6 },
  })
  expect(result).toMatchObject({ total: 400, succeeded: 400, remaining: 0, unsettled: 0, stop: undefined })
  expect(mostUnderWay).toBe(6)
  for (let key = 0; key < 20; key++) {
    const rows = valuesOf(sent, 'row').filter((row) => row % 20 === key)
    expect(rows).toEqual([...rows].sort((a, b) => a - b))
  }
})

it('a file with a single key is neither read as a whole nor blocked', async () => {
  let read = 0
  let sentRows = 0
  let furthest = 0
  async function* rows() {
    for await (const batch of rowsOf(12_000, () => 'one')) {
      read += batch.length
      yield batch
    }
  }
  const { result, mostUnderWay } = await runRows({
    count: 12_000,
    rows: rows(),
    latencyMs: 0,
    send: () => {
      sentRows += 1
      furthest = Math.max(furthest, read - sentRows)
      return DONE
    },
  })
  expect(result.succeeded).toBe(12_000)
  expect(mostUnderWay).toBe(1)
  expect(furthest).toBeLessThan(4096 + 200)
})

it('the next row of a key is sent after a failed and after an unknown one', async () => {
  const { result, reports } = await runRows({
    count: 3,
    key: () => 'one',
    send: ({ row }) => [REJECTED, UNCLEAR, DONE][row - 1] ?? DONE,
  })
  expect(result).toMatchObject({ succeeded: 1, failed: 1, unknown: 1, remaining: 0 })
  expect(reports).toEqual([
    { row: 1, key: 'one', status: 'failed', attempts: 1, error: { code: 'TR02', message: 'not allowed' } },
    {
      row: 2,
      key: 'one',
      status: 'unknown',
      attempts: 1,
      error: { code: 'ETIMEDOUT', message: 'no answer' },
    },
    { row: 3, key: 'one', status: 'succeeded', attempts: 1 },
  ])
})

it('sending pauses while nobody takes the row results', async () => {
  const clock = new VirtualClock()
  let open = 0
  let mostOpen = 0
  const { result } = await runRows({
    count: 3000,
    clock,
    onRow: async () => {
      open += 1
      mostOpen = Math.max(mostOpen, open)
      await clock.sleep(5000)
      open -= 1
    },
  })
  expect(result.succeeded).toBe(3000)
  expect(mostOpen).toBeLessThanOrEqual(1024 + 8)
  expect(open, 'it ends when all are taken').toBe(0)
})

it.each([1, 1.5, 10, 50, 300])(
  'a run never sends more than %d in any second, and as many as that',
  async (rate) => {
    const count = Math.ceil(rate * 8)
    const { sent, result } = await runRows({ count, options: { ratePerSecond: rate, concurrency: 64 } })
    const times = valuesOf(sent, 'at')
    const span = Math.ceil(rate)
    for (let i = span; i < times.length; i++) {
      expect(times[i]! - times[i - span]!).toBeGreaterThanOrEqual((1000 * span) / rate - 1e-6)
    }
    expect(result.durationMs).toBeLessThan(((count - 1) / rate) * 1000 * 1.02 + 50)
  },
)

it('late timers are made up for, within the rate', async () => {
  class LateClock extends VirtualClock {
    override sleep(ms: number, signal?: AbortSignal) {
      return super.sleep(ms + 1.3, signal)
    }
  }
  const { sent, result } = await runRows({
    count: 1000,
    clock: new LateClock(),
    options: { ratePerSecond: 100, concurrency: 64 },
  })
  const times = valuesOf(sent, 'at')
  for (let i = 100; i < times.length; i++)
    expect(times[i]! - times[i - 100]!).toBeGreaterThanOrEqual(1000 - 1e-6)
  expect(result.durationMs).toBeLessThan(10_000 * 1.03)
})

it('a row is retried with growing pauses, up to maxAttempts', async () => {
  const { result, sent, reports } = await runRows({
    count: 30,
    options: { concurrency: 4, maxAttempts: 3 },
    send: ({ row }) => (row === 7 ? AGAIN : DONE),
  })
  expect(result).toMatchObject({ succeeded: 29, failed: 1, remaining: 0 })
  expect(sent.filter(({ row }) => row === 7)).toHaveLength(3)
  expect(reports.find(({ row }) => row === 7)).toMatchObject({
    status: 'failed',
    attempts: 3,
    error: { code: 'ECONNREFUSED' },
  })
})

it('a row that failed after an unclear answer is looked up before a retry, a rejected one is not', async () => {
  const answers = [UNCLEAR, REJECTED, REJECTED]
  const { ledger } = await runRows({
    count: 2,
    options: { concurrency: 1 },
    send: ({ row }) => (row === 1 ? (answers.shift() ?? DONE) : REJECTED),
    settle: () => 'not-happened',
  })
  expect(ledger.counts()).toMatchObject({ failed: 2, sent: 0 })
  ledger.reopen({ unknown: false })
  const looks: number[] = []
  const { result, sent } = await runRows({
    count: 2,
    journal: memoryJournal(ledger),
    settle: ({ row }) => {
      looks.push(row)
      return 'happened'
    },
  })
  expect([looks, valuesOf(sent, 'row'), result.succeeded]).toEqual([[1], [2], 2])
})

it.each<[status: string, Attempt[]]>([
  ['unknown', [AGAIN, UNCLEAR]],
  ['failed', [UNCLEAR, AGAIN]],
  ['succeeded', [UNCLEAR, DONE]],
])('a row whose looks find nothing is %s by its last answer', async (status, answers) => {
  const { result, reports } = await runRows({
    count: 30,
    options: { maxAttempts: 2 },
    send: ({ row }) => (row === 7 ? (answers.shift() ?? DONE) : DONE),
    settle: () => 'not-happened',
  })
  expect([result.remaining, reports.find(({ row }) => row === 7)]).toMatchObject([0, { status, attempts: 2 }])
})

it('many failures do not multiply traffic: retries wait, and fail no row', async () => {
  const random = seededRandom(3)
  const { result, sent } = await runRows({
    count: 2000,
    options: { maxAttempts: 100 },
    send: () => (random() < 0.5 ? AGAIN : DONE),
  })
  expect(result).toMatchObject({ succeeded: 2000, failed: 0 })
  const fresh = sent.slice(
    0,
    sent.findIndex(({ row }) => row === 2000),
  )
  expect(fresh.length - new Set(valuesOf(fresh, 'row')).size).toBeLessThan(50 + 0.25 * 1400)
})

it('a retried row goes before fresh ones as long as few fail', async () => {
  let failures = 0
  const { sent } = await runRows({
    count: 2000,
    send: ({ row }) => (row === 1 && failures++ === 0 ? AGAIN : DONE),
  })
  const rows = valuesOf(sent, 'row')
  expect(rows.lastIndexOf(1)).toBeLessThan(rows.indexOf(1999))
})

it('throttled rows go before fresh ones, however many they are', async () => {
  const held = new Set<number>()
  const { result, sent } = await runRows({
    count: 600,
    send: ({ row }) => {
      if (row > 400 || held.has(row)) return DONE
      held.add(row)
      return busyFor(20)
    },
  })
  expect(result.succeeded).toBe(600)
  expect(sent.slice(sent.findIndex(({ row }) => row === 600)).filter(({ row }) => row <= 400)).toEqual([])
})

it('a wait stated for one row delays that row only', async () => {
  let refused = 0
  const { result, sent } = await runRows({
    count: 200,
    send: ({ row }) => (row === 20 && refused++ === 0 ? busyFor(7000) : DONE),
  })
  const [first, second] = sent.filter(({ row }) => row === 20)
  expect(result.succeeded).toBe(200)
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(7000)
  expect(
    Math.max(
      ...valuesOf(
        sent.filter(({ row }) => row !== 20),
        'at',
      ),
    ),
  ).toBeLessThan(1000)
})

/** Rows for a service that is closed from 0.3 s on, and states of the time to the 30th second how long it is. */
const runClosed = (opensAt: number, stated: (leftMs: number) => number) =>
  runRows({
    count: 2000,
    send: (_row, clock) => {
      const at = clock.now() - 1_000_000
      return at < 300 || at >= opensAt ? DONE : busyFor(stated(30_000 - at))
    },
  })

it('nothing is sent during a wait stated by the whole service', async () => {
  const { result, sent } = await runClosed(30_000, (leftMs) => leftMs)
  expect(result.succeeded).toBe(2000)
  expect(sent.filter(({ at }) => at > 290 && at < 30_000).length).toBeLessThan(80)
  expect(sent.filter(({ at }) => at > 600 && at < 29_990)).toEqual([])
  expect(sent.filter(({ at }) => at >= 29_990 && at < 31_000).length).toBeGreaterThan(50)
})

it.each([
  ['at its end, after one request in the last of them', 30_000, 1, 1],
  ['before, once one request was served', 29_100, 50, 1000],
])('a job goes on after whole seconds stated %s', async (_when, opensAt, least, most) => {
  const { result, sent } = await runClosed(opensAt, (leftMs) => Math.ceil(leftMs / 1000) * 1000)
  expect(result.succeeded).toBe(2000)
  expect(sent.filter(({ at }) => at > 600 && at < 29_000)).toEqual([])
  const early = sent.filter(({ at }) => at >= 29_000 && at < 30_000).length
  expect(early).toBeGreaterThanOrEqual(least)
  expect(early).toBeLessThanOrEqual(most)
})

it.each([
  ['number', 5, 40, 6],
  ['percentage', { percent: 10 }, 400, 40],
])('a job stops when more rows fail than the %s allows', async (_name, maxFailures, count, least) => {
  const { result, ledger } = await runRows({
    count,
    options: { maxFailures, concurrency: 4 },
    send: ({ row }) => (row % 3 === 0 ? REJECTED : DONE),
  })
  expect(result.stop).toEqual({ reason: 'failures' })
  expect(result.remaining).toBeGreaterThan(0)
  expect(result.unsettled).toBe(0)
  expect(Math.min(result.failed, least)).toBeGreaterThanOrEqual(Math.min(least, 33))
  const again = await runRows({ count, journal: memoryJournal(ledger) })
  expect(again.result).toMatchObject({ remaining: 0, failed: result.failed, stop: undefined })
})

it('the first few rows do not decide a percentage of failures', async () => {
  const { result } = await runRows({
    count: 200,
    options: { maxFailures: { percent: 10 } },
    send: ({ row }) => (row < 10 ? REJECTED : DONE),
  })
  expect(result).toMatchObject({ failed: 9, remaining: 0, stop: undefined })
})

it('unexpected errors of send and rows reject the run', async () => {
  const send = () => {
    throw new TypeError('a bug')
  }
  await expect(runRows({ count: 5, send })).rejects.toThrow('a bug')
  async function* rows() {
    yield [{ row: 1, key: 'a', value: 1 }]
    throw new Error('unreadable')
  }
  await expect(runRows({ count: 5, rows: rows() })).rejects.toThrow('unreadable')
})

it('an outage pauses the job, which then tries one row at a time and fails none', async () => {
  const down = { from: 1000, to: 31_000 }
  const { result, sent, progress } = await runRows({
    count: 3000,
    send: (_row, clock) => {
      const at = clock.now() - 1_000_000
      return at > down.from && at < down.to ? AGAIN : DONE
    },
  })
  expect(result).toMatchObject({ succeeded: 3000, failed: 0, stop: undefined })
  const during = sent.filter(({ at }) => at > down.from + 1000 && at < down.to)
  expect(during.length).toBeLessThan(20)
  const paused = progress.filter(({ state }) => state === 'paused')
  expect(paused[0]).toMatchObject({ reason: 'connection refused', until: expect.any(Number) })
})

it('short waits are not reported as an outage', async () => {
  const random = seededRandom(1)
  const { result, progress } = await runRows({
    count: 6000,
    send: () => (random() < 0.7 ? DONE : { ...AGAIN, isThrottled: true }),
  })
  expect(result).toMatchObject({ succeeded: 6000 })
  expect(progress.length).toBeGreaterThan(20)
  expect(progress.filter(({ state }) => state === 'paused')).toEqual([])
})

it('rows that could not be looked up stay unsettled', async () => {
  const { result, ledger } = await runRows({
    count: 20,
    send: () => UNCLEAR,
    settle: () => 'again',
  })
  expect(result.stop).toMatchObject({ reason: 'outage' })
  expect(result.unsettled).toBeGreaterThan(0)
  const sentRows: number[] = []
  const again = await runRows({
    count: 20,
    journal: memoryJournal(ledger),
    settle: () => 'happened',
    send: ({ row }) => {
      sentRows.push(row)
      return DONE
    },
  })
  expect(again.result.succeeded).toBe(20)
  expect(sentRows).toHaveLength(20 - result.unsettled - result.unknown)
})

it('one bad row is no outage', async () => {
  const { result } = await runRows({ count: 1, options: { maxAttempts: 9 }, send: () => AGAIN })
  expect(result).toMatchObject({ failed: 1, remaining: 0, stop: undefined })
})

it('a wait longer than an outage may last ends the job', async () => {
  const { result } = await runRows({
    count: 50,
    send: () => busyFor(3_600_000),
  })
  expect(result.stop).toMatchObject({ reason: 'outage', message: expect.stringContaining('60 minutes') })
  expect(result).toMatchObject({ remaining: 50, unsettled: 0 })
})

it('an interruption stays the reason of the stop, even if rows under way fail too often', async () => {
  const drain = new AbortController()
  const { result } = await runRows({
    count: 100,
    options: { concurrency: 4, maxFailures: 0 },
    drain: drain.signal,
    send: ({ row }) => {
      if (row < 20) return DONE
      drain.abort()
      return REJECTED
    },
  })
  expect(result.failed).toBeGreaterThan(1)
  expect(result.stop).toEqual({ reason: 'interrupted' })
})

it('draining ends at its time limit', async () => {
  const drain = new AbortController()
  const { result, progress } = await runRows({
    count: 100,
    options: { concurrency: 4 },
    drain: drain.signal,
    send: ({ row }) => {
      if (row !== 20) return DONE
      drain.abort()
      return new Promise(() => undefined)
    },
  })
  expect(result).toMatchObject({ unsettled: 1, stop: { reason: 'interrupted' } })
  expect(result.durationMs).toBeLessThan(61_000)
  expect(progress.at(-1)?.state).toBe('draining')
})

it('an abort ends the run at once; rows under way stay intents, the others do not', async () => {
  const abort = new AbortController()
  let told: AbortSignal | undefined
  const { result, ledger } = await runRows({
    count: 100,
    options: { concurrency: 4 },
    abort: abort.signal,
    send: ({ row }, _clock, signal) => {
      if (row !== 20) return DONE
      told = signal
      abort.abort()
      return new Promise(() => undefined)
    },
  })
  expect(told?.aborted).toBe(true)
  expect(result.unsettled).toBeGreaterThanOrEqual(1)
  expect(result.unsettled).toBeLessThanOrEqual(4)
  expect(ledger.state(19)).toBe('sent')
  expect(result.succeeded + result.remaining).toBe(100)
})

it('an interruption before the start sends nothing', async () => {
  const { result, sent } = await runRows({ count: 10, drain: AbortSignal.abort() })
  expect(sent).toEqual([])
  expect(result).toMatchObject({ remaining: 10, stop: { reason: 'interrupted' } })
})

it('the job stops sending when the journal can not be written', async () => {
  const error = new AppError('unavailable', "The journal can't be written")
  const ledger = new Ledger()
  const journal = memoryJournal(ledger)
  const { result, sent } = await runRows({
    count: 400,
    journal: {
      ...journal,
      intend: (rows) => (rows.includes(100) ? Promise.reject(error) : journal.intend(rows)),
    },
  })
  expect(result.stop).toEqual({ reason: 'error', error })
  expect(Math.max(...valuesOf(sent, 'row'))).toBeLessThanOrEqual(100)
  expect(result).toMatchObject({ succeeded: sent.length, unsettled: 0, remaining: 400 - sent.length })
})

it('progress has rate, concurrency and counts', async () => {
  const { progress } = await runRows({ count: 4000, latencyMs: 100 })
  const middle = progress.find(({ done }) => done > 2000)
  expect(middle).toMatchObject({ total: 4000, state: 'running', concurrency: 8, failed: 0 })
  expect(middle?.rate).toBeGreaterThan(72)
  expect(middle?.rate).toBeLessThan(82)
  expect(progress.find(({ done }) => done > 120)?.rate, 'from the start').toBeGreaterThan(50)
  expect(middle?.etaMs).toBeGreaterThan(23_000)
  expect(middle?.etaMs).toBeLessThan(28_000)
  expect(progress.length).toBeLessThan(600)
  expect(progress.at(-1)).toMatchObject({ done: 4000, succeeded: 4000 })
})

it('concurrency falls when more of it only adds latency, and throughput stays', async () => {
  const clock = new VirtualClock()
  let busyUntil = 0
  let capped = 0
  // Four workers of 40 ms each: one request every 10 ms.
  const { result, progress } = await runRows({
    count: 4000,
    clock,
    latencyMs: 30,
    options: { concurrency: 64 },
    send: async () => {
      busyUntil = Math.max(busyUntil, clock.now()) + 10
      await clock.sleep(busyUntil - clock.now())
      return DONE
    },
  })
  for (const one of progress) capped = one.concurrency
  expect(capped).toBeLessThan(24)
  expect(result.durationMs).toBeLessThan(40_000 * 1.05)
})

it('noise in latencies does not lower the throughput', async () => {
  const random = seededRandom(5)
  const clock = new VirtualClock()
  const { result } = await runRows({
    count: 4000,
    clock,
    latencyMs: 20,
    options: { concurrency: 16 },
    send: async () => {
      await clock.sleep(random() < 0.1 ? 400 * random() : 20 * random())
      return DONE
    },
  })
  const idealMs = (4000 / 16) * (20 + 0.1 * 200 + 0.9 * 10)
  expect(result.durationMs).toBeLessThan(idealMs * 1.15)
})
