import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, it } from 'vitest'
import {
  asTyped,
  ended,
  errorOf,
  expectEnd,
  jsonOf,
  ndjson,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import {
  expiredService,
  fileOf,
  type ServiceOptions,
  trackingService,
} from '../../helpers/tracking-service.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/mappings/init.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

/*
 * The clock of the commands stands at noon of 2026-11-20. A sandbox says in each answer what its own clock shows.
 */

const sandboxAt = (time: string): ServiceOptions => ({
  onLook: ({ query }) =>
    query.has('limit')
      ? { body: { returns: [] }, headers: { 'x-rma-sandbox': 'box-1', 'x-rma-sandbox-time': time } }
      : undefined,
})
const rows = asTyped((dates) =>
  [
    'shipmentId,trackingStatus,trackingDate',
    ...dates.map((date, at) => `R#-${at + 1},REQUESTED,${date}`),
  ].join('\n'),
)
const push = asTyped((dates) => typed`tracking push --file ${fileOf(rows`${dates}`)}`)
const one = asTyped((flags) => typed`tracking push R#-1 --status REQUESTED ${flags}`)

it('dates too far ahead are refused before anything is sent, with row and value', async () => {
  const { run, updates, jobs } = await trackingService()
  const argv = push`2026-11-21T12:00:00Z 2026-11-21T12:00:01Z 2036-11-20`
  const error = errorOf(ended(await run`${argv} --json`, 2))
  expect(error.errors).toEqual([
    {
      path: 'column trackingDate',
      message:
        'is more than 24 hours ahead: it is 2026-11-20T12:00:00Z now, in 2 rows (first: row 3, "2026-11-21T12:00:01Z")',
    },
  ])
  expect(error.hints.join()).toContain('--allow-future')
  expect([updates, jobs()]).toEqual([[], []])
})

it('a single update dated too far ahead is refused, too', async () => {
  const { run, updates } = await trackingService()
  succeeded(await run(one`--date 2026-11-21T11:59:59Z`))
  expectEnd(await run(one`--date 2026-11-22`), 2, /more than 24 hours ahead.*--date[\s\S]*--allow-future/)
  expect(updates).toHaveLength(1)
  succeeded(await run(one`--date 2026-11-22 --allow-future`))
  expect(updates).toHaveLength(2)
})

it('--allow-future sends dates far ahead, and so does the resumed job', async () => {
  const { run, taken, renew } = await expiredService()
  ended(await run`${push`2036-11-20 ''`} --allow-future`, 4)
  renew()
  succeeded(await run`jobs resume --last`)
  expect(valuesOf(taken, 'trackingDate').sort()).toEqual(['2026-11-20T12:00:00Z', '2036-11-20T00:00:00Z'])
})

it('--skip-invalid leaves out dates far ahead, and failed.csv has them', async () => {
  const { run, updates } = await trackingService()
  const summary = jsonOf(succeeded(await run`${push`2036-11-20 2026-11-20`} --skip-invalid --json`))
  expect(summary).toMatchObject({ succeeded: 1, skipped: 1 })
  expect(readFileSync(summary.failedFile, 'utf8')).toContain('2036-11-20,2,INVALID')
  expect(updates).toHaveLength(1)
})

it('a plan marks dates far ahead as future, and does not send them', async () => {
  const { run, taken } = await trackingService({ listed: 3 })
  const content = rows`2036-11-20 2026-11-20T12:00:00Z`.replaceAll('REQUESTED', 'SHIPPING_IN_PROGRESS')
  const plan = fileOf('')
  const argv = typed`tracking plan --file ${fileOf(content)} --out ${plan}.1`
  const { stdout } = await run`${argv} -o ndjson`
  expect(valuesOf(ndjson(stdout), 'verdict')).toEqual(['future', 'new'])
  const total = jsonOf(await run`${argv.slice(0, -1)} ${plan}.2 --json`)
  expect(total.verdicts).toMatchObject({ future: 1, new: 1 })
  succeeded(await run`tracking push --plan ${plan}.1`)
  expect(valuesOf(taken, 'shipmentId')).toEqual(['R#-2'])
  const allowed = await run`${argv.slice(0, -1)} ${plan}.3 -o ndjson --allow-future`
  expect(ndjson(allowed.stdout)[0]).toMatchObject({ row: 2, verdict: 'new' })
})

const JANUARY = '2027-01-05T08:30:00.250Z'

it('dates are compared with the sandbox’s clock', async () => {
  const { run, updates } = await trackingService(sandboxAt(JANUARY))
  succeeded(await run(push`2027-01-06T08:00:00Z`))
  succeeded(await run(one`--date 2027-01-06T08:00:00Z`))
  succeeded(await run`${push`2027-01-06T08:00:00Z`} --dry-run`)
  expect(updates).toHaveLength(2)
  const far = await run(push`2027-01-06T09:00:00Z`)
  expectEnd(far, 2, ['it is 2027-01-05T08:30:00Z now'])
  ended(await run(one`--date 2027-01-06T09:00:00Z`), 2)
  expect(updates).toHaveLength(2)
})

it('updates without a date get the sandbox’s time, read once and kept with the job', async () => {
  const { run, updates, jobFolder, renew } = await expiredService(sandboxAt(JANUARY))
  ended(await run(push`'' ''`), 4)
  const { options, created } = JSON.parse(readFileSync(join(jobFolder(), 'job.json'), 'utf8'))
  expect([options.moment, created]).toEqual([JANUARY, '2026-11-20T12:00:00.000Z'])
  renew()
  succeeded(await run(typed`jobs resume --last`, { now: Date.parse('2026-12-24T00:00:00Z') }))
  await run(one``)
  await run(one`--date 30m`)
  expect([...new Set(valuesOf(updates, 'trackingDate'))]).toEqual([
    '2027-01-05T08:30:00Z',
    '2027-01-05T08:00:00Z',
  ])
})

it('the sandbox’s clock is not requested if it does not matter', async () => {
  const { run, requests } = await trackingService(sandboxAt(JANUARY))
  await run(one`--date 2026-11-20`)
  await run(one`--dry-run`)
  await run`${push`'' 2026-11-20`} --dry-run`
  await run(push`soon`)
  expect(valuesOf(requests, 'method')).toEqual(['POST'])
})

const MADRID = typed`--time-zone Europe/Madrid`
const SKIPPED =
  '2026-03-29T02:30:00 does not exist in Europe/Madrid, where the clocks change; taken as 2026-03-29 03:30:00+02:00'
const TWICE =
  '2026-10-25T02:30:00 happens twice in Europe/Madrid, where the clocks change; taken as 2026-10-25 02:30:00+02:00'

it('skipped and repeated times are sent with one warning each, with row and reading', async () => {
  const { run, updates } = await trackingService()
  const dates = [
    '2026-03-29 02:30:00',
    '2026-10-25 02:30:00',
    '2026-10-25 02:30:00+01:00',
    '2026-10-25 03:30:00',
  ]
  const { stderr } = succeeded(await run`${push`${dates}`} ${MADRID}`)
  expect(stderr.split('\n').filter((line) => /clocks/.test(line))).toEqual([
    `Warning: row 2: ${SKIPPED.replace('T02', ' 02')}`,
    `Warning: row 3: ${TWICE.replace('T02', ' 02')}`,
  ])
  expect(valuesOf(updates, 'trackingDate').sort()).toEqual([
    '2026-03-29T01:30:00Z',
    '2026-10-25T00:30:00Z',
    '2026-10-25T01:30:00Z',
    '2026-10-25T02:30:00Z',
  ])
})

it('one update and a plan warn of skipped and repeated times', async () => {
  const { run } = await trackingService()
  const single = await run`${one`--date 2026-03-29T02:30:00`} ${MADRID}`
  expectEnd(single, 0, [`Warning: ${SKIPPED}`])
  expect(single.stderr.match(/clocks/g)).toHaveLength(1)
  const out = `${fileOf('')}.plan`
  const [, , , file = ''] = push`2026-10-25T02:30:00`
  const plan = await run`tracking plan --file ${file} --out ${out} ${MADRID}`
  expect(plan.stderr).toContain(`Warning: row 2: ${TWICE}`)
})

it('skipped and repeated times are judged in the zone of a mapping', async () => {
  const { run, updates } = await trackingService()
  const file = fileOf('Return,Status,When\nR#-1,SHIPPING_IN_PROGRESS,25/10/2026 02:30\n')
  const map = typed`--map shipmentId=Return --map trackingStatus=Status --map trackingDate=When`
  const made = await run`mappings init ${file} ${map} --date-format 'DD/MM/YYYY HH:mm' ${MADRID}`
  expectEnd(made, 0, expect.any(String))
  expectEnd(await run`tracking push --file ${file} --mapping ${basename(file)}`, 0, [
    `Warning: row 2: ${TWICE}`,
  ])
  expect(valuesOf(updates, 'trackingDate')).toEqual(['2026-10-25T00:30:00Z'])
})

it.each([
  ['DMY', '2026-11-01T09:30:00Z'],
  ['MDY', '2026-01-11T09:30:00Z'],
])('--dates %s settles 01/11/2026, which is refused with both readings without', async (order, date) => {
  const { run, taken } = await trackingService()
  const argv = typed`tracking push --file ${fileOf('shipmentId,trackingStatus,trackingDate\nR#-1,REQUESTED,01/11/2026 9:30 AM')}`
  expectEnd(await run(argv), 2, ['may be 2026-11-01 or 2026-01-11', 'say which: --dates DMY or --dates MDY'])
  succeeded(await run`${argv} --dates ${order}`)
  expect(taken).toMatchObject([{ trackingDate: date }])
  const mapped = typed`tracking push -f ${fileOf('Reference,Status,Date\nR#-2,Delivered,01/11/2026 09:30')} -m ups --yes`
  expectEnd(await run(mapped), 2, [
    'DD/MM/YYYY HH:mm or MM/DD/YYYY HH:mm',
    'say which: --dates DMY or --dates MDY',
  ])
  succeeded(await run`${mapped} --dates ${order}`)
  expect(taken[1]).toMatchObject({ trackingDate: date })
})
