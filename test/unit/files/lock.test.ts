import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdLiveness, Observer } from '../../../src/lib/files/liveness.ts'
import { assertLocksOwned, lockHolder, takeLock, withLock } from '../../../src/lib/files/lock.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { expectRejection } from '../../helpers/rejections.ts'

let folder = ''
let path = ''
let children: ChildProcess[] = []
beforeEach(() => {
  folder = newFolder()
  path = join(folder, 'lock')
  children = []
})
afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
})

const age = (file: string, seconds: number) =>
  utimesSync(file, Date.now() / 1000 - seconds, Date.now() / 1000 - seconds)

/** Names of liveness files that another process of this machine would have. */
async function otherName() {
  const liveness = await holdLiveness(folder)
  liveness.release()
  return liveness.name.replace(/[0-9a-f]{16}\.alive$/, '0123456789abcdef.alive')
}

const listening = (name: string, then: string) => [
  '-e',
  `require('node:net').createServer().listen(process.argv[1], () => ${then})`,
  join(folder, name),
]

async function deadProcess() {
  const name = await otherName()
  spawnSync(process.execPath, listening(name, 'process.kill(process.pid, "SIGKILL")'))
  return name
}

async function stoppedProcess() {
  const name = await otherName()
  const child = spawn(process.execPath, listening(name, 'console.log("listens")'))
  children.push(child)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.kill('SIGSTOP')
  return name
}

function lockOf(alive: string | undefined, change = {}, at = path) {
  writeFileSync(at, JSON.stringify({ pid: 7, host: hostname(), id: 'theirs', alive, ...change }))
}

/** Takes and releases the lock, and asserts what is left in its folder. */
async function expectFree(at = path, left: string[] = []) {
  const lock = await takeLock(at, 'Job x')
  lock.release()
  expect(readdirSync(folder)).toEqual(left)
}

it('a lock belongs to one process until it releases it', async () => {
  expect(await lockHolder(path)).toBeUndefined()
  const lock = await takeLock(path, 'Job x')
  expect(await lockHolder(path)).toEqual({ pid: process.pid, host: hostname() })
  const words = new RegExp(`Job x is being worked on by process ${process.pid}`)
  await expectRejection(takeLock(path, 'Job x'), 'usage', words)
  lock.release()
  expect(await lockHolder(path)).toBeUndefined()
  await expectFree()
})

it('the lock of a killed process is taken over, and its remains are removed', async () => {
  lockOf(await deadProcess())
  expect(await lockHolder(path)).toBeUndefined()
  const lock = await takeLock(path, 'Job x')
  expect((await lockHolder(path))?.pid).toBe(process.pid)
  lock.release()
  expect(readdirSync(folder)).toEqual([])
})

it('the lock of a stopped process is not taken over', async () => {
  lockOf(await stoppedProcess(), { host: 'elsewhere' })
  await expectRejection(takeLock(path, 'Job x'), 'usage', /by process 7 on elsewhere/)
  expect(await lockHolder(path)).toEqual({ pid: 7, host: 'elsewhere' })
})

it('a lock whose process has no liveness file is free, since that file is removed last', async () => {
  lockOf(await otherName())
  await expectFree()
})

it.each(['', '{}', 'nonsense', '{"pid":1,"host":"h","alive":".a","id":"../x"}'])(
  'a lock that holds %j is left alone',
  async (text) => {
    writeFileSync(path, text)
    await expectRejection(takeLock(path, 'Job x'), 'usage', /can't be read: .*lock/)
    expect(textFile(path)).toBe(text)
  },
)

it('a long empty lock is taken over: a disk without hard links was full when it was made', async () => {
  writeFileSync(path, '')
  age(path, 11)
  await expectFree()
})

it('a lost lock is not released by its former process, which sends nothing more', async () => {
  const lock = await takeLock(path, 'Job x')
  assertLocksOwned()
  rmSync(path)
  const other = await takeLock(path, 'Job x')
  await new Promise((resolve) => setTimeout(resolve, 20))
  expect(assertLocksOwned).toThrow('Job x is no longer locked by this process; nothing more is sent')
  lock.release()
  assertLocksOwned()
  expect((await lockHolder(path))?.pid).toBe(process.pid)
  other.release()
  expect(await lockHolder(path)).toBeUndefined()
})

it('a lock is free after a process died while taking it from another dead one', async () => {
  const name = await deadProcess()
  lockOf(name, { id: 'first' })
  lockOf(name, { id: 'second' }, `${path}.first`)
  await expectFree()
})

it('remains of a process killed an hour ago are removed, and those of a stopped one kept', async () => {
  const dead = await deadProcess()
  writeFileSync(join(folder, `${dead}.draft`), '')
  age(join(folder, dead), 3600)
  // The folder of this test was looked through when its liveness file was made.
  const other = join(folder, '.')
  await expectFree(`${other}/./lock`)
  const stopped = await stoppedProcess()
  age(join(folder, stopped), 3600)
  await expectFree(`${other}/././lock`, [stopped])
})

describe('without a kernel that tells, a lock', () => {
  const name = '.rma-none-0123456789abcdef.alive'
  const beat = (times: number) => utimesSync(join(folder, name), times, times)

  function observed() {
    writeFileSync(join(folder, name), '')
    const clock = { ms: 0 }
    return { clock, observer: new Observer(folder, () => clock.ms) }
  }

  /** Looks every half second for some seconds. */
  async function watch(observer: Observer, clock: { ms: number }, seconds: number, beats = false) {
    const verdicts = new Set<string>()
    for (let look = 0; look < seconds * 2; look += 1) {
      clock.ms += 500
      if (beats) beat(clock.ms)
      verdicts.add(await observer.judge(name))
    }
    return [...verdicts]
  }

  it('a lock is held while the liveness file changes, and free after three missed beats', async () => {
    const { clock, observer } = observed()
    expect(await watch(observer, clock, 14)).toEqual(['unclear'])
    expect(await watch(observer, clock, 60, true)).toEqual(['alive'])
    expect(await watch(observer, clock, 14)).toEqual(['alive'])
    expect(await watch(observer, clock, 2)).toEqual(['alive', 'dead'])
  })

  it('a lock is not taken over because the observer itself was suspended', async () => {
    const { clock, observer } = observed()
    await watch(observer, clock, 1)
    clock.ms += 3_600_000
    expect(await observer.judge(name)).toBe('unclear')
  })
})

const wait = { what: 'The list', kind: 'config', waitMs: 10_000 } as const

it('a wait for a lock ends when the action before it ends, however it ends', async () => {
  const order: string[] = []
  const first = withLock(path, wait, async () => {
    order.push('first')
    await new Promise((resolve) => setTimeout(resolve, 50))
    order.push('ended')
    throw new Error('inside')
  })
  const second = withLock(path, wait, async () => order.push('second'))
  await expect(first).rejects.toThrow('inside')
  await second
  expect(order).toEqual(['first', 'ended', 'second'])
  expect(readdirSync(folder)).toEqual([])
})

it('a wait for a lock ends with an error of the given kind, or with the signal', async () => {
  const lock = await takeLock(path, 'Job x')
  const never = () => Promise.reject(new Error('ran'))
  await expectRejection(
    withLock(path, { ...wait, waitMs: 30 }, never),
    'config',
    `The list is being worked on by process ${process.pid}.`,
  )
  await expect(withLock(path, { ...wait, signal: AbortSignal.timeout(30) }, never)).rejects.toThrow('abort')
  lock.release()
})
