import { execFileSync } from 'node:child_process'
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ended, expectEnd, itemsOf, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { refusal } from '../../helpers/script-server.ts'
import { fileOf, scans, type TrackingService, trackingService } from '../../helpers/tracking-service.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const platform = usePlatform({ returns: 250 })
const { run: rma } = platform

/** Names of returns whose transport is in a state. */
async function named(status: string) {
  const returns = await platform.returns('shop_code=LUMBRE-ES&limit=500')
  return valuesOf(
    returns.filter((one) => one.activeTransportation?.status === status),
    'name',
  )
}

function planOf() {
  return join(newFolder(), 'plan')
}

/** A plan for the first scan of some shipments of a service, at which all of them have none yet. */
async function plannedScans({ run }: TrackingService, shipments: number) {
  const plan = planOf()
  expectEnd(await run`tracking plan --file ${fileOf(scans(shipments))} --out ${plan}`, 0, [
    `rma tracking push --plan ${plan}`,
  ])
  return plan
}

it('a plan is neither read from a pipe nor written to one', async () => {
  const pipe = planOf()
  execFileSync('mkfifo', [pipe])
  const push = typed`tracking push --plan ${pipe} --yes`
  const plan = typed`tracking plan --file ${fileOf(scans(1))} --out ${pipe}`
  for (const argv of [push, plan]) expectEnd(await rma(argv), 2, [`${pipe} is not a file on the disk.`])
})

const shop = typed`--shop LUMBRE-ES`

it('a plan sends exactly what was accepted, and is refused the second time', async () => {
  const [first = '', second = ''] = await named('REQUESTED')
  const [over = ''] = await named('SHIPPING_COMPLETED')
  const rows = [
    'shipmentId,trackingStatus',
    `${first},SHIPPING_IN_PROGRESS`,
    `${over},REQUESTED`,
    `${second},SHIPPING_IN_PROGRESS`,
    `${second},SHIPPING_COMPLETED`,
    'R#-NONE,REQUESTED',
  ]
  const plan = planOf()
  const planned = await rma`tracking plan --file ${fileOf(rows.join('\n'))} --out ${plan} ${shop} --json`
  expect(jsonOf(planned)).toMatchObject({ plan, total: 5, accepted: 3 })
  const push = typed`tracking push --plan ${plan} ${shop} --json`
  const dry = await rma`${push} --dry-run`
  expect(itemsOf(dry).map(({ body }) => body.shipmentId)).toEqual([first, second, second])
  const env = platform.env()
  const sent = await rma(push, { env })
  expect(jsonOf(succeeded(sent))).toMatchObject({ total: 3, succeeded: 3 })
  expect(await named('SHIPPING_COMPLETED')).toContain(second)
  const again = await rma(push, { env })
  expect(ended(again, 6).stdout).toBe('')
  const { error } = JSON.parse(again.stderr)
  expect(error.message).toMatch('2 shipments have moved since the plan was made; nothing was sent')
  expect(error.errors[0]).toEqual({
    path: `row 2, ${first}`,
    message: 'SHIPPING_IN_PROGRESS now, REQUESTED then',
  })
  expect(error.hints[0]).toBe('make the plan again')
  expect(readdirSync(join(env.RMA_DATA_DIR, 'jobs'))).toHaveLength(1)
})

it('a plan is refused after its return changed, even if the first row is not sent', async () => {
  const [name = ''] = await named('SHIPPING_IN_PROGRESS')
  const [record] = await platform.returns(`name=${encodeURIComponent(name)}`)
  const transport = record?.activeTransportation?.id
  const rows = ['shipmentId,trackingStatus', `${name}-T${transport},REQUESTED`, `${name},SHIPPING_COMPLETED`]
  const plan = planOf()
  const file = fileOf(rows.join('\n'))
  const planned = await rma`tracking plan --file ${file} --out ${plan} ${shop} --json`
  expect(jsonOf(planned)).toMatchObject({ total: 2, accepted: 1 })
  succeeded(await rma`tracking push ${name} --status SHIPPING_FAILED ${shop}`)
  expectEnd(await rma`tracking push --plan ${plan} ${shop}`, 6, ['REQUESTED now, SHIPPING_IN_PROGRESS then'])
})

it('a plan is refused for another shop', async () => {
  const [name = ''] = await named('REQUESTED')
  const file = fileOf(`shipmentId,trackingStatus\n${name},SHIPPING_IN_PROGRESS`)
  const plan = planOf()
  succeeded(await rma`tracking plan --file ${file} --out ${plan} ${shop}`)
  for (const other of [[], typed`--shop FJORD-SE`]) {
    expectEnd(await rma`tracking push --plan ${plan} ${other}`, 2, /made for .*, shop LUMBRE-ES/)
  }
})

it('a job of a plan does not go on once a return that it has sent nothing of has moved', async () => {
  const interrupt = new AbortController()
  const service = await trackingService({
    listed: 5,
    onUpdate: () => {
      interrupt.abort()
      return undefined
    },
  })
  const plan = await plannedScans(service, 5)
  const { signal } = interrupt
  ended(await service.run(typed`tracking push --plan ${plan} --concurrency 1`, { interrupt: signal }), 130)
  const sent = service.updates.length
  expect(sent).toBeLessThan(5)
  service.taken.push({
    shipmentId: 'R#-5',
    trackingStatus: 'SHIPPING_FAILED',
    trackingDate: '2026-11-19T10:00:00Z',
  })
  for (const verb of ['resume', 'resume --dry-run', 'retry'])
    expectEnd(await service.run`jobs ${verb.split(' ')} --last`, 6, [/1 shipment has moved.*R#-5/s])
  expect(service.updates).toHaveLength(sent)
})

it.each<[string, (text: string) => string, RegExp]>([
  ['that is cut in a row', (text) => text.slice(0, text.length / 2), /not whole/],
  ['without its last lines', (text) => text.split('\n').slice(0, -3).join('\n'), /not whole/],
  [
    'with one row less',
    (text) =>
      text
        .split('\n')
        .filter((_, at) => at !== 3)
        .join('\n'),
    /not as it was written/,
  ],
  ['with another status', (text) => text.replace('IN_PROGRESS"', 'COMPLETED"'), /not as it was written/],
  [
    'with another verdict',
    (text) => text.replace('"verdict":"new"', '"verdict":"stale"'),
    /not as it was written/,
  ],
  ['with something after its end', (text) => `${text}{}\n`, /not whole/],
  ['that is a table', () => scans(3), /is not a plan/],
  ['of a later version', (text) => text.replace('"rmaPlan":1', '"rmaPlan":2'), /is not a plan/],
  ['that is empty', () => '', /is not a plan/],
])('a plan %s is refused', async (_name, change, words) => {
  const service = await trackingService({ listed: 5 })
  const plan = await plannedScans(service, 5)
  writeFileSync(plan, change(textFile(plan)))
  expectEnd(await service.run`tracking push --plan ${plan}`, 2, [words])
  expect([service.updates, service.jobs()]).toEqual([[], []])
})

it('shards of a plan are sent one after the other, though each moves returns', async () => {
  const service = await trackingService({ listed: 20 })
  const plan = await plannedScans(service, 20)
  const push = typed`tracking push --plan ${plan} --json --shard`
  const [first, second] = [await service.run`${push} 1/2`, await service.run`${push} 2/2`]
  const sent = [first, second].map((run) => jsonOf(succeeded(run)).succeeded)
  expect(Math.min(...sent)).toBeGreaterThan(0)
  expect(new Set(valuesOf(service.taken, 'shipmentId')).size).toBe(20)
})

it('a missing plan, or one with a file, is refused', async () => {
  const { run } = await trackingService()
  expectEnd(await run`tracking push --plan /nowhere/plan`, 2, ['there is no such file'])
  for (const other of [typed`--file y`, typed`--map a=b`, ['--skip-invalid']]) {
    expectEnd(await run`tracking push --plan x ${other}`, 2, [`--plan and ${other[0]}`])
  }
})

it('a plan for another platform is refused', async () => {
  const [one, other] = [await trackingService({ listed: 2 }), await trackingService({ listed: 2 })]
  const plan = await plannedScans(one, 2)
  expectEnd(await other.run`tracking push --plan ${plan}`, 2, [one.baseUrl])
  expect(other.requests).toEqual([])
})

it('tracking plan replaces a plan, and no other file', async () => {
  const service = await trackingService({ listed: 2 })
  const plan = await plannedScans(service, 2)
  const before = textFile(plan)
  const argv = typed`tracking plan --file ${fileOf(scans(1))} --out ${plan}`
  succeeded(await service.run(argv))
  expect(textFile(plan)).not.toBe(before)
  writeFileSync(plan, 'precious')
  expectEnd(await service.run(argv), 2, ['is not a plan'])
  expect(textFile(plan)).toBe('precious')
})

it('an unfinished plan leaves nothing behind', async () => {
  const plan = planOf()
  const argv = typed`tracking plan --file ${fileOf(scans(5))} --out ${plan}`
  const folder = () => readdirSync(join(plan, '..'))
  const failing = await trackingService({ onLook: () => ({ status: 500 }) })
  ended(await failing.run`${argv} --retries 0`, 7)
  expect(folder()).toEqual([])
  const interrupt = new AbortController()
  // Later updates than these are known of, so that each shipment's events have to be asked for.
  const slow = await trackingService({
    listed: 5,
    onUpdate: () => undefined,
    onLook: ({ path }) => {
      if (path === '/returns') return undefined
      interrupt.abort()
      return { fault: 'hang' }
    },
  })
  await slow.run`tracking push --file ${fileOf(scans(5, 3))}`
  ended(await slow.run(argv, { interrupt: interrupt.signal }), 130)
  await expect.poll(folder).toEqual([])
})

it('failed.csv of --only-new has the original columns, and can be fed back', async () => {
  let isFixed = false
  const service = await trackingService({
    listed: 2,
    onUpdate: ({ shipmentId }) => (isFixed || shipmentId === 'R#-1' ? undefined : refusal('TR02')),
  })
  const rows = ['R#-1;SHIPPED;"W;1";20/11/2026', 'R#-2;SHIPPED;"W;2";20/11/2026']
  const file = fileOf(['Return;State;Warehouse;When', ...rows].join('\n'))
  const map = ['shipmentId=Return', 'trackingStatus=State', 'trackingDate=When']
  const read = [...map.flatMap((one) => typed`--map ${one}`), ...typed`--dates DMY --allow-unknown-status`]
  const pushed = await service.run`tracking push --file ${file} --only-new ${read} -y --json`
  const { jobId, failedFile } = jsonOf(ended(pushed, 9))
  expect(textFile(failedFile)).toBe(
    'Return,State,Warehouse,When,_row,_code,_message\r\nR#-2,SHIPPED,"W;2",20/11/2026,3,TR02,no\r\n',
  )
  isFixed = true
  succeeded(await service.run`jobs retry ${jobId} --file ${failedFile} -y`)
  expect(service.takenOf('R#-2')).toEqual(service.takenOf('R#-1'))
  const fed = await service.run`tracking push --file ${failedFile} ${read} -n -o ndjson`
  expect(JSON.parse(succeeded(fed).stdout).body).toMatchObject({
    shipmentId: 'R#-2',
    trackingDate: service.takenOf('R#-1')[0],
  })
})

it('Ctrl-C while a plan is sent finishes rows under way, and the job can be resumed', async () => {
  const interrupt = new AbortController()
  const service = await trackingService({
    listed: 100,
    onUpdate: async (_, index) => {
      if (index === 20) interrupt.abort()
      await delay(30)
      return undefined
    },
  })
  const plan = await plannedScans(service, 100)
  expect(
    jsonOf(
      ended(
        await service.run(typed`tracking push --plan ${plan} --json`, {
          interrupt: interrupt.signal,
        }),
        130,
      ),
    ),
  ).toMatchObject({ succeeded: service.taken.length, unknown: 0 })
  succeeded(await service.run`jobs resume --last`)
  expect(new Set(valuesOf(service.taken, 'shipmentId')).size).toBe(100)
  expect(service.taken).toHaveLength(100)
})

it('a job whose plan was replaced is not resumed', async () => {
  let isOut = true
  const service = await trackingService({
    listed: 5,
    onUpdate: () => (isOut ? { status: 401 } : undefined),
  })
  const plan = await plannedScans(service, 5)
  ended(await service.run`tracking push --plan ${plan}`, 4)
  isOut = false
  await service.run`tracking plan --file ${fileOf(scans(4))} --out ${plan}`
  expectEnd(await service.run`jobs resume --last`, 2, ['is not what it was'])
  expect(service.taken).toEqual([])
})
