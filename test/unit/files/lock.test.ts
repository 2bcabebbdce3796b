import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockHolder, takeLock, withLock } from '../../../src/lib/files/lock.ts'

let folder = ''
let path = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'rma-lock-'))
  path = join(folder, 'lock')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const refused = (words: RegExp) =>
  expect.objectContaining({ kind: 'usage', message: expect.stringMatching(words) })
/** The lock of this process, as it would stand there under changed circumstances. */
function lockAs(change: object): void {
  takeLock(path, 'Job x')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
}

describe('a lock', () => {
  it('is one process’s until it lets go', () => {
    expect(lockHolder(path)).toBeUndefined()
    const lock = takeLock(path, 'Job x')
    expect(lockHolder(path)).toEqual({ pid: process.pid, host: hostname() })
    expect(() => takeLock(path, 'Job x')).toThrow(
      refused(new RegExp(`Job x is being worked on by process ${process.pid}`)),
    )
    lock.release()
    expect(lockHolder(path)).toBeUndefined()
    takeLock(path, 'Job x').release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['that is gone', { pid: 4_194_305 }],
    ['whose number another one has now', { started: '1' }],
  ])('is free of a process %s', (_name, change) => {
    lockAs(change)
    expect(lockHolder(path)).toBeUndefined()
    const lock = takeLock(path, 'Job x')
    expect(lockHolder(path)?.pid).toBe(process.pid)
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not free of one on another machine, which can’t be seen', () => {
    lockAs({ host: 'elsewhere', pid: 4_194_305 })
    expect(() => takeLock(path, 'Job x')).toThrow(refused(/by process 4194305 on elsewhere/))
    expect(lockHolder(path)).toEqual({ pid: 4_194_305, host: 'elsewhere' })
  })

  it.each(['', '{}', 'nonsense', '{"pid":1,"host":"h","started":"","id":"../x"}'])(
    'with a lock that holds %j is left alone',
    (text) => {
      writeFileSync(path, text)
      expect(() => takeLock(path, 'Job x')).toThrow(refused(/can't be read: .*lock/))
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  it('that is empty for long is of nobody: a disk without hard links filled up between making and filling it', () => {
    writeFileSync(path, '')
    const longAgo = Date.now() / 1000 - 11
    utimesSync(path, longAgo, longAgo)
    takeLock(path, 'Job x').release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not let go by one that has lost it', () => {
    const lock = takeLock(path, 'Job x')
    rmSync(path)
    const other = takeLock(path, 'Job x')
    lock.release()
    expect(lockHolder(path)?.pid).toBe(process.pid)
    other.release()
    expect(lockHolder(path)).toBeUndefined()
  })

  it('is free when one died while it took the lock of another that had died', () => {
    lockAs({ pid: 4_194_305, id: 'first' })
    const dead = readFileSync(path, 'utf8')
    writeFileSync(`${path}.first`, dead.replace('first', 'second'))
    takeLock(path, 'Job x').release()
    expect(readdirSync(folder)).toEqual([])
  })
})

describe('waiting for a lock', () => {
  const wait = { what: 'The list', kind: 'config', waitMs: 10_000 } as const

  it('is over when the action before it ends, however it ends', async () => {
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

  it('ends with an error of the wanted kind, or with the signal', async () => {
    const lock = takeLock(path, 'Job x')
    const never = () => Promise.reject(new Error('ran'))
    await expect(withLock(path, { ...wait, waitMs: 30 }, never)).rejects.toMatchObject({
      kind: 'config',
      message: `The list is being worked on by process ${process.pid}.`,
    })
    await expect(withLock(path, { ...wait, signal: AbortSignal.timeout(30) }, never)).rejects.toThrow(/abort/)
    lock.release()
  })
})
