import { createHash } from 'node:crypto'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readJob } from '../../src/lib/bulk/job/job-folder.ts'
import {
  asTyped,
  ended,
  errorOf,
  expectEnd,
  itemsOf,
  jsonOf,
  jwt,
  succeeded,
  typed,
} from '../helpers/command-line.ts'
import { jsonFile, textFile } from '../helpers/files.ts'
import { type RunOptions, runIn } from '../helpers/run-cli.ts'
import { refusal } from '../helpers/script-server.ts'
import {
  expiredService,
  fileOf,
  type ServiceOptions,
  scans,
  type TrackingService,
  trackingService,
} from '../helpers/tracking-service.ts'
import { times, valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/audit/list.ts'
import '../../src/commands/jobs/list.ts'
import '../../src/commands/jobs/merge.ts'
import '../../src/commands/jobs/prune.ts'
import '../../src/commands/jobs/resume.ts'
import '../../src/commands/jobs/retry.ts'
import '../../src/commands/jobs/show.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/sandbox/reset.ts'
import '../../src/commands/tracking/push.ts'

/** A service whose job is in a state: of ten rows two fail, one is unknown, some remain. */
async function unfinished({
  remain = 0,
  ...ends
}: {
  fail?: boolean
  unknown?: boolean
  remain?: number
} = {}) {
  const state = { isMended: false }
  const service = await trackingService({
    onUpdate: ({ shipmentId }, index) => {
      if (state.isMended) return undefined
      if (remain > 0 && index >= 10 - remain) return refusal('AU03', 'expired', 401)
      if (ends.fail && /-[34]$/.test(shipmentId)) return refusal('TR02', `no, ${shipmentId}`)
      // Taken, but nobody says so.
      return ends.unknown && shipmentId === 'R#-5' ? { fault: 'reset', isTaken: true } : undefined
    },
    onLook: () => (state.isMended ? undefined : refusal('VA01')),
  })
  const path = fileOf(scans(10))
  // Another folder may be the current one later.
  // A run that resumes waits as long as a request of this one may take.
  const argv = typed`tracking push --file ${relative('.', path)} --concurrency 1 --timeout 1 --json`
  const begun = await service.run(argv)
  const mend = () => {
    state.isMended = true
  }
  return { ...service, argv, path, mend, begun, summary: jsonOf(begun) }
}

const json = ({ run }: Pick<TrackingService, 'run'>) =>
  asTyped(async (argv) => jsonOf(expectEnd(await run`${argv} --json`, 0, '')))

it('an empty list of jobs is a success', async () => {
  const { run } = await trackingService()
  expect(await run`jobs list --json`).toMatchObject({ code: 0, stdout: '[]\n' })
  expect((await run`jobs list`).stderr).toContain('No jobs')
  ended(await run`jobs show --last`, 5)
  expectEnd(await run`jobs show`, 2, ['--last'])
})

it.each([
  [{}, 'done', 0],
  [{ fail: true }, 'failed', 9],
  [{ unknown: true }, 'unknown', 10],
  [{ fail: true, unknown: true, remain: 3 }, 'remaining', 4],
])('jobs list and jobs show tell of a job that ended with %j', async (ends, state, exit) => {
  const service = await unfinished(ends)
  expect(service.begun.code).toBe(exit)
  const [job] = await json(service)`jobs list`
  const { jobId, total, succeeded, failed, unknown, skipped, remaining } = service.summary
  const counts = { total, succeeded, failed, unknown, skipped, remaining }
  expect(counts).toEqual({
    total: 10,
    succeeded: 10 - failed - unknown - remaining,
    failed: 'fail' in ends ? 2 : 0,
    unknown: 'unknown' in ends ? 1 : 0,
    skipped: 0,
    remaining: 'remain' in ends ? 3 : 0,
  })
  expect(job).toMatchObject({
    jobId,
    state,
    ...counts,
    baseUrl: service.baseUrl,
    folder: service.jobFolder(),
    failedFile: 'fail' in ends ? join(service.jobFolder(), 'failed.csv') : null,
  })
  const table = await service.run`jobs list`
  expect(table.stdout).toMatch(new RegExp(`${jobId} +${state} +10 `))
  const shown = await json(service)`jobs show --last`
  expect(shown).toMatchObject(job)
  const failures = 'fail' in ends ? ['R#-3', 'R#-4'] : []
  const expected = 'unknown' in ends ? [...failures, 'R#-5'] : failures
  expect(valuesOf(shown.rows, 'key')).toEqual(expected)
  const details = await service.run`jobs show ${jobId.slice(-4)}`
  expect(details.stdout).toContain(jobId)
  expect(details.stdout).toMatch(/\nCreated +\d{4}-\d\d-\d\d \d\d:\d\d\n/)
  if ('fail' in ends) {
    expect(details.stdout).toMatch(/\n {2}TR02 +no, … \(2 rows, first: row 4, R#-3\)\n/)
    expect(shown.reasons[0]).toMatchObject({ code: 'TR02', count: 2, row: 4, key: 'R#-3' })
  }
})

it('jobs show says why a job stopped, where that is known', async () => {
  const why = async (flags: string[], options: ServiceOptions, more: RunOptions = {}) => {
    const service = await trackingService(options)
    await service.run(typed`tracking push --file ${fileOf(scans(20))} --concurrency 1 ${flags}`, more)
    const shown = (await service.run`jobs show --last`).stdout
    rmSync(join(service.jobFolder(), 'result.json'))
    expect((await json(service)`jobs show --last`).stopped).toContain('killed')
    return shown
  }
  const failing = { onUpdate: () => refusal('TR02') }
  expect(await why(typed`--max-failures 2`, failing)).toMatch(
    /^Stopped +Stopped, because too many rows failed; 17 rows remain\.$/m,
  )
  const expired = { onUpdate: () => refusal('AU03', 'expired', 401) }
  expect(await why([], expired)).toMatch(/^Stopped +.*20 rows remain\.$/m)
  const [interrupt, interrupted] = [new AbortController(), /^Stopped +Interrupted; \d+ rows remain\.$/m]
  const slow = {
    onUpdate: () => {
      interrupt.abort()
      return undefined
    },
  }
  expect(await why([], slow, { interrupt: interrupt.signal })).toMatch(interrupted)
})

it('jobs are listed newest first, and found by id or by --last', async () => {
  const service = await trackingService()
  const push = typed`tracking push --file ${fileOf(scans(1))} --again`
  const day = 86_400_000
  for (const days of [0, 2, 1])
    await service.run(push, { now: Date.parse('2026-11-20T12:00:00Z') + days * day })
  const ids = valuesOf(await json(service)`jobs list`, 'jobId')
  expect(ids.map((id: string) => id.slice(0, 8))).toEqual(['20261122', '20261121', '20261120'])
  expect((await json(service)`jobs show --last`).jobId).toBe(ids[0])
  expect((await json(service)`jobs show ${ids[2]}`).jobId).toBe(ids[2])
  ended(await service.run`jobs show ${ids[0]} --last`, 2)
})

it('the remains of a killed start are ignored and no obstacle', async () => {
  const service = await unfinished({ remain: 2 })
  mkdirSync(service.jobFolder('20991231-2359-zzzz'))
  expect((await json(service)`jobs list`).length).toBe(1)
  expect((await json(service)`jobs show --last`).jobId).toBe(service.summary.jobId)
  service.mend()
  succeeded(await service.run`jobs resume --last`)
  ended(await service.run`jobs show zzzz`, 5)
  succeeded(await service.run`jobs prune --older-than 0s`)
})

it.each([
  ['{"version":2}', 'written by a later version'],
  ['{"version":1', 'not valid JSON'],
  ['{"version":1}', 'is not what rma wrote'],
])('a job.json of %s is told, and nothing is done with it', async (text, words) => {
  const { jobFolder, run, path, updates, summary } = await unfinished({ remain: 2 })
  const broken = join(jobFolder(), 'job.json')
  await run`tracking push --file ${path} --again`
  writeFileSync(broken, text)
  const listed = await run`jobs list --json`
  expect([listed.code, jsonOf(listed).length]).toEqual([0, 1])
  expect(listed.stderr).toMatch(words)
  const sent = updates.length
  for (const verb of ['show', 'resume', 'retry']) {
    expectEnd(await run`jobs ${verb} ${summary.jobId}`, 3, [words])
  }
  expect(updates).toHaveLength(sent)
  // An unreadable job may or may not be done.
  succeeded(await run`jobs prune --older-than 0s`)
  expect(existsSync(broken)).toBe(true)
})

describe('resume', () => {
  it('resuming a finished job repeats its summary, sends nothing and reads no input', async () => {
    const { updates, summary, path, run } = await unfinished({ fail: true })
    const sent = updates.length
    const { failedFile, input } = summary
    rmSync(path)
    const resumed = await run`jobs resume --last --json`
    const before = { succeeded: 8, failed: 2, remaining: 0, failedFile, input }
    expect(jsonOf(ended(resumed, 9))).toMatchObject(before)
    const rows = await run`jobs resume --last -o ndjson`
    expect(ended(rows, 9).stdout).toBe('')
    expect(updates).toHaveLength(sent)
  })

  it('jobs retry without a row to retry repeats the summary, and leaves no record in the audit log', async () => {
    const { run } = await unfinished()
    const writes = jsonOf(await run`audit list --json`)
    expect(jsonOf(await run`jobs retry --last --json`).succeeded).toBe(10)
    expect(jsonOf(await run`audit list --json`)).toEqual(writes)
  })

  it('a job with a changed input is not resumed', async () => {
    const { mend, updates, path, run, taken } = await unfinished({ remain: 2 })
    mend()
    const sent = updates.length
    appendFileSync(path, '\n')
    const changed = await run`jobs resume --last`
    expectEnd(changed, 2, /is not what it was.*nothing was sent/)
    rmSync(path)
    expectEnd(await run`jobs resume --last`, 2, [`Error: ${path} can't be read`])
    expect(updates).toHaveLength(sent)
    writeFileSync(path, scans(10))
    succeeded(await run`jobs resume --last`)
    expect(taken).toHaveLength(10)
  })

  it('a job is resumed with its own platform, shop and profile', async () => {
    const { baseUrl, run, renew, taken } = await expiredService()
    const env = { RMA_BASE_URL: '' }
    const add = typed`profiles add live --environment staging --base-url ${baseUrl}`
    succeeded(await run(typed`${add} --shop FJORD-SE`, { env }))
    const push = typed`tracking push --file ${fileOf(scans(3))} --profile live`
    ended(await run(push, { env }), 4)
    const resume = typed`jobs resume --last`
    for (const [flags, more] of [
      [typed`--profile mock`, env],
      [typed`--shop SORA-JP`, env],
      [[], { RMA_BASE_URL: 'http://127.0.0.1:1' }],
    ] as const) {
      expectEnd(await run(typed`${resume} ${flags}`, { env: more }), 2, [
        'another platform or for another shop; nothing was sent',
      ])
    }
    renew()
    expect(taken).toEqual([])
    succeeded(await run(resume, { env }))
    expect(valuesOf(taken, 'shopCode')).toEqual(['FJORD-SE', 'FJORD-SE', 'FJORD-SE'])
  })

  it('a job of one merchant is not resumed with the token of another at the same address', async () => {
    const { run, renew, taken } = await expiredService()
    const of = (...shops: string[]) => ({ RMA_TOKEN: jwt({ shops }) })
    ended(await run(typed`tracking push --file ${fileOf(scans(3))}`, { env: of('AAA') }), 4)
    renew()
    const resume = typed`jobs resume --last`
    expectEnd(await run(resume, { env: of('BBB') }), 2, ['a token for AAA'])
    expect(taken).toEqual([])
    succeeded(await run(resume, { env: of('AAA', 'CCC') }))
    expect(taken).toHaveLength(3)
  })

  it('the copy of a job folder is no second job', async () => {
    const { summary, jobFolder, mend, run, taken } = await unfinished({ remain: 2 })
    const copy = summary.jobId.replace(/....$/, 'zzzz')
    cpSync(jobFolder(), jobFolder(copy), { recursive: true })
    mend()
    expectEnd(await run`jobs resume ${copy}`, 3, ['not the folder of a job'])
    succeeded(await run`jobs resume ${summary.jobId}`)
    expect(taken).toHaveLength(10)
  })

  it('a job is resumed at its address, with or without a final slash', async () => {
    const service = await expiredService()
    const { baseUrl } = service
    const env = { RMA_BASE_URL: '' }
    const push = typed`tracking push --file ${fileOf(scans(3))} --base-url ${baseUrl}/`
    ended(await service.run(push, { env }), 4)
    const { baseUrl: kept } = await json(service)`jobs show --last`
    expect(kept).toBe(baseUrl)
    for (const flags of [[], typed`--base-url ${baseUrl}`, typed`--base-url ${baseUrl}/`])
      ended(await service.run(typed`jobs resume --last ${flags}`, { env }), 4)
    service.renew()
    succeeded(await service.run(typed`jobs resume --last`, { env }))
    expect(service.taken).toHaveLength(3)
  })

  it('rows from standard input are kept with the job', async () => {
    const service = await expiredService()
    const push = typed`tracking push --file - --map shipmentId=Return --skip-invalid`
    const stdin = `${scans(3)}\nbad,bad,`.replace('shipmentId', 'Return')
    ended(await service.run(push, { stdin }), 4)
    service.renew()
    expect(jsonOf(succeeded(await service.run`jobs resume --last --json`))).toMatchObject({
      total: 4,
      succeeded: 3,
      skipped: 1,
    })
    const [job] = await json(service)`jobs list`
    expect(job.input).toEqual({
      path: 'The standard input',
      sha256: createHash('sha256').update(stdin).digest('hex'),
    })
  })

  it('dates that were left to the time of the start stay what they were', async () => {
    const { run, updates } = await trackingService({
      onUpdate: (_, index) => (index === 0 ? refusal('AU03', 'expired', 401) : undefined),
    })
    const file = fileOf('shipmentId,trackingStatus\nR#-1,REQUESTED')
    await run`tracking push --file ${file}`
    const later = Date.parse('2026-11-25T08:00:00Z')
    succeeded(await run(typed`jobs resume --last`, { now: later }))
    expect(valuesOf(updates, 'trackingDate')).toEqual(Array(2).fill('2026-11-20T12:00:00Z'))
  })

  it('a job with a torn journal continues, and looks up what may be missing', async () => {
    const service = await unfinished({ remain: 2 })
    service.mend()
    const path = join(service.jobFolder(), 'journal')
    const journal = readFileSync(path)
    // Killed runs write no result.
    rmSync(join(service.jobFolder(), 'result.json'))
    // In the middle of the last outcome, and so without all that is written after it.
    writeFileSync(path, journal.subarray(0, journal.lastIndexOf(' s ') + 4))
    expect((await json(service)`jobs show --last`).succeeded).toBe(7)
    succeeded(await service.run`jobs resume --last --timeout 1`)
    expect(valuesOf(service.taken, 'shipmentId').sort()).toEqual(times(10, (at) => `R#-${at + 1}`).sort())
  })

  it.each([
    ['gone', (path: string) => rmSync(path), /journal \S+ is gone\. Nothing was sent/],
    ['empty', (path: string) => writeFileSync(path, ''), /journal \S+ was cut\. Nothing was sent/],
    [
      'cut',
      (path: string) => {
        const journal = readFileSync(path)
        writeFileSync(path, journal.subarray(0, journal.indexOf('\n', 20) + 1))
      },
      /journal \S+ was cut\. Nothing was sent/,
    ],
    [
      'damaged',
      (path: string) => {
        const journal = readFileSync(path)
        journal[40] = (journal[40] ?? 0) ^ 1
        writeFileSync(path, journal)
      },
      /journal \S+ is damaged at byte \d+\. Nothing was sent/,
    ],
  ])(
    'a journal that is %s is refused by everything: nobody can tell what was sent',
    async (_name, spoil, words) => {
      const { mend, jobFolder, updates, run } = await unfinished({ fail: true, remain: 2 })
      mend()
      const path = join(jobFolder(), 'journal')
      spoil(path)
      const content = () => (existsSync(path) ? textFile(path) : undefined)
      const spoilt = content()
      const sent = updates.length
      for (const argv of [['show'], ['resume'], ['retry'], typed`retry --unknown`, typed`resume --dry-run`]) {
        const [verb = '', ...flags] = argv
        const { code, stdout, stderr } = await run`jobs ${verb} --last ${flags}`
        expect([argv, code, stdout, stderr]).toEqual([argv, 3, '', expect.stringMatching(words)])
        expect(stderr).toContain('put the file back from a backup')
      }
      expect(updates).toHaveLength(sent)
      expectEnd(await run`jobs list`, 0, [words])
      expect(content()).toBe(spoilt)
    },
  )

  it('takes over the lock of a process that is gone, and leaves one that can not be read', async () => {
    const service = await unfinished({ remain: 2 })
    service.mend()
    const lock = join(service.jobFolder(), 'lock')
    const owner = { pid: 4_194_305, host: 'elsewhere', id: 'dead' }
    writeFileSync(lock, JSON.stringify({ ...owner, started: '1' }))
    const refused = await service.run`jobs resume --last`
    expectEnd(refused, 2, /lock that can't be read.*delete/s)
    expect(service.taken).toHaveLength(8)
    writeFileSync(lock, JSON.stringify({ ...owner, alive: '.rma-none-0123456789abcdef.alive' }))
    expect((await json(service)`jobs list`)[0].state).toBe('remaining')
    succeeded(await service.run`jobs resume --last`)
    expect(existsSync(lock)).toBe(false)
  })
})

it('jobs retry --dry-run shows the rows it would send, and sends none', async () => {
  const { updates, run } = await unfinished({ fail: true, unknown: true })
  const before = updates.length
  const shipments = ({ stdout }: { stdout: string }) =>
    stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).body.shipmentId]))
  const dry = typed`jobs retry --last --dry-run -o ndjson`
  expect(shipments(await run(dry))).toEqual(['R#-3', 'R#-4'])
  expect(shipments(await run`${dry} --unknown`)).toHaveLength(3)
  expect(shipments(await run`jobs resume --last -n -o ndjson`)).toEqual([])
  expect(updates).toHaveLength(before)
})

it('jobs retry sends only the failed rows, and failed.csv keeps those that still fail', async () => {
  const { updates, run, mend, summary, jobFolder } = await unfinished({ fail: true, unknown: true })
  const before = updates.length
  const again = ended(await run`jobs retry --last --json`, 9)
  expect(valuesOf(updates.slice(before), 'shipmentId')).toEqual(['R#-3', 'R#-4'])
  expect(jsonOf(again)).toMatchObject({
    total: 10,
    succeeded: 7,
    failed: 2,
    unknown: 1,
    remaining: 0,
  })
  mend()
  const mended = await run`jobs retry ${summary.jobId} --json`
  expect(jsonOf(ended(mended, 10))).toMatchObject({ succeeded: 9, failed: 0, unknown: 1, failedFile: null })
  const audit = itemsOf(await run`audit list --json`)
  expect(valuesOf(audit, 'outcome')).toEqual(['unknown', 'partial', 'partial'])
  expect(existsSync(join(jobFolder(), 'failed.csv'))).toBe(false)
})

it('--unknown looks up rows first, and sends only those that did not happen', async () => {
  const service = await unfinished({ unknown: true })
  const before = service.updates.length
  service.mend()
  expect(jsonOf(succeeded(await service.run`jobs retry --last --unknown --json`))).toMatchObject({
    succeeded: 10,
    unknown: 0,
  })
  expect(service.updates).toHaveLength(before)
  expect((await json(service)`jobs show --last`).rows).toEqual([])
})

it('--file sends only the corrected failed.csv, as a new job', async () => {
  const { summary, mend, updates, run, jobs } = await unfinished({ fail: true })
  const failedFile = summary.failedFile
  const wrong = textFile(failedFile).replace(',4,TR02', ',2,TR02')
  const retry = typed`jobs retry ${summary.jobId} --json --file`
  mend()
  const before = updates.length
  for (const content of [wrong, scans(10)]) {
    const refused = await run`${retry} ${fileOf(content)}`
    expectEnd(refused, 2, [failedFile])
  }
  expect(updates).toHaveLength(before)
  const mended = fileOf(textFile(failedFile).replace('R#-3,', 'R#-33,'))
  expect(jsonOf(succeeded(await run`${retry} ${mended}`))).toMatchObject({
    total: 2,
    succeeded: 2,
  })
  expect(valuesOf(updates.slice(before), 'shipmentId')).toEqual(['R#-33', 'R#-4'])
  expect(jobs()).toHaveLength(2)
})

it('jobs retry --file names no flag that it lacks where rows of failed.csv are still invalid', async () => {
  const { run, taken } = await trackingService()
  const file = fileOf(`${scans(2)}\nR#-3,SHIPING_COMPLETED,\nR#-4,REQUESTED,2027-11-20\n5,REQUESTED,`)
  const pushed = await run`tracking push --file ${file} --skip-invalid --json`
  const { failedFile } = jsonOf(succeeded(pushed))
  const error = errorOf(ended(await run`jobs retry --last --file ${failedFile} --json`, 2))
  expect(error).toMatchObject({
    message: `${failedFile}: 3 of 3 rows can't be sent; nothing was sent.`,
    hints: ['correct these rows, or delete them from the file'],
  })
  expect(JSON.stringify(error)).not.toContain(' --')
  const [header, , , last] = textFile(failedFile).split('\r\n')
  const corrected = fileOf([header, last?.replace('5,', 'R#-5,')].join('\n'))
  succeeded(await run`jobs retry --last --file ${corrected}`)
  expect(valuesOf(taken, 'shipmentId')).toEqual(['R#-1', 'R#-2', 'R#-5'])
})

it('rows that were invalid from the start stay as they are', async () => {
  const { run, updates } = await trackingService()
  const file = fileOf(`${scans(2)}\nbad,bad,`)
  await run`tracking push --file ${file} --skip-invalid`
  expect(jsonOf(succeeded(await run`jobs retry --last --json`))).toMatchObject({
    succeeded: 2,
    skipped: 1,
  })
  expect(updates).toHaveLength(2)
})

it('jobs prune says why it keeps jobs, and names --force only where that removes them', async () => {
  const { run, jobFolder, summary } = await unfinished({ fail: true, remain: 2 })
  const prune = typed`jobs prune --older-than 0s`
  const later = { now: Date.parse('2026-11-21T12:00:00Z') }
  expect((await run`jobs prune`).stderr).toContain('0 removed, 1 kept: 1 newer than --older-than\n')
  const open = '1 with failed or open rows, which --force removes'
  expect((await run(prune, later)).stderr).toContain(`0 removed, 1 kept: ${open}\n`)
  const lock = await (await readJob(join(jobFolder(), '..'), summary.jobId)).lock()
  for (const flags of [[], ['--force']])
    expect((await run([...prune, ...flags], later)).stderr).toContain('0 removed, 1 kept: 1 running\n')
  lock.release()
  expect((await run(typed`${prune} --force`, later)).stderr).toContain('1 removed, 0 kept\n')
})

it('jobs prune removes old finished jobs; unfinished ones only with --force', async () => {
  const service = await unfinished({ fail: true, remain: 2 })
  service.mend()
  const done = await service.run`${service.argv} --again`
  const { jobId } = jsonOf(done)
  const open = service.summary.jobId
  const pruned = asTyped(async ([now = '', ...flags]) => {
    return valuesOf(
      jsonOf(
        succeeded(
          await service.run(typed`jobs prune --json ${flags}`, {
            now: Date.parse(now),
          }),
        ),
      ),
      'jobId',
    )
  })
  expect(await pruned`2026-12-19T12:00:00Z`).toEqual([])
  expect(await pruned`2026-12-21T12:00:00Z`).toEqual([jobId])
  expect(service.jobs()).toEqual([open])
  expect(await pruned`2026-11-21T13:00:00Z --older-than 1d --force`).toEqual([open])
  expect(service.jobs()).toEqual([])
  // A copy of standard input that a killed command left.
  const left = join(service.env.RMA_DATA_DIR, 'input-x1y2z3')
  mkdirSync(left)
  utimesSync(left, new Date('2026-11-20'), new Date('2026-11-20'))
  await pruned`2026-12-01T00:00:00Z`
  expect(existsSync(left)).toBe(true)
  await pruned`2026-12-21T00:00:00Z`
  expect(existsSync(left)).toBe(false)
  // That of a command that may still run.
  mkdirSync(left)
  await pruned`2030-01-01T00:00:00Z`
  expect(existsSync(left)).toBe(true)
  ended(await service.run`jobs prune --older-than soon`, 2)
})

it('jobs prune counts the age of a killed job from its last journal entry, not from its start', async () => {
  const { jobFolder, run } = await unfinished({ remain: 2 })
  // A resume that was killed has written entries, and no result.
  rmSync(join(jobFolder(), 'result.json'))
  const resumed = new Date('2026-12-24T12:00:00Z')
  utimesSync(join(jobFolder(), 'journal'), resumed, resumed)
  const prune = (now: string) => run(typed`jobs prune --force`, { now: Date.parse(now) })
  expect((await prune('2026-12-24T12:01:00Z')).stderr).toContain('1 kept: 1 newer than --older-than\n')
  expect((await prune('2027-01-24T12:00:00Z')).stderr).toContain('1 removed, 0 kept\n')
})

async function parts() {
  const service = await trackingService({
    onUpdate: ({ shipmentId }) => (shipmentId === 'R#-9' ? refusal('TR02') : undefined),
  })
  const file = fileOf(scans(30))
  const summaries: string[] = []
  for (const shard of ['1/3', '2/3', '3/3']) {
    const { stdout } = await service.run`tracking push --file ${file} --shard ${shard} --json`
    summaries.push(fileOf(stdout))
  }
  const ids = summaries.map((path) => jsonFile(path).jobId)
  const other = await service.run`tracking push --file ${fileOf(scans(5))} --shard 3/3 --json`
  return { ...service, summaries, ids, other: fileOf(other.stdout) }
}

it('jobs merge accepts all parts, by summary or by id, in any order', async () => {
  const { run, summaries, taken, ids } = await parts()
  // Their union is the whole file, and no row is in two of them.
  expect(new Set(valuesOf(taken.slice(0, 29), 'shipmentId')).size).toBe(29)
  const [one = '', two = '', three = ''] = summaries
  for (const sources of [[one, two, three], [three, one, two], ids, [one, two, ids[2].slice(-4)]]) {
    expect(jsonOf(ended(await run`jobs merge ${sources} --json`, 9))).toMatchObject({
      total: 30,
      succeeded: 29,
      failed: 1,
      unknown: 0,
      remaining: 0,
    })
  }
})

it('jobs merge takes the only shop of a token for the shop that another part named', async () => {
  const { run } = await trackingService()
  const env = { RMA_TOKEN: jwt({ shops: ['ACME'] }) }
  const file = fileOf(scans(10))
  const ids: string[] = []
  for (const part of [typed`--shard 1/2`, typed`--shard 2/2 --shop ACME`])
    ids.push(jsonOf(succeeded(await run(typed`tracking push --file ${file} ${part} --json`, { env }))).jobId)
  expect(jsonOf(succeeded(await run`jobs merge ${ids} --json`))).toMatchObject({ total: 10, shop: 'ACME' })
})

it('jobs merge accepts a summary with a byte-order mark', async () => {
  const { run, summaries } = await parts()
  const marked = summaries.map((path) => fileOf(`\ufeff${textFile(path)}`))
  expect(jsonOf(ended(await run`jobs merge ${marked} --json`, 9)).total).toBe(30)
})

it('jobs merge lists the rows that did not succeed, unless a part with such rows does not list them', async () => {
  const { run, summaries, ids } = await parts()
  const shown = await Promise.all(ids.map(async (id) => fileOf((await run`jobs show ${id} --json`).stdout)))
  const rows = [{ row: 10, key: 'R#-9', status: 'failed', attempts: 1, code: 'TR02', message: 'no' }]
  for (const sources of [ids, shown])
    expect(jsonOf(await run`jobs merge ${sources} --json`).rows).toEqual(rows)
  const printed = jsonOf(await run`jobs merge ${summaries} --json`)
  expect(printed.failed).toBe(1)
  expect(printed).not.toHaveProperty('rows')
})

it('jobs merge names unknown rows beside failed and remaining ones, and rows that it does not count', async () => {
  const { run, summary } = await unfinished({ fail: true, unknown: true, remain: 1 })
  const merged = await run`jobs merge ${summary.jobId} --json`
  const { message, hints } = errorOf(ended(merged, 9))
  expect(message).toBe('Of 10 rows 2 failed, 1 is unknown, and 1 remains.')
  expect(hints).toContain('rows sent by jobs retry --file are not counted: their job has its own summary')
  expect(valuesOf(jsonOf(merged).rows, 'key')).toEqual(['R#-3', 'R#-4', 'R#-5'])
})

it('jobs merge accepts shards of --only-new as parts of one file', async () => {
  const { run, taken } = await trackingService({ listed: 10 })
  const path = fileOf(scans(10))
  const ids: string[] = []
  for (const shard of ['1/2', '2/2']) {
    const push = typed`tracking push --file ${path} --only-new --shard ${shard} --json`
    ids.push(jsonOf(succeeded(await run(push))).jobId)
  }
  const whole = jsonOf(succeeded(await run`jobs merge ${ids} --json`))
  expect(whole).toMatchObject({ total: 10, succeeded: 10, input: { path } })
  expect(taken).toHaveLength(10)
})

it('jobs merge refuses missing, repeated and foreign parts', async () => {
  const { run, summaries, other } = await parts()
  const [one = '', two = '', three = ''] = summaries
  const last = jsonFile(three)
  const elsewhere = fileOf(JSON.stringify({ ...last, baseUrl: 'http://elsewhere.example' }))
  for (const [sources, words] of [
    [[one, two], /3\/3.* missing/],
    [[one], /2\/3.* missing[\s\S]*3\/3.* missing/],
    [[one, two, two, three], /2\/3.* there 2 times/],
    [[one, two, other], /another input/],
    [[one, two, '/nowhere.json'], /no such file or job/],
    [[one, two, elsewhere], /was sent to http:\/\/elsewhere.example, \S+ to http:\/\/127/],
    [[one, two, fileOf('{}')], /not the summary of a job/],
    [[one, two, fileOf('nonsense')], /is not JSON: .*[\s\S]*what the parts print with --json/],
    [[one, two, fileOf('')], /is not JSON: .*end/],
    [[one, two, fileOf(Buffer.from(`\ufeff${textFile(three)}`, 'utf16le'))], /is not UTF-8/],
  ] as const) {
    const { code, stdout, stderr } = await run`jobs merge ${sources}`
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringMatching(words)])
  }
})

it('a job is resumed whatever the file times of its input', async () => {
  const service = await unfinished({ remain: 2 })
  service.mend()
  utimesSync(service.path, new Date(0), new Date(0))
  succeeded(await service.run`jobs resume --last`)
})

it('a job of a sandbox does not go on after a reset, which took away what it sent', async () => {
  const run = runIn()
  const { returns } = jsonOf(await run`returns list --status PENDING --limit 500 --json`)
  const { name, shopCode } = returns.find(
    (one: { activeTransportation?: { status: string } }) => one.activeTransportation?.status === 'REQUESTED',
  )
  const file = fileOf(`shipmentId,trackingStatus\n${name},SHIPPING_IN_PROGRESS`)
  succeeded(await run`tracking push --file ${file} --shop ${shopCode}`)
  succeeded(await run`jobs resume --last --shop ${shopCode}`)
  succeeded(await run`sandbox reset --yes`)
  expectEnd(await run`jobs resume --last --shop ${shopCode}`, 2, ['The sandbox was reset after the job'])
})
