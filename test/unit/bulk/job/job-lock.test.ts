import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { lockHolder, lockJob } from '../../../../src/lib/bulk/job/job-lock.ts'

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
  lockJob(path, 'Job x')
  writeFileSync(path, JSON.stringify({ ...JSON.parse(readFileSync(path, 'utf8')), ...change }))
}

describe('a job', () => {
  it('is one process’s until it lets go', () => {
    expect(lockHolder(path)).toBeUndefined()
    const lock = lockJob(path, 'Job x')
    expect(lockHolder(path)).toEqual({ pid: process.pid, host: hostname() })
    expect(() => lockJob(path, 'Job x')).toThrow(
      refused(new RegExp(`Job x is being worked on by process ${process.pid}`)),
    )
    lock.release()
    expect(lockHolder(path)).toBeUndefined()
    lockJob(path, 'Job x').release()
    expect(readdirSync(folder)).toEqual([])
  })

  it.each([
    ['that is gone', { pid: 4_194_305 }],
    ['whose number another one has now', { started: '1' }],
  ])('is free of a process %s', (_name, change) => {
    lockAs(change)
    expect(lockHolder(path)).toBeUndefined()
    const lock = lockJob(path, 'Job x')
    expect(lockHolder(path)?.pid).toBe(process.pid)
    lock.release()
    expect(readdirSync(folder)).toEqual([])
  })

  it('is not free of one on another machine, which can’t be seen', () => {
    lockAs({ host: 'elsewhere', pid: 4_194_305 })
    expect(() => lockJob(path, 'Job x')).toThrow(refused(/by process 4194305 on elsewhere/))
    expect(lockHolder(path)).toEqual({ pid: 4_194_305, host: 'elsewhere' })
  })

  it.each(['', '{}', 'nonsense', '{"pid":1,"host":"h","started":"","id":"../x"}'])(
    'with a lock that holds %j is left alone',
    (text) => {
      writeFileSync(path, text)
      expect(() => lockJob(path, 'Job x')).toThrow(refused(/can't be read: .*lock/))
      expect(readFileSync(path, 'utf8')).toBe(text)
    },
  )

  it('is not let go by one that has lost it', () => {
    const lock = lockJob(path, 'Job x')
    rmSync(path)
    const other = lockJob(path, 'Job x')
    lock.release()
    expect(lockHolder(path)?.pid).toBe(process.pid)
    other.release()
    expect(lockHolder(path)).toBeUndefined()
  })

  it('is free when one died while it took the lock of another that had died', () => {
    lockAs({ pid: 4_194_305, id: 'first' })
    const dead = readFileSync(path, 'utf8')
    writeFileSync(`${path}.first`, dead.replace('first', 'second'))
    lockJob(path, 'Job x').release()
    expect(readdirSync(folder)).toEqual([])
  })
})
