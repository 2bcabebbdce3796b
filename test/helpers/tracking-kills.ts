import type { ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type Home, typed } from './command-line.ts'
import type { DemoReturn, Platform } from './platform.ts'
import { spawnCli } from './spawn-cli.ts'
import { times } from './values-of.ts'

/** Time and signal to kill the n-th command of a job. The last command survives. */
export interface Kill {
  /** Number of received updates since its start. */
  updates?: number
  /** Milliseconds since its start. */
  ms?: number
}

export interface JobSummary {
  jobId: string
  total: number
  succeeded: number
  failed: number
  unknown: number
  skipped: number
  remaining: number
}

/**
 * Pushes a file with repeated kills and resumes until the job ends by itself. Fails if the job ends before the last
 * kill.
 * | @param seen number of updates received so far
 */
export async function pushThroughKills(
  argv: readonly string[],
  kills: readonly Kill[],
  { env, seen }: { env: Home; seen: () => number },
): Promise<JobSummary & { code: number | null; stderr: string }> {
  const jobs = join(env.RMA_DATA_DIR, 'jobs')
  for (const [killed, kill] of [...kills, undefined].entries()) {
    const flags = argv.slice(argv.indexOf('--timeout'))
    const next = existsSync(jobs) ? typed`jobs resume --last ${flags.slice(0, 4)}` : argv
    const { code, signal, stdout, stderr } = await spawnCli(typed`${next} --json`, {
      env,
      ...(kill && { onStart: (child) => killLater(child, kill, seen) }),
    })
    if (signal === 'SIGKILL') continue
    expect(killed, 'times that the job was killed').toBe(kills.length)
    expect(stdout, stderr).not.toBe('')
    return { ...JSON.parse(stdout), code, stderr }
  }
  throw new Error('The last one is not killed')
}

function killLater(
  child: ChildProcess,
  { updates, ms = Number.POSITIVE_INFINITY }: Kill,
  seen: () => number,
): void {
  const [from, started] = [seen(), performance.now()]
  const poll = setInterval(() => {
    const isDue = updates === undefined ? performance.now() - started >= ms : seen() - from >= updates
    if (isDue) child.kill('SIGKILL')
  }, 2)
  child.once('exit', () => clearInterval(poll))
}

/** Rows for returns of a sandbox. Each makes one event, and none is refused. */
export interface Workload {
  csv: string
  rows: number
  /** Row numbers by return id, in order. */
  expected: Map<string, number[]>
}

const OPEN = ['REQUESTED', 'PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS']

/**
 * Shuffles ordered scans of open returns with late updates of finished ones.
 * | @param rows minimum number
 */
export async function workload(platform: Platform, rows: number, random: () => number): Promise<Workload> {
  const returns: DemoReturn[] = []
  for (let page = 1; ; page++) {
    const some = await platform.returns(`shop_code=LUMBRE-ES&limit=500&page=${page}`)
    returns.push(...some.filter(({ activeTransportation }) => activeTransportation))
    if (some.length < 500) break
  }
  const perReturn = Math.ceil(rows / returns.length)
  // Places rows of one return at varying distances.
  const turns = returns.flatMap((one) => times(perReturn, () => one))
  for (let at = turns.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    const [a, b] = [turns[at], turns[other]]
    if (a && b) [turns[at], turns[other]] = [b, a]
  }
  const expected = new Map<string, number[]>()
  const lines = ['shipmentId,trackingStatus,trackingDate,trackingStatusDescription,shopCode']
  for (const { id, name, createdAt, activeTransportation } of turns) {
    const before = expected.get(id) ?? []
    const isOpen = OPEN.includes(activeTransportation?.status ?? '')
    // The platform refuses dates more than 30 days before the return.
    const first = isOpen ? Date.parse('2026-11-21T00:00:00Z') : Date.parse(createdAt) - 10 * 86_400_000
    const date = new Date(first + before.length * 60_000).toISOString()
    lines.push(`${name},SHIPPING_IN_PROGRESS,${date},row ${lines.length + 1},LUMBRE-ES`)
    expected.set(id, [...before, lines.length])
  }
  return { csv: lines.join('\n'), rows: turns.length, expected }
}

/** Asserts that every row's event is in the platform once and in order. */
async function expectEvents(platform: Platform, { expected }: Workload): Promise<void> {
  const ids = [...expected.keys()]
  const check = async () => {
    for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
      const found = (await platform.transports(id))
        .flatMap(({ trackingEvents }) => trackingEvents)
        .flatMap(({ description }) => (/^row \d+$/.test(description) ? [Number(description.slice(4))] : []))
      expect([id, found]).toEqual([id, expected.get(id)])
    }
  }
  await Promise.all(times(8, check))
}

/** Makes a share of updates, and some reads, fail in every way. */
export async function failEverything(platform: Platform, share: number): Promise<void> {
  const route = 'POST /shipping_trackings'
  const kinds = [
    'late',
    'never',
    'never-after-commit',
    'reset',
    'reset-after-commit',
    'cut-body',
    '429',
    '500',
    '503',
    '500-after-commit',
  ] as const
  const rate = share / kinds.length
  await platform.sandbox.faults.set([
    ...kinds.map((kind, at) => ({
      id: kind,
      route,
      kind,
      rate,
      // More refusals would only lower the rate.
      ...(kind === '429' ? { count: 3 } : {}),
      seed: at,
      ...(kind === 'late' ? { delayMs: 100 } : {}),
      ...(kind === '429' ? { retryAfter: 0 } : {}),
    })),
    { id: 'looks', route: 'GET /*', kind: '500', rate: share },
  ])
}

/** Asserts that each fault occurred. */
function expectEveryFault(platform: Platform): void {
  const missed = platform.sandbox.faults.list().filter(({ hits }) => hits === 0)
  expect(missed).toEqual([])
}

/** Asserts that every row took effect exactly once despite every fault. */
export async function expectAllApplied(
  platform: Platform,
  work: Workload,
  summary: JobSummary & { stderr: string },
): Promise<void> {
  const { total, succeeded, failed, unknown, remaining } = summary
  expect([total, succeeded, failed, unknown, remaining], summary.stderr).toEqual([
    work.rows,
    work.rows,
    0,
    0,
    0,
  ])
  expectEveryFault(platform)
  await platform.sandbox.faults.clear()
  await expectEvents(platform, work)
}
