import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { fileOf, refusal, reportService, type ServiceOptions, scans } from '../../helpers/report-service.ts'
import '../../../src/commands/jobs/prune.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

/** A service, and a file to push there again and again. */
async function pushes(content = scans(5), options: ServiceOptions = {}) {
  const service = await reportService(options)
  const path = fileOf(content)
  const push = (...flags: string[]) =>
    service.run(typed`tracking push --file ${path} ${flags.includes('-o') ? [] : ['--json']} ${flags}`)
  return { ...service, path, push }
}

const token = asTyped((shops) =>
  ['{"alg":"none"}', JSON.stringify({ shops }), 'x']
    .map((part) => Buffer.from(part).toString('base64url'))
    .join('.'),
)

describe('a file that was sent', () => {
  it('is not sent again: its report is printed, exit 0', async () => {
    const { push, reports, jobs } = await pushes()
    const first = jsonOf(await push())
    const again = await push()
    expectEnd(again, 0, [new RegExp(`Warning: .* sent by the job ${first.jobId}: nothing is sent; --again`)])
    const { durationMs, ...rest } = first
    expect(jsonOf(again)).toEqual({
      ...rest,
      durationMs: expect.closeTo(durationMs, -1),
      alreadySentBy: first.jobId,
    })
    expect([reports.length, jobs()]).toEqual([5, [first.jobId]])
  })

  it.each(['ndjson', 'csv', 'table', 'yaml'])('a file that was sent is recognized as %s', async (format) => {
    const { push, reports } = await pushes()
    const { jobId } = jsonOf(await push())
    const { stdout } = succeeded(await push('-o', format))
    expect(reports.length).toBe(5)
    if (format === 'ndjson') {
      expect(ndjson(stdout)).toHaveLength(5)
      expect(ndjson(stdout)[0]).toEqual({
        row: 2,
        key: 'R#-1',
        status: 'succeeded',
        attempts: 0,
        alreadySentBy: jobId,
      })
    } else if (format === 'csv') expect(stdout.trim().split('\n')).toHaveLength(6)
    else expect(stdout).toContain(jobId)
  })

  it('is known by what it says: other columns, mappings, formats and spellings of dates are the same', async () => {
    const { push, run, reports } = await pushes()
    await push()
    const lines = scans(5).split('\n').slice(1)
    const records = lines.map((line) => {
      const [Return, state, date = ''] = line.split(',')
      return { Return, state, when: date.replace('T12:00:00Z', ' 13:00:00+01:00'), colour: 'red' }
    })
    const map = ['shipmentId=Return', 'trackingStatus=state', 'trackingDate=when'].flatMap(
      (one) => typed`--map ${one}`,
    )
    const other = fileOf(records.map((one) => JSON.stringify(one)).join('\n'))
    const same = await run(typed`tracking push --file ${other} ${map} --json`)
    expect([same.code, jsonOf(same).alreadySentBy]).toEqual([0, expect.any(String)])
    const stdin = await run(typed`tracking push --file - --json`, { stdin: scans(5) })
    expect(jsonOf(stdin)).toHaveProperty('alreadySentBy')
    expect(reports).toHaveLength(5)
  })

  it('a date that rma filled in does not count; one that the file has does', async () => {
    const bare = 'shipmentId,trackingStatus\nR#-1,REQUESTED\nR#-2,REQUESTED'
    const { push, run, reports } = await pushes(bare)
    await push()
    const argv = (content: string) => typed`tracking push --file ${fileOf(content)} --json`
    const later = { now: Date.parse('2026-11-21T07:30:00Z') }
    expect(jsonOf(await run(argv(bare), later))).toHaveProperty('alreadySentBy')
    expect(reports).toHaveLength(2)
    const dated = reports.map(({ shipmentId, trackingDate }) => `${shipmentId},REQUESTED,${trackingDate}`)
    const content = ['shipmentId,trackingStatus,trackingDate', ...dated].join('\n')
    expect(jsonOf(await run(argv(content)))).not.toHaveProperty('alreadySentBy')
    expect(reports).toHaveLength(4)
  })

  it.each<[string, string, string[], boolean]>([
    ['a row more', `${scans(5)}\nR#-9,REQUESTED,`, [], false],
    ['another status', scans(5).replace('SHIPPING_IN_PROGRESS', 'REQUESTED'), [], false],
    [
      'another order of rows',
      scans(5).split('\n').slice(0, 1).concat(scans(5).split('\n').slice(1).reverse()).join('\n'),
      [],
      false,
    ],
    ['a shop', scans(5), typed`--shop FJORD-SE`, false],
    ['a shard', scans(5), typed`--shard 1/2`, false],
    ['the whole as one shard', scans(5), typed`--shard 1/1`, true],
    ['another pace', scans(5), typed`--concurrency 2 --max-failures 3`, true],
    ['a row twice, which is left out', `${scans(5)}\n${scans(5).split('\n').at(-1)}`, [], true],
  ])('%s', async (_name, content, flags, isSame) => {
    const { push, run, reports } = await pushes()
    await push()
    const { stdout } = succeeded(await run(typed`tracking push --file ${fileOf(content)} --json ${flags}`))
    expect('alreadySentBy' in JSON.parse(stdout)).toEqual(isSame)
    expect(reports.length === 5).toBe(isSame)
  })

  it.each([1, 2])('parts are known by their number: %i/2 twice', async (index) => {
    const { push, reports } = await pushes(scans(20))
    await push('--shard', `${index}/2`)
    const sent = reports.length
    expect(jsonOf(await push('--shard', `${index}/2`))).toHaveProperty('alreadySentBy')
    expect(reports).toHaveLength(sent)
    await push('--shard', `${3 - index}/2`)
    expect(reports).toHaveLength(20)
  })

  it('the shop counts, wherever it is named: by a flag, a row, or the only one of the token', async () => {
    const { run, reports, path } = await pushes()
    const withShop = scans(5)
      .split('\n')
      .map((line, at) => `${line},${at === 0 ? 'shopCode' : 'FJORD-SE'}`)
    const argv = typed`tracking push --file ${path} --json`
    const one = { env: { RMA_TOKEN: token`FJORD-SE` } }
    const two = { env: { RMA_TOKEN: token`FJORD-SE SORA-JP` } }
    const isHeldBack = async (...call: Parameters<typeof run>) =>
      'alreadySentBy' in jsonOf(await run(...call))
    expect(await isHeldBack(argv, one)).toBe(false)
    expect(await isHeldBack([...argv, '--shop', 'FJORD-SE'], one)).toBe(true)
    expect(await isHeldBack([...argv, '--shop', 'FJORD-SE'], two)).toBe(true)
    expect(await isHeldBack(typed`tracking push --file ${fileOf(withShop.join('\n'))} --json`, two)).toBe(
      true,
    )
    expect(reports).toHaveLength(5)
    expect(await isHeldBack([...argv, '--shop', 'SORA-JP'], two)).toBe(false)
    expect(reports).toHaveLength(10)
  })

  it('another platform is another push', async () => {
    const one = await pushes()
    await one.push()
    const other = await reportService()
    expect([
      jsonOf(
        await one.run(typed`tracking push --file ${one.path} --json`, {
          env: { RMA_BASE_URL: other.baseUrl },
        }),
      ).succeeded,
      other.taken.length,
    ]).toEqual([5, 5])
  })

  it('--again sends all, and so do --dry-run and plans show all', async () => {
    const { push, run, reports, path } = await pushes(scans(5), { listed: 5 })
    await push()
    expect(ndjson((await push('--dry-run', '-o', 'ndjson')).stdout)).toHaveLength(5)
    const plan = fileOf('')
    rmSync(plan)
    await run(typed`tracking plan --file ${path} --out ${plan}`)
    succeeded(await run(typed`tracking push --plan ${plan}`))
    const again = jsonOf(await push('--again'))
    expect(again).toMatchObject({ succeeded: 5 })
    expect(again).not.toHaveProperty('alreadySentBy')
    expect(reports).toHaveLength(10)
    expect(jsonOf(await push()).alreadySentBy).toBe(again.jobId)
    for (const flags of [['R#-1', '--status', 'REQUESTED', '--again'], typed`--plan ${plan} --again`])
      expect((await run(typed`tracking push ${flags}`)).code).toBe(2)
  })

  it('stays known when its job is pruned, and is told as it was', async () => {
    const { push, run, reports, jobs, env } = await pushes()
    const { jobId, input } = jsonOf(await push())
    await run(typed`jobs prune --older-than 0s`, { now: Date.parse('2026-11-21T12:00:00Z') })
    expect(jobs()).toEqual([])
    expect(jsonOf(succeeded(await push()))).toMatchObject({
      jobId,
      alreadySentBy: jobId,
      succeeded: 5,
      failedFile: null,
      input,
    })
    expect(reports).toHaveLength(5)
    expect(readdirSync(join(env.RMA_DATA_DIR ?? '', 'sent'))).toEqual([
      expect.stringMatching(/^[0-9a-f]{64}\.json$/),
    ])
  })
})

describe('a file that did not get through', () => {
  const failing: ServiceOptions = {
    onReport: ({ shipmentId }) => (shipmentId === 'R#-3' ? { answer: refusal('TR02') } : undefined),
  }

  it('a file with failed rows ends with 2 and names the retry; failed.csv can be sent any number of times', async () => {
    let isMended = false
    const { push, run, reports, taken } = await pushes(scans(5), {
      onReport: (report, index) => (isMended ? undefined : failing.onReport?.(report, index)),
    })
    const { jobId, failedFile } = jsonOf(await push())
    const sent = reports.length
    const again = await push()
    expect(ended(again, 2).stdout).toBe('')
    expect(JSON.parse(again.stderr).error).toMatchObject({
      message: expect.stringMatching(new RegExp(`${jobId}, of which 1 failed; nothing was sent`)),
      hints: [`go on with those as they were: rma jobs retry ${jobId}`, expect.stringContaining('--again')],
    })
    expect(reports).toHaveLength(sent)
    const copy = fileOf('')
    copyFileSync(failedFile, copy)
    for (const file of [failedFile, copy, copy])
      expect((await run(typed`tracking push --file ${file}`)).code).toBe(9)
    expect(reports).toHaveLength(sent + 3)
    isMended = true
    succeeded(await run(typed`jobs retry ${jobId}`))
    expect(jsonOf(await push())).toMatchObject({ alreadySentBy: jobId, succeeded: 5, failed: 0 })
    expect(taken).toHaveLength(5)
  })

  it('a file with unknown rows ends with 2 and names the look', async () => {
    const { push, reports } = await pushes(scans(5), {
      onReport: ({ shipmentId }) => (shipmentId === 'R#-3' ? { answer: { fault: 'reset' } } : undefined),
      onLook: ({ query }) => (query.has('limit') ? undefined : refusal('VA01')),
    })
    const { jobId } = jsonOf(await push())
    const sent = reports.length
    expectEnd(await push(), 2, [`rma jobs retry ${jobId} --unknown`])
    expect(reports).toHaveLength(sent)
  })

  it('that stopped: exit 2 names the resume; a pruned or lost job is never taken for none', async () => {
    let isValid = false
    const { push, run, reports, jobFolder } = await pushes(scans(5), {
      onReport: () => (isValid ? undefined : { answer: refusal('AU03', 'expired', 401) }),
    })
    const { jobId } = jsonOf(await push())
    isValid = true
    const sent = reports.length
    const again = await push()
    expectEnd(again, 2, [`rma jobs resume ${jobId}`])
    writeFileSync(join(jobFolder(), 'journal'), '')
    const broken = await run(typed`jobs resume ${jobId}`)
    expectEnd(broken, 3, ['journal'])
    ended(await push(), 2)
    rmSync(jobFolder(), { recursive: true })
    const lost = await push()
    expectEnd(lost, 2, ['whose folder is gone'])
    expect(reports).toHaveLength(sent)
    succeeded(await push('--again'))
    expect(reports).toHaveLength(sent + 5)
  })

  it('whose start was killed before it was a job was not sent', async () => {
    const { push, reports, jobFolder } = await pushes()
    await push()
    rmSync(join(jobFolder(), 'job.json'))
    expect(jsonOf(succeeded(await push()))).toMatchObject({ succeeded: 5 })
    expect(reports).toHaveLength(10)
  })

  it('a memory that can not be read holds back', async () => {
    const { push, reports, env } = await pushes()
    await push()
    const dir = join(env.RMA_DATA_DIR ?? '', 'sent')
    const [name = ''] = readdirSync(dir)
    expect(JSON.parse(readFileSync(join(dir, name), 'utf8'))).toMatchObject({ version: 1 })
    writeFileSync(join(dir, name), '{')
    expectEnd(await push(), 3, [name])
    expect(reports).toHaveLength(5)
  })
})
