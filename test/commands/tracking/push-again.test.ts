import { copyFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  asTyped,
  ended,
  expectEnd,
  jsonOf,
  jwt,
  ndjson,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import type { RunOptions } from '../../helpers/run-cli.ts'
import { refusal } from '../../helpers/script-server.ts'
import { fileOf, type ServiceOptions, scans, trackingService } from '../../helpers/tracking-service.ts'
import '../../../src/commands/jobs/prune.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'
import { jsonFile } from '../../helpers/files.ts'

/** A service, and a file to push there again and again. */
async function pushes(content = scans(5), options: ServiceOptions = {}) {
  const service = await trackingService(options)
  const path = fileOf(content)
  const push = asTyped(
    (flags) => service.run`tracking push --file ${path} ${flags.includes('-o') ? [] : ['--json']} ${flags}`,
  )
  return { ...service, path, push }
}

const token = asTyped((shops) => jwt({ shops }))

it('a sent file is not sent again: its job summary is printed with exit 0', async () => {
  const { push, updates, jobs } = await pushes()
  const first = jsonOf(await push``)
  const again = await push``
  expectEnd(again, 0, [new RegExp(`Warning: .* sent by the job ${first.jobId}: nothing is sent; --again`)])
  expect(jsonOf(again)).toEqual({ ...first, alreadySentBy: first.jobId })
  expect([updates.length, jobs()]).toEqual([5, [first.jobId]])
})

it.each(['ndjson', 'csv', 'table', 'yaml'])('a file that was sent is recognized as %s', async (format) => {
  const { push, updates } = await pushes()
  const { jobId } = jsonOf(await push``)
  const { stdout } = succeeded(await push`-o ${format}`)
  expect(updates.length).toBe(5)
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

it('a sent file is recognized by content, whatever its columns, mapping, format and dates', async () => {
  const { push, run, updates } = await pushes()
  await push``
  const lines = scans(5).split('\n').slice(1)
  const records = lines.map((line) => {
    const [Return, state, date = ''] = line.split(',')
    return { Return, state, when: date.replace('T12:00:00Z', ' 13:00:00+01:00'), colour: 'red' }
  })
  const map = ['shipmentId=Return', 'trackingStatus=state', 'trackingDate=when'].flatMap(
    (one) => typed`--map ${one}`,
  )
  const other = fileOf(records.map((one) => JSON.stringify(one)).join('\n'))
  const same = await run`tracking push --file ${other} ${map} --json`
  expect([same.code, jsonOf(same).alreadySentBy]).toEqual([0, expect.any(String)])
  const stdin = await run(typed`tracking push --file - --json`, { stdin: scans(5) })
  expect(jsonOf(stdin)).toHaveProperty('alreadySentBy')
  expect(updates).toHaveLength(5)
})

it('dates filled in by rma do not distinguish files, dates in the file do', async () => {
  const bare = 'shipmentId,trackingStatus\nR#-1,REQUESTED\nR#-2,REQUESTED'
  const { push, run, updates } = await pushes(bare)
  await push``
  const argv = (content: string) => typed`tracking push --file ${fileOf(content)} --json`
  const later = { now: Date.parse('2026-11-21T07:30:00Z') }
  expect(jsonOf(await run(argv(bare), later))).toHaveProperty('alreadySentBy')
  expect(updates).toHaveLength(2)
  const dated = updates.map(({ shipmentId, trackingDate }) => `${shipmentId},REQUESTED,${trackingDate}`)
  const content = ['shipmentId,trackingStatus,trackingDate', ...dated].join('\n')
  expect(jsonOf(await run(argv(content)))).not.toHaveProperty('alreadySentBy')
  expect(updates).toHaveLength(4)
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
])('a sent file is told from another with %s', async (_name, content, flags, isSame) => {
  const { push, run, updates } = await pushes()
  await push``
  expect(
    'alreadySentBy' in jsonOf(succeeded(await run`tracking push --file ${fileOf(content)} --json ${flags}`)),
  ).toEqual(isSame)
  expect(updates.length === 5).toBe(isSame)
})

it.each([1, 2])('parts are recognized by number: %i/2 twice', async (index) => {
  const { push, updates } = await pushes(scans(20))
  await push`--shard ${index}/2`
  const sent = updates.length
  expect(jsonOf(await push`--shard ${index}/2`)).toHaveProperty('alreadySentBy')
  expect(updates).toHaveLength(sent)
  await push`--shard ${3 - index}/2`
  expect(updates).toHaveLength(20)
})

it('files for two shops differ, whether a flag, a row or the token names the shop', async () => {
  const { run, updates, path } = await pushes()
  const withShop = scans(5)
    .split('\n')
    .map((line, at) => `${line},${at === 0 ? 'shopCode' : 'FJORD-SE'}`)
  const argv = typed`tracking push --file ${path} --json`
  const one = { env: { RMA_TOKEN: token`FJORD-SE` } }
  const two = { env: { RMA_TOKEN: token`FJORD-SE SORA-JP` } }
  const isHeldBack = async (argv: string[], options: RunOptions) =>
    'alreadySentBy' in jsonOf(await run(argv, options))
  expect(await isHeldBack(argv, one)).toBe(false)
  expect(await isHeldBack(typed`${argv} --shop FJORD-SE`, one)).toBe(true)
  expect(await isHeldBack(typed`${argv} --shop FJORD-SE`, two)).toBe(true)
  expect(await isHeldBack(typed`tracking push --file ${fileOf(withShop.join('\n'))} --json`, two)).toBe(true)
  expect(updates).toHaveLength(5)
  expect(await isHeldBack(typed`${argv} --shop SORA-JP`, two)).toBe(false)
  expect(updates).toHaveLength(10)
})

it('rows without a shop are refused before a job begins if the token has several', async () => {
  const { run, updates, path, jobs } = await pushes()
  const env = { RMA_TOKEN: token`FJORD-SE SORA-JP` }
  expectEnd(await run(typed`tracking push --file ${path}`, { env }), 2, [
    '5 rows name no shop, and the token has several; nothing was sent.',
    'Try: --shop FJORD-SE or SORA-JP',
  ])
  expect([updates, jobs()]).toEqual([[], []])
})

it('a sent file is sent again if it goes to another platform', async () => {
  const one = await pushes()
  await one.push``
  const other = await trackingService()
  expect([
    jsonOf(
      await one.run(typed`tracking push --file ${one.path} --json`, {
        env: { RMA_BASE_URL: other.baseUrl },
      }),
    ).succeeded,
    other.taken.length,
  ]).toEqual([5, 5])
})

it('--again sends all rows, and --dry-run and plans show all', async () => {
  const { push, run, updates, path } = await pushes(scans(5), { listed: 5 })
  await push``
  expect(ndjson((await push`--dry-run -o ndjson`).stdout)).toHaveLength(5)
  const plan = fileOf('')
  rmSync(plan)
  await run`tracking plan --file ${path} --out ${plan}`
  succeeded(await run`tracking push --plan ${plan}`)
  const again = jsonOf(await push`--again`)
  expect(again).toMatchObject({ succeeded: 5 })
  expect(again).not.toHaveProperty('alreadySentBy')
  expect(updates).toHaveLength(10)
  expect(jsonOf(await push``).alreadySentBy).toBe(again.jobId)
  for (const flags of [typed`R#-1 --status REQUESTED --again`, typed`--plan ${plan} --again`])
    expect((await run`tracking push ${flags}`).code).toBe(2)
})

it('a pruned job still marks its file as sent, and its summary names no file of its removed folder', async () => {
  const { push, run, updates, jobs, env } = await pushes(`${scans(5)}\nbad,REQUESTED,`)
  const first = jsonOf(await push`--skip-invalid`)
  expect(first.failedFile).toContain('failed.csv')
  await run(typed`jobs prune --older-than 0s`, { now: Date.parse('2026-11-21T12:00:00Z') })
  expect(jobs()).toEqual([])
  expect(jsonOf(succeeded(await push`--skip-invalid`))).toEqual({
    ...first,
    alreadySentBy: first.jobId,
    failedFile: null,
  })
  expect(updates).toHaveLength(5)
  expect(readdirSync(join(env.RMA_DATA_DIR, 'sent'))).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.json$/)])
})

const failing: ServiceOptions = {
  onUpdate: ({ shipmentId }) => (shipmentId === 'R#-3' ? refusal('TR02') : undefined),
}

it('a file with failed rows is exit 2 and names the retry; failed.csv can be sent repeatedly', async () => {
  let isMended = false
  const { push, run, updates, taken } = await pushes(scans(5), {
    onUpdate: (update, index) => (isMended ? undefined : failing.onUpdate?.(update, index)),
  })
  const { jobId, failedFile } = jsonOf(await push``)
  const sent = updates.length
  const again = await push``
  expect(ended(again, 2).stdout).toBe('')
  expect(JSON.parse(again.stderr).error).toMatchObject({
    message: expect.stringMatching(new RegExp(`${jobId}, of which 1 failed; nothing was sent`)),
    hints: [`go on with those as they were: rma jobs retry ${jobId}`, expect.stringContaining('--again')],
  })
  expect(updates).toHaveLength(sent)
  const copy = fileOf('')
  copyFileSync(failedFile, copy)
  for (const file of [failedFile, copy, copy]) expect((await run`tracking push --file ${file}`).code).toBe(9)
  expect(updates).toHaveLength(sent + 3)
  isMended = true
  succeeded(await run`jobs retry ${jobId}`)
  expect(jsonOf(await push``)).toMatchObject({ alreadySentBy: jobId, succeeded: 5, failed: 0 })
  expect(taken).toHaveLength(5)
})

it('a file with unknown rows is exit 2 and names the command to look them up', async () => {
  const { push, updates } = await pushes(scans(5), {
    onUpdate: ({ shipmentId }) => (shipmentId === 'R#-3' ? { fault: 'reset' } : undefined),
    onLook: ({ query }) => (query.has('limit') ? undefined : refusal('VA01')),
  })
  const { jobId } = jsonOf(await push``)
  const sent = updates.length
  expectEnd(await push``, 2, [`rma jobs retry ${jobId} --unknown`])
  expect(updates).toHaveLength(sent)
})

it('a stopped file is exit 2 and names the resume; a pruned or lost job still counts', async () => {
  let isValid = false
  const { push, run, updates, jobFolder } = await pushes(scans(5), {
    onUpdate: () => (isValid ? undefined : refusal('AU03', 'expired', 401)),
  })
  const { jobId } = jsonOf(await push``)
  isValid = true
  const sent = updates.length
  const again = await push``
  expectEnd(again, 2, [`rma jobs resume ${jobId}`])
  writeFileSync(join(jobFolder(), 'journal'), '')
  const broken = await run`jobs resume ${jobId}`
  expectEnd(broken, 3, ['journal'])
  ended(await push``, 2)
  rmSync(jobFolder(), { recursive: true })
  const lost = await push``
  expectEnd(lost, 2, ['whose folder is gone'])
  expect(updates).toHaveLength(sent)
  succeeded(await push`--again`)
  expect(updates).toHaveLength(sent + 5)
})

it('a file whose start was killed before it became a job counts as unsent', async () => {
  const { push, updates, jobFolder } = await pushes()
  await push``
  rmSync(join(jobFolder(), 'job.json'))
  expect(jsonOf(succeeded(await push``))).toMatchObject({ succeeded: 5 })
  expect(updates).toHaveLength(10)
})

it('nothing is sent if the record of sent files can not be read', async () => {
  const { push, updates, env } = await pushes()
  await push``
  const dir = join(env.RMA_DATA_DIR, 'sent')
  const [name = ''] = readdirSync(dir)
  expect(jsonFile(join(dir, name))).toMatchObject({ version: 1 })
  writeFileSync(join(dir, name), '{')
  expectEnd(await push``, 3, [name])
  expect(updates).toHaveLength(5)
})
