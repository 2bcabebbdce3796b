import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Journal, type JournalFile } from '../../../src/lib/bulk/job/journal.ts'
import { encodeRecord, recover } from '../../../src/lib/bulk/job/journal-record.ts'
import { runBulk } from '../../../src/lib/bulk/run/bulk-run.ts'
import type { Attempt, BulkRow, Settled } from '../../../src/lib/bulk/run/run-request.ts'
import { seededRandom } from '../../helpers/bulk-fakes.ts'
import { VirtualClock } from '../../helpers/virtual-clock.ts'

/** Outcome of one attempt at one row. */
const FAULTS = ['lost after', 'lost before', 'throttled', 'refused', 'rejected', 'slow'] as const
type Fault = (typeof FAULTS)[number]

interface Scenario {
  keys: number[]
  /** Outcomes by attempt over all rows; later attempts succeed. */
  faults: (Fault | 'none')[]
  /** Looks that fail, and looks that can't tell. */
  looks: (Settled | 'true')[]
  concurrency: number
  seed: number
  /** The process dies after so many events (sendings, answers, looks); then the next run after the next number. */
  kills: number[]
  /** Share of unsynced data that survives, from none to all of it. */
  survivals: number[]
}

const scenario = fc.record({
  keys: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 30 }),
  faults: fc.array(
    fc.oneof({ weight: 3, arbitrary: fc.constant('none' as const) }, fc.constantFrom(...FAULTS)),
    { maxLength: 60 },
  ),
  looks: fc.oneof(
    fc.constant<Scenario['looks']>([]),
    fc.array(fc.constantFrom('true', 'true', 'true', 'again', 'open'), { maxLength: 20 }),
  ),
  concurrency: fc.integer({ min: 1, max: 6 }),
  seed: fc.integer(),
  kills: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 4 }),
  survivals: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 }),
})

/** A disk that keeps what was synced, and of the rest as much as it likes. */
class Disk implements JournalFile {
  written = ''
  synced = 0
  isDead = false
  constructor(readonly clock: VirtualClock) {}

  async write(text: string) {
    if (this.isDead) return never()
    this.written += text
  }

  async sync() {
    const length = this.written.length
    await this.clock.sleep(1)
    if (this.isDead) return never()
    this.synced = length
  }

  touch() {}

  async close() {}

  kill(survival: number) {
    this.isDead = true
    const kept = this.synced + Math.floor((this.written.length - this.synced) * survival)
    return this.written.slice(0, kept)
  }
}

function never(): Promise<never> {
  return new Promise(() => undefined)
}

/** The service: what each row did to it, in order. It goes on working on what a dead client sent. */
class Service {
  readonly applied: number[] = []
  /** Rows of which a request got no answer and was not taken. */
  readonly lost = new Set<number>()
  readonly #busy = new Map<string, number>()
  #attempt = 0
  #look = 0

  constructor(
    readonly scenario: Scenario,
    readonly clock: VirtualClock,
  ) {}

  async send(row: BulkRow<number>): Promise<Attempt> {
    const fault = this.scenario.faults[this.#attempt++] ?? 'none'
    // Only what fails: an assertion takes longer than all else of a row.
    if (this.#busy.get(row.key)) expect.fail(`two rows of ${row.key} at once`)
    this.#busy.set(row.key, 1)
    await this.clock.sleep(fault === 'slow' ? 200 : 5)
    this.#busy.set(row.key, 0)
    const error = { code: 'X', message: fault }
    if (fault === 'throttled') return { kind: 'again', isThrottled: true, ...error }
    if (fault === 'refused') return { kind: 'again', isThrottled: false, ...error }
    if (fault === 'rejected') return { kind: 'rejected', ...error }
    if (fault === 'lost before') {
      this.lost.add(row.row)
      return { kind: 'unclear', ...error }
    }
    this.applied.push(row.row)
    return fault === 'lost after' ? { kind: 'unclear', ...error } : { kind: 'done' }
  }

  async settle(row: BulkRow<number>) {
    const look = this.scenario.looks[this.#look++] ?? 'true'
    await this.clock.sleep(3)
    if (look !== 'true') return look
    return this.applied.includes(row.row) ? 'happened' : 'not-happened'
  }

  /** A dead client's requests end before the next one begins: a job waits that long before it looks. */
  calmDown() {
    this.#busy.clear()
  }
}

async function* rows(keys: readonly number[]): AsyncGenerator<BulkRow<number>[]> {
  for (const [at, key] of keys.entries()) yield [{ row: at + 1, key: `k${key}`, value: at }]
}

async function* bytes(text: string) {
  yield Buffer.from(text)
}

/** Runs, dies, runs again, until the job ends by itself. */
async function runToTheEnd(one: Scenario) {
  const clock = new VirtualClock()
  const service = new Service(one, clock)
  let text = encodeRecord({ type: 'header', version: 1 })
  let runs = 0
  for (;;) {
    const { ledger, validBytes } = await recover(bytes(text), 'journal')
    const disk = new Disk(clock)
    disk.written = text.slice(0, validBytes)
    disk.synced = disk.written.length
    let events = one.kills[runs] ?? Number.POSITIVE_INFINITY
    let isDead = false
    let die: (how: 'killed') => void = () => {}
    const death = new Promise<'killed'>((resolve) => {
      die = resolve
    })
    /** Waits for ever in a dead process; each call counts down to its death. */
    const passes = async () => {
      events -= 1
      if (events <= 0) {
        isDead = true
        die('killed')
      }
      if (isDead) await never()
    }
    const alive = async <A>(act: () => Promise<A>) => {
      await passes()
      const answer = await act()
      await passes()
      return answer
    }
    const run = runBulk({
      rows: rows(one.keys),
      send: (row) => alive(() => service.send(row)),
      settle: (row) => alive(() => service.settle(row)),
      journal: new Journal(disk, ledger, 'journal'),
      options: { total: one.keys.length, maxAttempts: 4, concurrency: one.concurrency },
      clock,
      random: seededRandom(one.seed + runs),
    })
    const ended = await clock.drive(Promise.race([run, death]))
    if (ended !== 'killed') return { service, result: ended, text: disk.written, runs: runs + 1 }
    text = disk.kill(one.survivals[runs] ?? 0)
    runs += 1
    await clock.drive(clock.sleep(1000))
    service.calmDown()
  }
}

it('a job applies each row once, in order, whatever fails and whenever it dies', async () => {
  await fc.assert(
    fc.asyncProperty(scenario, async (one) => {
      const { service, result, text } = await runToTheEnd(one)
      const { ledger, validBytes } = await recover(bytes(text), 'journal')
      expect(validBytes).toBe(Buffer.byteLength(text))
      expect(result.remaining).toBe(0)
      expect(result.succeeded + result.failed + result.unknown).toBe(one.keys.length)
      expect(new Set(service.applied).size, 'a row was applied twice').toBe(service.applied.length)
      for (const ordinal of one.keys.keys()) {
        const state = ledger.state(ordinal)
        const wasApplied = service.applied.includes(ordinal + 1)
        if (state === 'succeeded' && !wasApplied) expect.fail(`row ${ordinal + 1} was lost`)
        if (state === 'unknown' && one.looks.length === 0)
          expect(service.lost, 'a look would have told').toContain(ordinal + 1)
        if (state === 'failed' && wasApplied) expect.fail(`row ${ordinal + 1} is not failed`)
      }
      for (const key of new Set(one.keys)) {
        const ofKey = service.applied.filter((row) => one.keys[row - 1] === key)
        expect(ofKey).toEqual([...ofKey].sort((a, b) => a - b))
      }
    }),
    { numRuns: Number(process.env.RUNS ?? 1000) },
  )
})
