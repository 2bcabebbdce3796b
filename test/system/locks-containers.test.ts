import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import Libsql from 'libsql'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { jsonFile, newFile, newFolder, textFile } from '../helpers/files.ts'
import { labelRequest, labelService } from '../helpers/label-service.ts'
import { usePlatform } from '../helpers/platform.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { BIN, RUNNER, type Spawned, spawnEnv } from '../helpers/spawn-cli.ts'
import { fileOf, type ReceivedUpdate, scans, trackingService } from '../helpers/tracking-service.ts'
import { valuesOf } from '../helpers/values-of.ts'

/*
 * Containers that share a data directory: PID namespaces of Linux, in which no process sees one of another. A kernel of
 * its own, as on another machine, is a boot id of its own.
 */

class Container {
  readonly #process: ChildProcess
  readonly ended: Promise<Spawned>

  /**
   * @param boot a boot id of its own; undefined: it shares the kernel
   * @param around words that rma is started by
   * @param isPod user ids and interprocess communication are its own, too
   */
  constructor(
    argv: readonly string[],
    env: Env,
    { boot, around = [], isPod }: { boot?: string; around?: readonly string[]; isPod?: boolean } = {},
  ) {
    const file = newFile('boot', boot ?? '')
    const mount = boot === undefined ? '' : `mount --bind ${file} /proc/sys/kernel/random/boot_id;`
    const start = `hostname "$1"; shift; ${mount} exec "$@"`
    const host = boot ?? 'container'
    const namespaces = typed`--pid --fork --mount-proc --uts`
    const ofPod = isPod ? typed`--user --map-root-user --ipc` : []
    const words = [...ofPod, ...namespaces, 'sh', '-ec', start, 'sh', host, ...around, RUNNER, BIN, ...argv]
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
  kill(signal: NodeJS.Signals) {
    const { pid } = this.#process
    const inner = textFile(`/proc/${pid}/task/${pid}/children`).trim()
    if (inner !== '') process.kill(Number(inner), signal)
  }
}

function newBarrier() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { open: () => open(), opened }
}

const ROWS = 120

/** A service that takes 20 ms a row; `at` is called when the row of that number has come in, before the answer. */
async function slowService(at: Record<number, () => void | Promise<void>>) {
  const service = await trackingService({
    onUpdate: async (_update, index) => {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await at[index]?.()
      return undefined
    },
  })
  // A resumed job waits for late answers as long as the stopped run would have.
  const push = typed`tracking push --file ${fileOf(scans(ROWS))} --concurrency 1 --timeout 3 --json`
  return { service, push, env: { ...service.env, RMA_DATA_DIR: newFolder() } }
}

const RESUME = typed`jobs resume --last --timeout 2 --json`

function expectEachOnce(taken: readonly ReceivedUpdate[]) {
  const ids = valuesOf(taken, 'shipmentId')
  expect([ids.length, new Set(ids).size]).toEqual([ROWS, ROWS])
}

/** Namespaces of a container engine, and those that Kubernetes gives a pod with `hostUsers: false`. */
const KINDS = [
  ['container', { isPod: false }],
  ['pod', { isPod: true }],
] as const

it.each(KINDS)(
  'a job running or stopped in one %s can’t be resumed in another, and ends by itself',
  async (_kind, kind) => {
    const begun = newBarrier()
    const { service, push, env } = await slowService({ 10: begun.open })
    const owner = new Container(push, env, kind)
    await begun.opened
    const whileItRuns = await new Container(RESUME, env, kind).ended
    owner.kill('SIGSTOP')
    const whileStopped = await new Container(RESUME, env, kind).ended
    owner.kill('SIGCONT')
    for (const { code, stderr } of [whileItRuns, whileStopped]) {
      expect([code, stderr]).toEqual([2, expect.stringMatching(/Job \S+ is being worked on by process 1/)])
    }
    succeeded(await owner.ended)
    expectEachOnce(service.taken)
  },
)

it.each(KINDS)(
  'a job killed in one %s is resumed in another at once, each row sent once',
  async (_kind, kind) => {
    const killed: { owner?: Container } = {}
    const { service, push, env } = await slowService({ 10: () => killed.owner?.kill('SIGKILL') })
    killed.owner = new Container(push, env, kind)
    await killed.owner.ended
    expect(service.updates.length).toBeLessThan(ROWS)
    const started = performance.now()
    expect(jsonOf(succeeded(await new Container(RESUME, env, kind).ended))).toMatchObject({
      succeeded: ROWS,
      unknown: 0,
    })
    expect(performance.now() - started).toBeLessThan(14_000)
    expectEachOnce(service.taken)
  },
)

it('beats protect a living job of another machine, and a suspended one is taken over', async () => {
  const [begun, goOn, stopped] = [newBarrier(), newBarrier(), newBarrier()]
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
  expectEnd(early, 2, ['by process 1 on first-machine'])
  goOn.open()
  await stopped.opened
  const next = await new Container(RESUME, env, { boot: 'second-machine' }).ended
  expect([next.code, jsonOf(next)]).toEqual([0, expect.objectContaining({ succeeded: ROWS })])
  const sent = service.updates.length
  running.owner.kill('SIGCONT')
  expectEnd(await running.owner.ended, 7, ['is no longer locked by this process; nothing more is sent'])
  expect(service.updates.length).toBe(sent)
  expectEachOnce(service.taken)
})

/** Makes every socket in a folder fail, as some network disks do. */
const WITHOUT_SOCKETS = [
  ...['strace', '-f', '-qq', '-o', '/dev/null', '--seccomp-bpf'],
  ...typed`-e trace=bind -e inject=bind:error=EOPNOTSUPP`,
]

it('beats protect a living job on a disk without sockets; a killed one is taken over', async () => {
  const [begun, goOn, killed] = [newBarrier(), newBarrier(), newBarrier()]
  const running: { owner?: Container } = {}
  const kill = () => {
    running.owner?.kill('SIGKILL')
    killed.open()
  }
  const { service, push, env } = await slowService({ 10: begun.open, 20: () => goOn.opened, 25: kill })
  running.owner = new Container(push, env, { around: WITHOUT_SOCKETS })
  await begun.opened
  const early = await new Container(RESUME, env).ended
  expectEnd(early, 2, ['is being worked on by process'])
  goOn.open()
  await killed.opened
  const started = performance.now()
  expect(jsonOf(succeeded(await new Container(RESUME, env).ended))).toEqual(
    expect.objectContaining({ succeeded: ROWS, unknown: 0 }),
  )
  expect(performance.now() - started).toBeGreaterThan(14_000)
  expectEachOnce(service.taken)
})

it('a purchase suspended before sending is not sent once another machine has bought the label', async () => {
  const stopped = newBarrier()
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
  const env = { RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token', RMA_DATA_DIR: newFolder() }
  const request = fileOf(JSON.stringify(labelRequest('SHP-1')))
  const create = (machine: string) =>
    new Container(typed`labels create --from ${request} --out ${newFolder()}`, env, { boot: machine })
  first.owner = create('first-machine')
  await stopped.opened
  succeeded(await create('second-machine').ended)
  first.owner.kill('SIGCONT')
  expectEnd(await first.owner.ended, 7, ['label of SHP-1 is no longer locked'])
  expect(service.posts()).toHaveLength(1)
})

/** Files that are given their final name take two seconds for it. */
const ON_A_SLOW_DISK = [
  ...['strace', '-f', '-qq', '-o', '/dev/null', '--seccomp-bpf', '-e', 'trace=rename,renameat,renameat2'],
  ...typed`-e inject=rename,renameat,renameat2:delay_enter=2000000`,
]

/** The first command runs on a slow disk; the second one starts once the first has the lock. */
async function oneAfterTheOther(lock: string, env: Env, argvs: [string[], string[]]) {
  const first = new Container(argvs[0], env, { around: ON_A_SLOW_DISK })
  while (!existsSync(lock)) await delay(5)
  const second = new Container(argvs[1], env)
  for (const { code, stderr } of [await first.ended, await second.ended]) expect(code, stderr).toBe(0)
}

it('settings that two containers change at once keep both changes', async () => {
  const RMA_CONFIG_DIR = newFolder()
  const add = (name: string) => [
    ...typed`profiles add ${name} --environment production --base-url https://api.example`,
  ]
  const lock = join(RMA_CONFIG_DIR, 'config.json.lock')
  await oneAfterTheOther(lock, { RMA_CONFIG_DIR }, [add('first'), add('second')])
  const { profiles } = jsonFile(join(RMA_CONFIG_DIR, 'config.json'))
  const names = valuesOf(profiles, 'name')
  expect(names).toEqual(expect.arrayContaining(['first', 'second']))
})

it('a manifest that two containers write at once has the labels of both', async () => {
  const { baseUrl } = await labelService()
  const out = newFolder()
  const env = { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token', RMA_DATA_DIR: newFolder() }
  const create = (id: string) => [
    ...typed`labels create --from ${fileOf(JSON.stringify(labelRequest(id)))} --out ${out}`,
  ]
  await oneAfterTheOther(join(out, '.manifest.json.lock'), env, [create('SHP-1'), create('SHP-2')])
  const list = textFile(join(out, 'manifest.json'))
  expect([list.includes('SHP-1'), list.includes('SHP-2')]).toEqual([true, true])
})

const RETURNS = 1000
const platform = usePlatform({ returns: RETURNS })
const SYNC = typed`mirror sync --yes --with none --keep forever --json`

/** A sync that is suspended while it waits for its fourth answer, and what it needs. */
async function suspendedSync(boot?: string) {
  const stopped = newBarrier()
  const running: { sync?: Container } = {}
  const RMA_DATA_DIR = newFolder()
  const service = await scriptServer(async ({ url }, index) => {
    if (index === 3) {
      // Earlier pages are written by then, and their transaction has ended.
      await delay(1500)
      const mirrors = join(RMA_DATA_DIR, 'mirrors')
      const file = readdirSync(mirrors).find((name) => name.endsWith('.db')) ?? ''
      const mirror = new Libsql(join(mirrors, file), { timeout: 30_000 })
      mirror.exec('BEGIN IMMEDIATE; ROLLBACK')
      mirror.close()
      running.sync?.kill('SIGSTOP')
      stopped.open()
    }
    return { body: await platform.get(url) }
  })
  const env = { RMA_BASE_URL: service.baseUrl, RMA_TOKEN: platform.token, RMA_DATA_DIR }
  const sync = new Container(SYNC, env, boot === undefined ? {} : { boot })
  running.sync = sync
  await stopped.opened
  return { sync, env }
}

it('a mirror that a stopped container fills is changed by another only after the first ends', async () => {
  const { sync, env } = await suspendedSync()
  const forget = new Container(typed`mirror forget --older-than 1d --yes --json`, env)
  expect(await Promise.race([forget.ended, delay(3000, 'waits')])).toBe('waits')
  sync.kill('SIGCONT')
  const [synced, forgotten] = [await sync.ended, await forget.ended]
  expect([synced.code, jsonOf(synced).held], synced.stderr).toEqual([0, RETURNS])
  expect([forgotten.code, jsonOf(forgotten).removed], forgotten.stderr).toEqual([0, RETURNS])
})

it('a sync that was suspended writes nothing more once another machine has filled the mirror', async () => {
  const { sync, env } = await suspendedSync('first-machine')
  const second = await new Container(SYNC, env, { boot: 'second-machine' }).ended
  expect(jsonOf(ended(second, 0)).held).toBe(RETURNS)
  sync.kill('SIGCONT')
  expectEnd(await sync.ended, 7, ['The mirror is no longer locked by this process'])
})
