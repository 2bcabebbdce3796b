import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { newFile, newFolder } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { requestedReturn, withReplacement } from '../../helpers/replaced-transports.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/labels/update.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const platform = usePlatform({ returns: 900 })
const { run: rma } = platform
const FAILED_AT = '2026-11-20T09:00:00Z'
const LATER = '2026-11-20T10:00:00Z'

const replaced = () => withReplacement(platform, 'FIRST')

/** Late repeats of the failure, and what comes of each. */
const REPEATS: [date: string, number: string, statusCode: string | undefined][] = [
  [FAILED_AT, 'FIRST', 'DUPLICATE'],
  [FAILED_AT, '', 'DUPLICATE'],
  [LATER, 'FIRST', undefined],
  [LATER, '', undefined],
]

it.each(REPEATS)(
  'a late repeat of %s with the number "%s" changes neither its ended transport nor the next',
  async (date, number, statusCode) => {
    const { name, shopCode, transports } = await replaced()
    const before = await transports()
    expect(valuesOf(before, 'status')).toEqual(['SHIPPING_FAILED', 'REQUESTED'])
    const argv = typed`tracking push ${name} --shop ${shopCode} --status SHIPPING_FAILED --date ${date}`
    const { code, stdout, stderr } = await rma`${argv} ${number ? ['--number', number] : []} --json`
    if (statusCode) expect([code, JSON.parse(stdout)]).toMatchObject([0, { statusCode, applied: false }])
    else {
      expect(code).toBe(6)
      expect(stderr).toContain('TR02')
    }
    expect(await transports()).toEqual(before)
  },
)

it('a file of late repeats changes no transport, as the plan says', async () => {
  const shipments: Awaited<ReturnType<typeof replaced>>[] = []
  for (const _ of REPEATS) shipments.push(await replaced())
  const before = await Promise.all(shipments.map(({ transports }) => transports()))
  const file = join(newFolder(), 'in.csv')
  const rows = REPEATS.map(
    ([date, number], i) =>
      `${shipments[i]?.shopCode},${shipments[i]?.name},SHIPPING_FAILED,${date},${number}`,
  )
  writeFileSync(file, ['shopCode,shipmentId,trackingStatus,trackingDate,trackingNumber', ...rows].join('\n'))
  const input = typed`--file ${file} -o ndjson`
  const plan = await rma`tracking plan ${input} --out ${file}.plan`
  const verdicts = valuesOf(ndjson(plan.stdout), 'verdict')
  expect(verdicts).toHaveLength(REPEATS.length)
  expect(verdicts).not.toContain('new')
  const { stdout } = ended(await rma`tracking push ${input}`, 9)
  const outcomes = ndjson(stdout)
    .sort((a, b) => a.row - b.row)
    .map(({ status, reason, error }) => [status, reason ?? error?.code])
  expect(outcomes).toEqual([
    ['succeeded', 'duplicate'],
    ['succeeded', 'duplicate'],
    ['failed', 'TR02'],
    ['failed', 'TR02'],
  ])
  expect(await Promise.all(shipments.map(({ transports }) => transports()))).toEqual(before)
})

const SCANS: Record<string, [status: string, date: string][]> = {
  'the oldest first': [
    ['SHIPPING_IN_PROGRESS', '2026-11-20T07:00:00Z'],
    ['SHIPPING_FAILED', FAILED_AT],
    ['SHIPPING_COMPLETED', LATER],
  ],
  'the newest first': [
    ['SHIPPING_COMPLETED', LATER],
    ['SHIPPING_FAILED', FAILED_AT],
    ['SHIPPING_IN_PROGRESS', '2026-11-20T07:00:00Z'],
  ],
  'the failure two rows before': [
    ['SHIPPING_FAILED', FAILED_AT],
    ['SHIPPING_IN_PROGRESS', '2026-11-20T07:00:00Z'],
    ['SHIPPING_COMPLETED', LATER],
  ],
  'both at one moment': [
    ['SHIPPING_IN_PROGRESS', '2026-11-20T07:00:00Z'],
    ['SHIPPING_COMPLETED', LATER],
    ['SHIPPING_FAILED', LATER],
  ],
}
const fileOf = (name: string, scans: readonly (readonly string[])[]) => {
  const file = join(newFolder(), 'in.csv')
  const rows = scans.map((scan) => [name, ...scan].join(','))
  writeFileSync(file, ['shipmentId,trackingStatus,trackingDate,trackingNumber', ...rows].join('\n'))
  return file
}
it.each(
  Object.entries(SCANS).flatMap(([order, scans]) => ['', 'FIRST'].map((n) => [order, n, scans] as const)),
)(
  'progress that a file dates after a failure is not sent: %s, with the number "%s" in every row',
  async (_order, number, scans) => {
    const { id, name, shopCode } = await requestedReturn(platform)
    const file = fileOf(
      name,
      scans.map((scan) => [...scan, number]),
    )
    const before = await platform.transports(id)
    const row = (status: string) => scans.findIndex(([one]) => one === status) + 2
    const push = typed`tracking push --file ${file} --shop ${shopCode}`
    expectEnd(await rma(push), 2, [
      `"SHIPPING_COMPLETED" can't follow row ${row('SHIPPING_FAILED')}, in which ${name} is SHIPPING_FAILED`,
      `(row ${row('SHIPPING_COMPLETED')}, column trackingStatus)`,
      'give each the tracking number of its transport',
      '--skip-invalid',
    ])
    expect(await platform.transports(id)).toEqual(before)
    const plan = await rma`tracking plan --file ${file} --shop ${shopCode} --out ${file}.plan -o ndjson`
    const verdicts = ndjson(plan.stdout).map(({ request, verdict }) => [request.trackingStatus, verdict])
    expect(Object.fromEntries(verdicts)).toMatchObject({
      SHIPPING_FAILED: 'new',
      SHIPPING_COMPLETED: 'illegal',
    })
    succeeded(await rma`${push} --only-new`)
    const after = await platform.transports(id)
    expect(valuesOf(after, 'status')).toEqual(['SHIPPING_FAILED', 'REQUESTED'])
    const others = await rma`${push} --skip-invalid --json`
    expectEnd(others, 0, ["1 row can't be sent and is left out"])
    const fed = typed`tracking push --file ${jsonOf(others).failedFile} --shop ${shopCode}`
    expectEnd(await rma(fed), 2, ['"#NUM!" the error of a formula'])
    expect(valuesOf(await platform.transports(id), 'status')).toEqual(['SHIPPING_FAILED', 'REQUESTED'])
  },
)

it('rows with the numbers of both transports are sent', async () => {
  const { id, name, shopCode } = await requestedReturn(platform)
  const file = fileOf(name, [
    ['SHIPPING_FAILED', FAILED_AT, 'FIRST'],
    ['SHIPPING_COMPLETED', LATER, 'SECOND'],
  ])
  succeeded(await rma`tracking push --file ${file} --shop ${shopCode}`)
  expect(valuesOf(await platform.transports(id), 'status')).toEqual(['SHIPPING_FAILED', 'SHIPPING_COMPLETED'])
})

it('a plan predicts the push of a failure dated after the replacement', async () => {
  const reports = [
    ['SHIPPING_FAILED', '', 'illegal', 'TR02'],
    ['SHIPPING_FAILED', 'FIRST', 'illegal', 'TR02'],
    ['SHIPPING_FAILED', 'SECOND', 'new', 'succeeded'],
    ['SHIPPING_CANCELLED', '', 'new', 'succeeded'],
  ]
  const rows = ['shopCode,shipmentId,trackingStatus,trackingNumber,trackingDate']
  for (const [status, number] of reports) {
    const { shopCode, name } = await replaced()
    rows.push(`${shopCode},${name},${status},${number},2026-11-20T12:30:00Z`)
  }
  const file = newFile('in.csv', rows.join('\n'))
  const run = asTyped(async (argv) => {
    const { stdout } = await rma`tracking ${argv} --file ${file} -o ndjson`
    const lines = stdout.trimEnd().split('\n')
    return lines.map((line) => JSON.parse(line)).sort((one, other) => one.row - other.row)
  })
  const planned = await run`plan --out ${file}.plan`
  expect(valuesOf(planned, 'verdict')).toEqual(reports.map(([, , verdict]) => verdict))
  const pushed = await run`push`
  expect(pushed.map(({ status, error }) => error?.code ?? status)).toEqual(reports.map((report) => report[3]))
})

it('--only-new sends scans of the replacement that are older than the late failure', async () => {
  const { name, shopCode, transports } = await replaced()
  const file = join(newFolder(), 'in.csv')
  const push = async (status: string, date: string) => {
    const header = 'shipmentId,trackingStatus,trackingDate,trackingNumber'
    writeFileSync(file, `${header}\n${name},${status},${date},SECOND`)
    const argv = typed`tracking push --file ${file} --only-new --shop ${shopCode} -o ndjson`
    return ndjson(succeeded(await rma(argv)).stdout)
  }
  expect(await push('SHIPPING_IN_PROGRESS', '2026-11-20T08:30:00Z')).toMatchObject([{ status: 'succeeded' }])
  expect(await push('SHIPPING_COMPLETED', LATER)).toMatchObject([{ status: 'succeeded' }])
  const shown = (await transports()).map(({ status, carrierReference }) => [status, carrierReference])
  expect(shown).toEqual([
    ['SHIPPING_FAILED', 'FIRST'],
    ['SHIPPING_COMPLETED', 'SECOND'],
  ])
})

it('a label update changes the replacement, and is refused by the finished transport’s reference', async () => {
  const { name, shopCode, ended: finished, transports } = await replaced()
  const update = typed`labels update --shop ${shopCode} --tracking-code NEW --json`
  succeeded(await rma`${update} ${name}`)
  const [first, second] = await transports()
  expect([first, second?.carrierReference]).toEqual([finished, 'NEW'])
  const refused = ended(await rma`${update} ${finished.clientReference} --replace`, 6)
  expect(refused.stderr).toContain('SH01')
  expect(await transports()).toEqual([first, second])
})
