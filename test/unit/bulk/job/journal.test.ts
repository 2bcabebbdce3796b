import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import {
  createJournal,
  Journal,
  type JournalFile,
  openJournal,
} from '../../../../src/lib/bulk/job/journal.ts'
import { journalBytes, recover } from '../../../../src/lib/bulk/job/journal-record.ts'
import { Ledger } from '../../../../src/lib/bulk/job/ledger.ts'
import { type UnsuccessfulRow, UnsuccessfulRows } from '../../../../src/lib/bulk/job/unsuccessful-rows.ts'
import { expectPrivate, newFolder } from '../../../helpers/files.ts'
import { times, valuesOf } from '../../../helpers/values-of.ts'

let directory = ''
let path = ''

beforeEach(() => {
  directory = newFolder()
  path = join(directory, 'journal')
})

const failure = { row: 4, key: 'R#-ä😀', code: 'TR02', message: 'not\nallowed' }

const SUCCEEDED = { status: 'succeeded', attempts: 1 } as const
const recovered = () => recover(journalBytes(path), path)

async function newJournal() {
  await createJournal(path)
  return openJournal(path, 0)
}

async function listed() {
  const rows: UnsuccessfulRow[] = []
  for await (const row of await UnsuccessfulRows.of(path)) rows.push(row)
  return rows
}

/** Row 0 succeeded, 1 failed, 2 was sent, 3 was taken back, 4 is unknown. */
async function written() {
  const journal = await newJournal()
  await journal.intend([0, 1, 2, 3])
  journal.end(0, SUCCEEDED)
  journal.end(1, { status: 'failed', attempts: 4, failure })
  journal.withdraw([3])
  await journal.intend([4])
  journal.end(4, { status: 'unknown', attempts: 2, failure: { ...failure, row: 7 } })
  await journal.close()
  return readFileSync(path)
}

it('an opened journal knows when it was written last, whether or not its end was torn off', async () => {
  await createJournal(path)
  for (const torn of ['', '{"type":']) {
    writeFileSync(path, torn, { flag: 'a' })
    utimesSync(path, 1000, 1000)
    const journal = await openJournal(path, 0)
    expect(journal.changedMs).toBe(1_000_000)
    await journal.close()
  }
})

it('an opened journal knows when the last request was made', async () => {
  await createJournal(path)
  utimesSync(path, 1000, 1000)
  const journal = await openJournal(path, 0)
  journal.requested()
  await journal.close()
  const again = await openJournal(path, 0)
  expect(Math.abs(Date.now() - again.changedMs)).toBeLessThan(20_000)
  await again.close()
})

it('a failed row whose request may still be taken is looked up before a retry', async () => {
  const journal = await newJournal()
  await journal.intend([0, 1])
  journal.end(0, { status: 'failed', attempts: 4, isDoubtful: true, failure })
  journal.end(1, { status: 'failed', attempts: 1, failure })
  await journal.close()
  expect((await UnsuccessfulRows.of(path)).count).toBe(2)
  const again = await openJournal(path, 0)
  const { ledger } = again
  await again.close()
  expect(ledger.counts()).toMatchObject({ failed: 2, sent: 0 })
  ledger.reopen({ unknown: false })
  expect([ledger.state(0), ledger.state(1)]).toEqual(['sent', 'new'])
})

it('a journal restores the outcome of each row after a restart', async () => {
  await written()
  expectPrivate(path)
  const journal = await openJournal(path, 0)
  const states = [0, 1, 2, 3, 4, 5].map((row) => journal.ledger.state(row))
  expect(states).toEqual(['succeeded', 'failed', 'sent', 'new', 'unknown', 'new'])
  expect(journal.ledger.counts()).toMatchObject({
    sent: 1,
    succeeded: 1,
    failed: 1,
    unknown: 1,
    skipped: 0,
  })
  await journal.close()
  expect(await listed()).toEqual([
    { ...failure, ordinal: 1, status: 'failed', attempts: 4 },
    { ...failure, row: 7, ordinal: 4, status: 'unknown', attempts: 2 },
  ])
})

it('a journal distinguishes rows that changed nothing from those that did', async () => {
  const journal = await newJournal()
  await journal.intend([0, 1, 2])
  journal.end(0, SUCCEEDED)
  journal.end(1, { status: 'succeeded', attempts: 2, notApplied: 'duplicate' })
  journal.end(2, { status: 'succeeded', attempts: 1, notApplied: 'stale' })
  await journal.close()
  const { ledger } = await recovered()
  expect([0, 1, 2].map((row) => ledger.state(row))).toEqual(['succeeded', 'duplicate', 'stale'])
  expect(ledger.counts()).toMatchObject({ sent: 0, succeeded: 3, duplicate: 1, stale: 1, failed: 0 })
  expect([0, 1, 2].every((row) => ledger.hasEnded(row))).toBe(true)
  expect(await listed()).toEqual([])
})

it('a new pass counts by the latest outcome', async () => {
  await written()
  const journal = await openJournal(path, 0)
  await journal.beginPass({ unknown: true })
  const states = [0, 1, 4].map((row) => journal.ledger.state(row))
  expect(states, 'an unknown row is looked at, never sent blindly').toEqual(['succeeded', 'new', 'sent'])
  journal.end(1, SUCCEEDED)
  await journal.close()
  const { ledger } = await recovered()
  expect(ledger.counts()).toMatchObject({ sent: 2, succeeded: 2, failed: 0, unknown: 0, skipped: 0 })
  expect(await listed()).toEqual([])
})

it('a pass over the failed rows leaves unknown rows alone', async () => {
  await written()
  const journal = await openJournal(path, 0)
  await journal.beginPass({ unknown: false })
  await journal.close()
  const { ledger } = await recovered()
  expect([1, 4].map((row) => ledger.state(row))).toEqual(['new', 'unknown'])
  expect(valuesOf(await listed(), 'ordinal')).toEqual([4])
})

it('rows are listed in input order, wherever they ended in a long journal', async () => {
  const journal = await newJournal()
  const ordinals = times(3000, (index) => (index * 1001) % 3000)
  await journal.intend(ordinals)
  for (const ordinal of ordinals) {
    journal.end(ordinal, { status: 'failed', attempts: 1, failure: { ...failure, row: ordinal + 2 } })
  }
  journal.end(7, { status: 'succeeded', attempts: 2 })
  await journal.close()
  const rows = await listed()
  expect(valuesOf(rows, 'row')).toEqual(ordinals.map((_row, at) => at + 2).filter((row) => row !== 9))
  expect(rows.every(({ ordinal, row, message }) => row === ordinal + 2 && message === failure.message)).toBe(
    true,
  )
  expect((await UnsuccessfulRows.of(path)).count).toBe(2999)
})

it('a journal cut at any byte after its first line is readable and can be continued', async () => {
  const whole = await written()
  for (let length = whole.indexOf('\n') + 1; length < whole.length; length++) {
    writeFileSync(path, whole.subarray(0, length))
    const journal = await openJournal(path, 0)
    await journal.intend([9])
    await journal.close()
    const { ledger } = await recovered()
    expect(ledger.state(9), `cut at ${length}`).toBe('sent')
  }
})

it.each([
  ['zeros', Buffer.alloc(3000)],
  ['noise with newlines', Buffer.from('\n\xff\xfe deadbeef i 1\n\n x', 'latin1')],
  ['a line without an end', Buffer.alloc(200_000, 'x')],
])('a torn end of the journal, %s, is cut off', async (_name, garbage) => {
  const whole = await written()
  writeFileSync(path, Buffer.concat([whole, garbage]))
  const journal = await openJournal(path, 0)
  expect(journal.ledger.counts().succeeded).toBe(1)
  await journal.close()
  expect(readFileSync(path).equals(whole)).toBe(true)
})

it('a journal with a flipped bit before its last line is refused', async () => {
  const whole = await written()
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  for (let at = 0; at < lastLine; at += 3) {
    const bytes = Buffer.from(whole)
    bytes[at] = (bytes[at] ?? 0) ^ 0x10
    writeFileSync(path, bytes)
    const lineStart = whole.lastIndexOf(0x0a, at - 1) + 1
    const start = at === 0 ? 0 : lineStart
    await expect(openJournal(path, 0), `at ${at}`).rejects.toThrow(
      `${path} is damaged at byte ${start}. Nothing was sent.`,
    )
    expect(readFileSync(path).equals(bytes), 'it is left as it is').toBe(true)
  }
})

it('a journal of a later version is refused', async () => {
  const { encodeRecord } = await import('../../../../src/lib/bulk/job/journal-record.ts')
  writeFileSync(path, encodeRecord({ type: 'header', version: 2 }))
  await expect(openJournal(path, 0)).rejects.toThrow('later version')
})

it('createJournal refuses an existing file', async () => {
  await written()
  await expect(createJournal(path)).rejects.toThrow(`${path} can't be opened (EEXIST)`)
})

/** A file whose syncs end when the test says so. */
class SlowFile implements JournalFile {
  text = ''
  syncs: (() => void)[] = []
  error: Error | undefined
  async write(text: string) {
    if (this.error) throw this.error
    this.text += text
  }
  sync() {
    return new Promise<void>((resolve) => this.syncs.push(resolve))
  }
  touch() {}
  async close() {}
}

const turn = () => new Promise(setImmediate)

it('the journal syncs before rows are sent, and syncs waiting writes together', async () => {
  const file = new SlowFile()
  const journal = new Journal(file, new Ledger(), 'journal')
  const done: number[] = []
  journal.intend([0]).then(() => done.push(0))
  await turn()
  journal.intend([1]).then(() => done.push(1))
  journal.intend([2]).then(() => done.push(2))
  journal.end(0, SUCCEEDED)
  await turn()
  expect(file.text.split('\n')).toHaveLength(2)
  expect(done).toEqual([])
  file.syncs.shift()?.()
  await turn()
  expect(done).toEqual([0])
  expect(file.text.split('\n')).toHaveLength(5)
  expect(file.syncs).toHaveLength(1)
  file.syncs.shift()?.()
  await turn()
  expect(done).toEqual([0, 1, 2])
})

it.each([
  ['ENOSPC', 'the disk is full', 'make room on that disk, then resume the job'],
  ['EIO', 'the disk reports an error', 'check that disk, then resume the job'],
])('the journal stops writing after %s, and names its path', async (code, why, hint) => {
  const file = new SlowFile()
  const journal = new Journal(file, new Ledger(), '/jobs/1/journal')
  file.error = Object.assign(new Error('write'), { code })
  const expected = {
    kind: 'unavailable',
    message: expect.stringContaining(`/jobs/1/journal can't be written: ${why}`),
    hints: [hint],
  }
  await expect(journal.intend([0])).rejects.toMatchObject(expected)
  file.error = undefined
  journal.end(0, SUCCEEDED)
  await expect(journal.intend([1])).rejects.toMatchObject(expected)
  await expect(journal.sync()).rejects.toMatchObject(expected)
  expect(journal.failure).toMatchObject(expected)
  expect(file.text, 'a record after a lost one would look like damage').toBe('')
  expect(journal.ledger.state(0), 'known for the report').toBe('succeeded')
})
