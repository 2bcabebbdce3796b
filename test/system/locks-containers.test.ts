import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { labelRequest, labelService } from '../helpers/label-service.ts'
import { fileOf, type Report, reportService, scans } from '../helpers/report-service.ts'
import { BIN, RUNNER, type Spawned, spawnEnv } from '../helpers/spawn-cli.ts'

/*
 * Containers that share a data directory: PID namespaces of Linux, in which no process sees one of another. A kernel of
 * its own, as on another machine, is a boot id of its own.
 */

const home = () => mkdtempSync('/var/tmp/rma-containers-')

class Container {
  readonly #process: ChildProcess
  readonly ended: Promise<Spawned>

  /**
   * @param boot a boot id of its own; undefined: it shares the kernel
   * @param around words that rma is started by
   */
  constructor(
    argv: readonly string[],
    env: Record<string, string>,
    { boot, around = [] }: { boot?: string; around?: readonly string[] } = {},
  ) {
    const file = join(home(), 'boot')
    writeFileSync(file, boot ?? '')
    const mount = boot === undefined ? '' : `mount --bind ${file} /proc/sys/kernel/random/boot_id;`
    const start = `hostname "$1"; shift; ${mount} exec "$@"`
    const host = boot ?? 'container'
    const namespaces = ['--pid', '--fork', '--mount-proc', '--uts']
    const words = [...namespaces, 'sh', '-ec', start, 'sh', host, ...around, RUNNER, BIN, ...argv]
    const child = spawn('unshare', words, { env: spawnEnv(env), stdio: ['ignore', 'pipe', 'pipe'] })
    this.#process = child
    onTestFinished(() => {
      if (child.exitCode === null && child.signalCode === null) this.kill('SIGKILL')
    })
    let [stdout, stderr] = ['', '']
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    this.ended = new Promise((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
    })
  }

  /** Sends a signal to the first process of the container. */
  kill(signal: NodeJS.Signals): void {
    const { pid } = this.#process
    const inner = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
    if (inner !== '') process.kill(Number(inner), signal)
  }
}

function newGate() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const ROWS = 120

/** A service that takes 20 ms a row; `at` is called when the row of that number has come in, before the answer. */
async function slowService(at: Record<number, () => void | Promise<void>>) {
  const service = await reportService({
    onReport: async (_report, index) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await at[index]?.()
      return undefined
    },
  })
  const push = ['tracking', 'push', '--file', fileOf(scans(ROWS)), '--concurrency', '1', '--json']
  return { service, push, env: { ...service.env, RMA_DATA_DIR: home() } }
}

const RESUME = ['jobs', 'resume', '--last', '--json']

function expectEachOnce(taken: readonly Report[]): void {
  const ids = taken.map(({ shipmentId }) => shipmentId)
  expect([ids.length, new Set(ids).size]).toEqual([ROWS, ROWS])
}

it('a job that runs or is stopped in one container can’t be resumed in another, and ends by itself', async () => {
  const begun = newGate()
  const { service, push, env } = await slowService({ 10: begun.open })
  const owner = new Container(push, env)
  await begun.opened
  const whileItRuns = await new Container(RESUME, env).ended
  owner.kill('SIGSTOP')
  const whileStopped = await new Container(RESUME, env).ended
  owner.kill('SIGCONT')
  for (const { code, stderr } of [whileItRuns, whileStopped]) {
    expect([code, stderr]).toEqual([2, expect.stringMatching(/Job \S+ is being worked on by process 1/)])
  }
  expect(await owner.ended).toMatchObject({ code: 0 })
  expectEachOnce(service.taken)
})

it('a job that was killed in one container is resumed in another at once, each row sent once', async () => {
  const killed: { owner?: Container } = {}
  const { service, push, env } = await slowService({ 10: () => killed.owner?.kill('SIGKILL') })
  killed.owner = new Container(push, env)
  await killed.owner.ended
  expect(service.reports.length).toBeLessThan(ROWS)
  const started = performance.now()
  const { code, stdout, stderr } = await new Container(RESUME, env).ended
  expect(code, stderr).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ succeeded: ROWS, unknown: 0 })
  expect(performance.now() - started).toBeLessThan(14_000)
  expectEachOnce(service.taken)
})

it('on another machine beats decide: a living job is left, a suspended one taken over, which sends nothing more', async () => {
  const [begun, goOn, stopped] = [newGate(), newGate(), newGate()]
  const running: { owner?: Container } = {}
  const stop = () => {
    running.owner?.kill('SIGSTOP')
    stopped.open()
  }
  const { service, push, env } = await slowService({
    10: begun.open,
    20: () => goOn.opened,
    25: stop,
  })
  running.owner = new Container(push, env, { boot: 'first-machine' })
  await begun.opened
  const early = await new Container(RESUME, env, { boot: 'second-machine' }).ended
  expect([early.code, early.stderr]).toEqual([2, expect.stringMatching(/by process 1 on first-machine/)])
  goOn.open()
  await stopped.opened
  const next = await new Container(RESUME, env, { boot: 'second-machine' }).ended
  expect([next.code, JSON.parse(next.stdout)]).toEqual([0, expect.objectContaining({ succeeded: ROWS })])
  const sent = service.reports.length
  running.owner.kill('SIGCONT')
  const { code, stderr } = await running.owner.ended
  expect([code, stderr]).toEqual([
    7,
    expect.stringMatching(/is no longer locked by this process; nothing more is sent/),
  ])
  expect(service.reports.length).toBe(sent)
  expectEachOnce(service.taken)
})

/** Makes every socket in a folder fail, as some network disks do. */
const WITHOUT_SOCKETS = [
  ...['strace', '-f', '-qq', '-o', '/dev/null', '--seccomp-bpf'],
  ...['-e', 'trace=bind', '-e', 'inject=bind:error=EOPNOTSUPP'],
]

it('on a disk without sockets beats decide: a living job is left, a killed one taken over, each row sent once', async () => {
  const [begun, goOn, killed] = [newGate(), newGate(), newGate()]
  const running: { owner?: Container } = {}
  const kill = () => {
    running.owner?.kill('SIGKILL')
    killed.open()
  }
  const { service, push, env } = await slowService({ 10: begun.open, 20: () => goOn.opened, 25: kill })
  running.owner = new Container(push, env, { around: WITHOUT_SOCKETS })
  await begun.opened
  const early = await new Container(RESUME, env).ended
  expect([early.code, early.stderr]).toEqual([2, expect.stringMatching(/is being worked on by process/)])
  goOn.open()
  await killed.opened
  const started = performance.now()
  const { code, stdout } = await new Container(RESUME, env).ended
  expect([code, JSON.parse(stdout)]).toEqual([0, expect.objectContaining({ succeeded: ROWS, unknown: 0 })])
  expect(performance.now() - started).toBeGreaterThan(14_000)
  expectEachOnce(service.taken)
})

it('a purchase that was suspended before it was sent is not sent once another machine has bought the label', async () => {
  const stopped = newGate()
  const first: { owner?: Container } = {}
  const service = await labelService({
    look: (index) => {
      if (index === 0) {
        first.owner?.kill('SIGSTOP')
        stopped.open()
      }
      return undefined
    },
  })
  const env = { RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token', RMA_DATA_DIR: home() }
  const request = fileOf(JSON.stringify(labelRequest('SHP-1')))
  const create = (machine: string) =>
    new Container(['labels', 'create', '--from', request, '--out', home()], env, { boot: machine })
  first.owner = create('first-machine')
  await stopped.opened
  const second = await create('second-machine').ended
  expect(second.code, second.stderr).toBe(0)
  first.owner.kill('SIGCONT')
  const { code, stderr } = await first.owner.ended
  expect([code, stderr]).toEqual([7, expect.stringMatching(/label of SHP-1 is no longer locked/)])
  expect(service.posts()).toHaveLength(1)
})
