import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Job } from '../../../../src/lib/bulk/job/job-folder.ts'
import { createJob, jobIds, openJob, readJob } from '../../../../src/lib/bulk/job/job-folder.ts'
import { pruneJobs } from '../../../../src/lib/bulk/job/prune-jobs.ts'
import { ALL_SUCCEEDED } from '../../../helpers/bulk-fakes.ts'
import { expectPrivate, newFolder } from '../../../helpers/files.ts'
import { expectRejection } from '../../../helpers/rejections.ts'

let dir = ''
beforeEach(() => {
  dir = join(newFolder(), 'data', 'jobs')
})

const NEW = {
  baseUrl: 'https://example.com',
  input: { path: '/tmp/updates.csv', sha256: 'abc', options: {} },
  options: { concurrency: 8 },
  total: 10,
}
const NOON = '2026-11-20T12:00:00.000Z'
/** Letters of ids: those that the numbers stand for. */
const making = (now: string, letters = [0]) => {
  let at = 0
  return { now: new Date(now), random: () => (letters[at++ % letters.length] ?? 0) / 31 }
}
const newJob = (how = making(NOON)) => createJob(dir, NEW, how)
/** Removes a job as it is. */
const around = (_job: Job, remove: () => Promise<void>) => remove()
type JobResult = Parameters<Job['writeResult']>[0]
const DONE: JobResult = { ...ALL_SUCCEEDED, ended: NOON, journalBytes: 13 }

it('a new job is a private folder that holds its request', async () => {
  const job = await newJob(making(NOON, [0, 1, 2, 30]))
  expect(job.id).toBe('20261120-1200-234z')
  expect(statSync(job.directory).mode & 0o777).toBe(0o700)
  expectPrivate(join(job.directory, 'job.json'))
  expect(readdirSync(job.directory)).toEqual(['job.json', 'journal'])
  const { info } = await readJob(dir, job.id)
  expect(info).toEqual({ version: 1, id: job.id, created: NOON, ...NEW })
})

it('each job has its own id', async () => {
  const one = await newJob(making(NOON, [0]))
  const other = await newJob(making(NOON, [0, 0, 0, 0, 0, 0, 0, 1]))
  expect([one.id, other.id]).toEqual(['20261120-1200-2222', '20261120-1200-2223'])
})

it("a job in a folder that can't be made is an error of settings", async () => {
  mkdirSync(join(dir, '..'), { recursive: true })
  writeFileSync(dir, 'a file')
  await expect(newJob()).rejects.toMatchObject({
    kind: 'config',
    hints: expect.arrayContaining([expect.stringContaining('RMA_DATA_DIR')]),
  })
})

it('a job is found by its id, by a unique end of it, or as the latest', async () => {
  const first = await newJob(making('2026-11-20T12:00:10Z', [5]))
  // Within one minute the letters do not tell the order.
  const last = await newJob(making('2026-11-20T12:00:20Z', [0]))
  const old = await newJob(making('2026-11-19T12:00:00Z', [9]))
  expect(await jobIds(dir)).toEqual([old.id, last.id, first.id])
  expect((await openJob(dir, { last: true })).id).toBe(last.id)
  expect((await openJob(dir, first.id)).id).toBe(first.id)
  expect((await openJob(dir, old.id.slice(-4))).id).toBe(old.id)
  await newJob(making('2026-11-18T12:00:00Z', [9]))
  await expect(openJob(dir, old.id.slice(-4))).rejects.toMatchObject({
    kind: 'usage',
    message: `2 jobs end in -${old.id.slice(-4)}.`,
    hints: [expect.stringContaining(old.id)],
  })
  await expect(openJob(dir, '20261120-1200-222w')).rejects.toMatchObject({
    kind: 'not-found',
    hints: [`did you mean ${last.id}?`, expect.any(String)],
  })
})

it('a job that does not exist is not found', async () => {
  expect(await jobIds(dir)).toEqual([])
  await expectRejection(openJob(dir, { last: true }), 'not-found')
})

it('foreign folders are ignored, but not an unreadable job', async () => {
  const { id } = await newJob()
  for (const name of ['notes', '20991231-2359-zzzz']) mkdirSync(join(dir, name))
  expect(await jobIds(dir)).toEqual([id])
  expect((await openJob(dir, { last: true })).id).toBe(id)
  writeFileSync(join(dir, '20991231-2359-zzzz/job.json'), '{')
  await expectRejection(openJob(dir, { last: true }), 'config')
})

describe('removing', () => {
  it.each<[string, Partial<JobResult> | undefined, boolean, boolean]>([
    ['one that is done', {}, false, true],
    ['one with failed rows, which can be tried again', { failed: 1, succeeded: 9 }, false, false],
    ['one with failed rows, by force', { failed: 1, succeeded: 9 }, true, true],
    ['one that goes on', { remaining: 3, succeeded: 7 }, false, false],
    ['one of which rows are unknown', { unknown: 1, succeeded: 9 }, false, false],
    ['one whose process was killed', undefined, false, false],
    ['one that goes on, by force', { remaining: 3, succeeded: 7 }, true, true],
    ['one whose process was killed, by force', undefined, true, true],
  ])('%s', async (_name, result, force, isRemoved) => {
    const job = await newJob()
    if (result) await job.writeResult({ ...DONE, ...result })
    else utimesSync(job.journalPath, new Date(NOON), new Date(NOON))
    const early = await pruneJobs(dir, { endedBefore: new Date(Date.parse(NOON) - 1), force, around })
    expect(early).toEqual({ removed: [], kept: ['recent'] })
    const pruned = await pruneJobs(dir, { endedBefore: new Date(Date.parse(NOON) + 1), force, around })
    expect(pruned).toEqual(isRemoved ? { removed: [job.id], kept: [] } : { removed: [], kept: ['open'] })
    expect(readdirSync(dir)).toEqual(isRemoved ? [] : [job.id])
  })

  it('prune removes no running or unreadable job', async () => {
    const job = await newJob()
    await job.writeResult(DONE)
    const lock = await job.lock()
    mkdirSync(join(dir, '20261120-1200-dddd'))
    writeFileSync(join(dir, '20261120-1200-dddd/job.json'), '{}')
    const all = { endedBefore: new Date('2027-01-01'), force: true, around }
    expect(await pruneJobs(dir, all)).toEqual({ removed: [], kept: ['running', 'unreadable'] })
    lock.release()
    expect((await pruneJobs(dir, all)).removed).toEqual([job.id])
  })

  it('starting a run discards the result of the previous one', async () => {
    const job = await newJob()
    expect(await job.result()).toBeUndefined()
    await job.writeResult(DONE)
    expect(await job.result()).toMatchObject(DONE)
    const journal = await job.openJournal()
    await journal.intend([0])
    await journal.close()
    expect(await job.result()).toBeUndefined()
    const after = { ...DONE, journalBytes: journal.syncedBytes }
    await job.writeResult(after)
    expect(await job.result()).toMatchObject(after)
  })
})

const lost = (words: RegExp) => ({ kind: 'config', message: expect.stringMatching(words) })

it('a missing or empty journal is never recreated', async () => {
  const job = await newJob()
  await (await job.openJournal()).close()
  writeFileSync(job.journalPath, '')
  await expect(job.openJournal()).rejects.toMatchObject(lost(/journal was cut\. Nothing was sent/))
  rmSync(job.journalPath)
  for (const read of [() => job.openJournal(), () => job.recover()])
    await expect(read()).rejects.toMatchObject(lost(/journal is gone\. Nothing was sent/))
  expect(existsSync(job.journalPath)).toBe(false)
})

it('a journal shorter than a run left it is refused, whatever another run did since', async () => {
  const job = await newJob()
  const journal = await job.openJournal()
  await journal.intend([0, 1])
  journal.end(0, { status: 'succeeded', attempts: 1 })
  await journal.close()
  await job.writeResult({ ...DONE, journalBytes: journal.syncedBytes })
  const whole = readFileSync(job.journalPath)
  expect(journal.syncedBytes).toBe(whole.length)
  writeFileSync(job.journalPath, whole.subarray(0, whole.lastIndexOf(' s ') - 8))
  await expect(job.recover()).rejects.toMatchObject(lost(/journal was cut/))
  await expect(job.openJournal()).rejects.toMatchObject(lost(/journal was cut/))
  writeFileSync(job.journalPath, Buffer.concat([whole, Buffer.from('torn')]))
  expect((await job.recover()).ledger.state(0)).toBe('succeeded')
})
