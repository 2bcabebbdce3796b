import { describe, expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { withReplacement } from '../../helpers/replaced-transports.ts'
import { pageOf, refusal } from '../../helpers/script-server.ts'
import { fileOf, type ServiceOptions, trackingService } from '../../helpers/tracking-service.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/jobs/show.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/labels/update.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const platform = usePlatform({ returns: 900 })
const { run: rma } = platform

let used = 0
/** The first parcel of each return has a number of its own. */
async function replaced() {
  const number = `FIRST${++used}`
  return { ...(await withReplacement(platform, number)), number }
}

it('one update that names an ended transport is refused with both ids before anything is sent', async () => {
  const shipment = await replaced()
  const before = await shipment.transports()
  const id = `${shipment.name}-T${shipment.ended.id}`
  for (const argv of [
    typed`tracking push ${id} --status SHIPPING_COMPLETED`,
    typed`tracking push ${id} --status SHIPPING_COMPLETED --dry-run`,
    typed`labels update ${id} --tracking-code NEW`,
    typed`labels update ${id} --tracking-code NEW --replace`,
  ]) {
    const { stderr } = expectEnd(await rma`${argv} --shop ${shipment.shopCode}`, 2, [
      `active one is ${shipment.active.id}; nothing was sent`,
    ])
    expect(stderr).toEqual(expect.stringContaining(shipment.ended.id))
    expect(await shipment.transports()).toEqual(before)
  }
})

it('one update that names an ended transport by its number, its reference or its label, out of the mirror, is refused', async () => {
  const shipment = await replaced()
  const before = await shipment.transports()
  const env = platform.env()
  succeeded(await rma(typed`mirror sync --shop ${shipment.shopCode} --yes`, { env }))
  const bare = `${shipment.name.replace('R#-', '').toLowerCase()}-t${shipment.ended.id}`
  for (const id of [shipment.number, shipment.ended.clientReference, bare]) {
    const argv = typed`tracking push ${id} --status SHIPPING_COMPLETED --shop ${shipment.shopCode}`
    expectEnd(await rma(argv, { env }), 2, [`names transport ${shipment.ended.id} of`])
    expect(await shipment.transports()).toEqual(before)
  }
})

it("a label's id without its R#- means the label of that transport, with or without a mirror", async () => {
  const { name, shopCode, active } = await replaced()
  const env = platform.env()
  const shop = typed`--shop ${shopCode}`
  const id = `${name}-T${active.id}`
  succeeded(await rma`labels create --for ${name} --out ${newFolder()} ${shop}`)
  // The labelled transport is replaced.
  const lost = typed`--status SHIPPING_FAILED --number SECOND --date 2026-11-20T10:00:00Z`
  succeeded(await rma`tracking push ${name} ${lost} ${shop}`)
  const get = typed`labels get ${id.replace('R#-', '').toLowerCase()} ${shop} --json`
  const labels = async () => {
    const sets: { clientShipmentId: string }[] = jsonOf(await rma(get, { env }))
    return [...new Set(valuesOf(sets, 'clientShipmentId'))]
  }
  expect(await labels()).toEqual([id])
  succeeded(await rma(typed`mirror sync ${shop} --yes`, { env }))
  expect(await labels()).toEqual([id])
})

it('one update that names the active transport by the id of its label is sent', async () => {
  const { name, shopCode, active, transports } = await replaced()
  const id = `${name}-T${active.id}`
  const report = typed`--status SHIPPING_IN_PROGRESS --date 2026-11-20T10:00:00Z`
  succeeded(await rma`tracking push ${id} --shop ${shopCode} ${report}`)
  const update = typed`labels update ${id} --shop ${shopCode} --tracking-code NEW`
  succeeded(await rma(update))
  expect((await transports())[1]).toMatchObject({ status: 'SHIPPING_IN_PROGRESS', carrierReference: 'NEW' })
})

const COLUMNS = ['shopCode', 'shipmentId', 'trackingStatus', 'trackingNumber', 'trackingDate']
const fileWith = (rows: unknown[][]) => fileOf([COLUMNS, ...rows].join('\n'))

/** An export of all scans so far: of the lost parcel, of its replacement, and of another return. */
async function exported() {
  const lost = await replaced()
  const other = await replaced()
  const { name, shopCode, ended, active, number } = lost
  const first = `${name}-T${ended.id}`
  const second = `${name}-T${active.id}`
  const rows = [
    [shopCode, first, 'SHIPPING_FAILED', number, '2026-11-20T09:00:00Z'],
    [shopCode, first, 'SHIPPING_IN_PROGRESS', number, '2026-11-20T08:00:00Z'],
    [shopCode, first, 'SHIPPING_COMPLETED', '', '2026-11-20T10:00:00Z'],
    [shopCode, second, 'SHIPPING_IN_PROGRESS', '', '2026-11-20T10:30:00Z'],
    [other.shopCode, `${other.name}-T${other.active.id}`, 'SHIPPING_IN_PROGRESS', '', '2026-11-20T10:00:00Z'],
    [other.shopCode, other.name, 'SHIPPING_COMPLETED', '', '2026-11-20T11:00:00Z'],
  ]
  return { lost, other, rows, file: fileWith(rows) }
}

const outcomes = (text: string) =>
  ndjson(text)
    .sort((one, another) => one.row - another.row)
    .map(({ status, error }) => error?.code ?? status)

it('rows with a transport id are skipped if known, and fail if new for an ended transport', async () => {
  const { lost, other, file } = await exported()
  const before = await lost.transports()
  const plan = typed`tracking plan --file ${file} --out ${file}.plan -o ndjson`
  const verdicts = ndjson((await rma(plan)).stdout)
  expect(valuesOf(verdicts, 'verdict')).toEqual(['no-op', 'stale', 'illegal', 'new', 'new', 'new'])
  const dry = await rma`tracking push --file ${file} --dry-run -o ndjson`
  expect(ndjson(dry.stdout).map(({ body }) => body.shipmentId)).toEqual([lost.name, other.name, other.name])
  const { stdout } = expectEnd(await rma`tracking push --file ${file} -o ndjson`, 9, [
    `transport ${lost.ended.id} has ended; the active one of ${lost.name} is`,
    lost.active.id,
  ])
  const all = ['KNOWN', 'OLDER', 'ENDED', 'succeeded', 'succeeded', 'succeeded']
  expect(outcomes(stdout)).toEqual(all)
  const [ended, active] = await lost.transports()
  expect([ended, active?.status]).toEqual([before[0], 'SHIPPING_IN_PROGRESS'])
  expect((await other.transports())[1]?.status).toBe('SHIPPING_COMPLETED')
})

it('rows with a transport id are judged again by --again, jobs retry and failed.csv', async () => {
  const { lost, file } = await exported()
  const env = platform.env()
  const run = asTyped((argv) => rma(typed`${argv} -o ndjson`, { env }))
  await run`tracking push --file ${file}`
  const after = await lost.transports()
  const again = await run`tracking push --file ${file} --again`
  const all = ['KNOWN', 'OLDER', 'ENDED', 'succeeded', 'succeeded', 'succeeded']
  expect([again.code, outcomes(again.stdout)]).toEqual([9, all])
  const retried = await run`jobs retry --last`
  expect([retried.code, outcomes(retried.stdout)]).toEqual([9, ['ENDED']])
  const { failedFile } = jsonOf(await rma(typed`jobs show --last --json`, { env }))
  const [header, line, ...others] = textFile(failedFile).trim().split('\r\n')
  expect([header, line, others]).toEqual([
    [...COLUMNS, '_row', '_code', '_message'].join(','),
    expect.stringMatching(`${lost.name}-T${lost.ended.id},SHIPPING_COMPLETED,,.*,4,ENDED,`),
    [],
  ])
  const fed = await run`tracking push --file ${failedFile}`
  expect([fed.code, outcomes(fed.stdout)]).toEqual([9, ['ENDED']])
  expect(await lost.transports()).toEqual(after)
})

it('a row fails after an earlier row of the file ended its transport', async () => {
  const { name, shopCode, active, transports } = await replaced()
  const id = `${name}-T${active.id}`
  const scans = [
    [id, 'SHIPPING_IN_PROGRESS', 'SECOND', '2026-11-20T10:00:00Z'],
    [id, 'SHIPPING_FAILED', 'SECOND', '2026-11-20T10:10:00Z'],
    [id, 'SHIPPING_COMPLETED', 'SECOND', '2026-11-20T10:20:00Z'],
    [id, 'SHIPPING_IN_PROGRESS', 'SECOND', '2026-11-20T10:00:00Z'],
    [id, 'SHIPPING_COMPLETED', '', '2026-11-20T10:30:00Z'],
  ]
  const file = fileWith(scans.map((scan) => [shopCode, ...scan]))
  const { stdout } = await rma`tracking push --file ${file} -o ndjson`
  // The fourth says what the first said.
  expect(outcomes(stdout)).toEqual(['succeeded', 'succeeded', 'ENDED', 'REPEATED', 'ENDED'])
  expect(valuesOf(await transports(), 'status')).toEqual(['SHIPPING_FAILED', 'SHIPPING_FAILED', 'REQUESTED'])
})

it('a row fails after an earlier row, naming only the return, ended its transport', async () => {
  const { name, shopCode, active, transports } = await replaced()
  const rows = [
    [shopCode, name, 'SHIPPING_CANCELLED', '', '2026-11-20T10:00:00Z'],
    [shopCode, `${name}-T${active.id}`, 'SHIPPING_IN_PROGRESS', '', '2026-11-20T12:00:00Z'],
  ]
  const file = fileWith(rows)
  const { stdout } = await rma`tracking push --file ${file} -o ndjson`
  expect(outcomes(stdout)).toEqual(['succeeded', 'ENDED'])
  expect((await transports()).at(-1)?.status).toBe('REQUESTED')
})

it('rows of ended transports never stop others, however many come first', async () => {
  const { name, shopCode, ended, active, transports } = await replaced()
  const minutes = times(250, (at) => new Date(Date.UTC(2026, 10, 20, 9, 1, at)).toISOString())
  const late = minutes.map((date) => [shopCode, `${name}-T${ended.id}`, 'SHIPPING_COMPLETED', '', date])
  const rows = [
    ...late,
    [shopCode, `${name}-T${active.id}`, 'SHIPPING_IN_PROGRESS', '', '2026-11-20T10:00:00Z'],
  ]
  for (const flags of [[], typed`--max-failures 10 --again`]) {
    const file = fileWith(rows)
    const { stdout, stderr } = await rma`tracking push --file ${file} --json ${flags}`
    expect(stderr).not.toContain('Stopped')
    expect(JSON.parse(stdout)).toMatchObject({ failed: 250, succeeded: 1, remaining: 0 })
  }
  expect(valuesOf(await transports(), 'status')).toEqual(['SHIPPING_FAILED', 'SHIPPING_IN_PROGRESS'])
})

describe('on a platform that shows no events', () => {
  /** Returns by name, each with its active transport; the ids of all, oldest first, with their states. */
  const service = (
    returns: Record<string, { id: string; status: string; carrierReference?: string }[]>,
    { isListed = true, ...more }: ServiceOptions & { isListed?: boolean } = {},
  ) =>
    trackingService({
      ...more,
      onLook: ({ path, query }) => {
        const record = (name: string) => ({
          id: name.slice(3),
          name,
          shopCode: 'S',
          activeTransportation: returns[name]?.at(-1),
        })
        if (path === '/returns') {
          const names = Object.keys(returns).filter((name) => [null, name].includes(query.get('name')))
          return { body: pageOf(names.map(record), 1) }
        }
        const [, , id = ''] = path.split('/')
        if (!isListed) return refusal('NF01', 'no such path', 404)
        return { body: { transportations: returns[`R#-${id}`] } }
      },
    })
  const two = [
    { id: 'T1', status: 'SHIPPING_FAILED' },
    { id: 'T2', status: 'SHIPPING_IN_PROGRESS' },
  ]
  const rows = (...statuses: [id: string, status: string][]) =>
    fileOf(['shipmentId,trackingStatus', ...statuses.map((row) => row.join(','))].join('\n'))

  it('the state of an ended transport tells known and older rows', async () => {
    const { run, updates } = await service({ 'R#-1': two })
    const file = rows(
      ['R#-1-TT1', 'SHIPPING_FAILED'],
      ['R#-1-TT1', 'SHIPPING_IN_PROGRESS'],
      ['R#-1-TT1', 'SHIPPING_COMPLETED'],
      ['R#-1-TT2', 'SHIPPING_COMPLETED'],
    )
    const { stdout } = ended(await run`tracking push --file ${file} -o ndjson`, 9)
    expect(outcomes(stdout)).toEqual(['KNOWN', 'OLDER', 'ENDED', 'succeeded'])
    expect(valuesOf(updates, 'shipmentId')).toEqual(['R#-1'])
  })

  it('a plan goes by state and number of the active transport, and calls other rows new', async () => {
    const { run } = await service({
      'R#-1': [{ id: 'T1', status: 'SHIPPING_IN_PROGRESS', carrierReference: 'N1' }],
      'R#-2': [{ id: 'T2', status: 'REQUESTED' }],
    })
    const cases = [
      ['R#-1,SHIPPING_IN_PROGRESS,N1,', 'no-op'],
      ['R#-1,SHIPPING_IN_PROGRESS,,', 'no-op'],
      ['R#-1,REQUESTED,,', 'backward'],
      ['R#-1,SHIPPING_IN_PROGRESS,N2,', 'new'],
      ['R#-1,SHIPPING_IN_PROGRESS,N2,2026-11-20T10:00:00Z', 'no-op'],
      ['R#-1,SHIPPING_FAILED,,', 'new'],
      ['R#-1,PICK_UP_IN_PROGRESS,,', 'new'],
      ['R#-2,SHIPPING_IN_PROGRESS,,2020-01-01T00:00:00Z', 'new'],
    ]
    const header = 'shipmentId,trackingStatus,trackingNumber,trackingDate'
    const file = fileOf([header, ...cases.map(([row]) => row)].join('\n'))
    const { stdout } = await run`tracking plan --file ${file} --out ${file}.plan -o ndjson`
    const verdicts = ndjson(stdout).sort((a, b) => a.row - b.row)
    expect(valuesOf(verdicts, 'verdict')).toEqual(cases.map(([, verdict]) => verdict))
  })

  it('without a list of transports, a row about an inactive transport fails', async () => {
    const { run, updates } = await service({ 'R#-1': two }, { isListed: false })
    const file = rows(['R#-1-TT1', 'SHIPPING_COMPLETED'])
    const { code, stdout } = await run`tracking push --file ${file} -o ndjson`
    expect([code, outcomes(stdout), updates]).toEqual([9, ['ENDED'], []])
  })

  it('a return whose own name looks like a transport id is sent by that name', async () => {
    const { run, updates } = await service({ 'R#-1': two, 'R#-1-TEST': two, 'R#-2-TEST': two })
    const file = rows(['R#-1-TEST', 'SHIPPING_COMPLETED'], ['R#-2-TEST', 'SHIPPING_COMPLETED'])
    succeeded(await run`tracking push --file ${file}`)
    expect(valuesOf(updates, 'shipmentId').sort()).toEqual(['R#-1-TEST', 'R#-2-TEST'])
  })

  it('a transport that ends while a row waits to be sent again is not moved by that row', async () => {
    const shown = { 'R#-1': [{ id: 'T1', status: 'REQUESTED' }] }
    const { run, updates } = await service(shown, {
      onUpdate: () => {
        shown['R#-1'] = two
        return { status: 503 }
      },
    })
    const file = rows(['R#-1-TT1', 'SHIPPING_COMPLETED'])
    const { stdout } = ended(await run`tracking push --file ${file} -o ndjson`, 10)
    expect(outcomes(stdout)).toEqual(['HTTP 503'])
    expect(updates).toHaveLength(1)
  })
})
