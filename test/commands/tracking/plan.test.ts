import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  asTyped,
  ended,
  expectEnd,
  itemsOf,
  jsonOf,
  ndjson,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import { newFile, newFolder, textFile } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/list.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const platform = usePlatform({ returns: 250 })
const { run: rma } = platform

const returnsOf = (shop: string) => platform.returns(`shop_code=${shop}&limit=500`)

it('a plan tells what each row would change', async () => {
  const returns = await returnsOf('LUMBRE-ES')
  const withStatus = (status: string) =>
    valuesOf(
      returns.filter(({ activeTransportation }) => activeTransportation?.status === status),
      'name',
    )
  const [requested = ''] = withStatus('REQUESTED')
  const [shipping = '', other = ''] = withStatus('SHIPPING_IN_PROGRESS')
  const [completed = ''] = withStatus('SHIPPING_COMPLETED')
  const scanOf = async (name: string) => {
    const { id = '' } = returns.find((one) => one.name === name) ?? {}
    return Date.parse((await platform.transports(id)).at(-1)?.trackingEvents.at(-1)?.date ?? '')
  }
  const [scanned, overtaken] = [await scanOf(shipping), (await scanOf(other)) - 1]
  const dir = newFolder()
  const rows = [
    'shipmentId,trackingStatus,trackingDate',
    `${requested},SHIPPING_IN_PROGRESS,`,
    `${requested},SHIPPING_COMPLETED,`,
    `${requested},SHIPPING_IN_PROGRESS,2026-11-20T12:00:01Z`,
    `${shipping},SHIPPING_IN_PROGRESS,${new Date(scanned).toISOString()}`,
    `${other},REQUESTED,`,
    `${completed},SHIPPING_FAILED,`,
    `${other},SHIPPING_COMPLETED,${new Date(overtaken).toISOString()}`,
    'R#-NONE,SHIPPING_COMPLETED,',
  ]
  writeFileSync(join(dir, 'in.csv'), rows.join('\n'))
  const argv = typed`tracking plan --file ${join(dir, 'in.csv')} --out ${join(dir, 'plan')} --shop LUMBRE-ES`
  const result = succeeded(await rma`${argv} -o ndjson`)
  const lines = ndjson(result.stdout)
  expect(lines.map(({ row, verdict }) => [row, verdict])).toEqual([
    [2, 'new'],
    [3, 'new'],
    [4, 'backward'],
    [5, 'no-op'],
    [6, 'backward'],
    [7, 'illegal'],
    [8, 'stale'],
    [9, 'missing'],
  ])
  const json = await rma`${argv} --json`
  expect(jsonOf(json)).toMatchObject({
    total: 8,
    accepted: 2,
    verdicts: { new: 2, 'no-op': 1, backward: 2, illegal: 1, stale: 1, missing: 1 },
  })
  expect(textFile(join(dir, 'plan')).split('\n')).toHaveLength(11)
  expect(json.stderr).toContain('6 rows are not new:\n  row 4, ')
  expect(json.stderr).toContain(`row 7, ${completed}: illegal (SHIPPING_FAILED: can't follow`)

  const before = (await rma`jobs list --json`).stdout
  const shown = typed`tracking push --file ${join(dir, 'in.csv')} --only-new --shop LUMBRE-ES`
  const dry = await rma`${shown} --dry-run --json`
  expect(valuesOf(itemsOf(dry), 'row')).toEqual([2, 3])
  expect((await rma`jobs list --json`).stdout).toBe(before)
  const pushed = await rma`${shown} --json`
  expect(jsonOf(succeeded(pushed))).toMatchObject({ total: 2, succeeded: 2 })
  expect(pushed.stderr).toContain('6 rows are not new:')
  const again = await rma`${shown} --json`
  expect(jsonOf(succeeded(again))).toMatchObject({ total: 0, succeeded: 0 })
  const forPeople = succeeded(await rma(shown))
  expect(forPeople.stdout).toBe('')
  expect(forPeople.stderr).toMatch(/8 rows are not new:.*\nNothing is new: there is nothing to send\.\n$/s)
  ended(await rma`${shown} --again`, 2)
})

it('a row without a date that says what the platform has is sent once', async () => {
  const record = (await returnsOf('LUMBRE-ES')).find(
    ({ activeTransportation: one }) => one?.status === 'REQUESTED',
  )
  const file = newFile('in.csv', `shipmentId,trackingStatus\n${record?.name},SHIPPING_IN_PROGRESS\n`)
  const totalOf = async () => {
    const push = typed`tracking push --only-new --file ${file} --shop LUMBRE-ES --json`
    return jsonOf(succeeded(await rma(push))).total
  }
  expect([await totalOf(), await totalOf()]).toEqual([1, 0])
})

it('a plan lists the first 20 rows that are not new; an empty plan is not to be pushed', async () => {
  const dir = newFolder()
  const rows = times(25, (at) => `R#-NONE${at},REQUESTED`)
  writeFileSync(join(dir, 'in.csv'), ['shipmentId,trackingStatus', ...rows].join('\n'))
  const argv = typed`tracking plan --file ${join(dir, 'in.csv')} --out ${join(dir, 'plan')}`
  const { stderr } = expectEnd(await rma`${argv} --shop LUMBRE-ES`, 0, ['and 5 more', 'Nothing is new'])
  expect(stderr.match(/^ {2}row \d+, R#-NONE\d+: missing/gm)).toHaveLength(20)
  expect(stderr).not.toContain('push --plan')
})

it('rows dated long before their return are sent with a warning, and the platform decides', async () => {
  const [record] = await returnsOf('LUMBRE-ES')
  const file = newFile(
    'in.csv',
    `shipmentId,trackingStatus,trackingDate\n${record?.name},SHIPPING_IN_PROGRESS,2020-01-01T00:00:00Z`,
  )
  const shop = typed`--shop LUMBRE-ES --json`
  const warning = '1 row is dated more than 30 days before the return was made'
  const plan = await rma`tracking plan --file ${file} --out ${file}.plan ${shop}`
  expect(jsonOf(plan)).toMatchObject({ accepted: 1, verdicts: { new: 0, 'too early': 1 } })
  expect(plan.stderr).toContain(warning)
  for (const source of [typed`--plan ${file}.plan`, typed`--file ${file} --only-new`]) {
    const pushed = await rma`tracking push ${source} ${shop}`
    expect(jsonOf(ended(pushed, 9))).toMatchObject({ total: 1, failed: 1 })
    expect(pushed.stderr).toContain(warning)
    expect(pushed.stderr).toContain('VA01')
  }
})

it('a row dated before the first transport, and by a fraction of a second after the last event, is new', async () => {
  const returns = await returnsOf('LUMBRE-ES')
  const requested = returns.filter(({ activeTransportation }) => activeTransportation?.status === 'REQUESTED')
  const record = requested.at(-1)
  const made = Date.parse(record?.createdAt ?? '')
  const dates = [made - 86_400_000, made - 86_400_000 + 250, made - 86_400_000 + 500, made - 86_400_000 + 250]
  const states = [
    'SHIPPING_IN_PROGRESS',
    'SHIPPING_IN_PROGRESS',
    'SHIPPING_COMPLETED',
    'SHIPPING_IN_PROGRESS',
  ]
  const file = join(newFolder(), 'in.csv')
  const rows = dates.map((ms, at) => `${record?.name},${states[at]},${new Date(ms).toISOString()},N${at % 3}`)
  writeFileSync(file, ['shipmentId,trackingStatus,trackingDate,trackingNumber', ...rows].join('\n'))
  const argv = typed`--file ${file} --shop LUMBRE-ES -o ndjson`
  const run = asTyped(async (more) =>
    ndjson((await rma`tracking ${more} ${argv}`).stdout).sort((one, next) => one.row - next.row),
  )
  const plan = await run`plan --out ${file}.plan`
  expect(valuesOf(plan, 'verdict')).toEqual(['new', 'new', 'new', 'stale'])
  const pushed = await run`push`
  expect(valuesOf(pushed, 'reason')).toEqual([undefined, undefined, undefined, 'stale'])
})
