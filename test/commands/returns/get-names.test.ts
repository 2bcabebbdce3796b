import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { newFile, newFolder } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { shell } from '../../helpers/spawn-cli.ts'
import { valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/download.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/labels/update.ts'
import '../../../src/commands/methods/calculate.ts'
import '../../../src/commands/pudos/search.ts'
import '../../../src/commands/returns/get.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/returns/refunds.ts'
import '../../../src/commands/returns/transportations.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const platform = usePlatform()
const { run } = platform

/** A return of its own order, and an order with two returns. */
let single: Return
let twice: Return[]

beforeAll(async () => {
  const all: Return[] = jsonOf(await run`returns list --all --json`).returns
  const ofOrder = (name: string) => all.filter(({ ecommerceOrder }) => ecommerceOrder.name === name)
  const isAlone = ({ ecommerceOrder }: Return) => ofOrder(ecommerceOrder.name ?? '').length === 1
  const isUnderWay = ({ activeTransportation }: Return) =>
    activeTransportation?.status === 'SHIPPING_IN_PROGRESS' && Boolean(activeTransportation.carrierReference)
  single = all.find((one) => isUnderWay(one) && isAlone(one)) as Return
  const second = all.find(({ name }) => /[A-Z]\d+-2$/.test(name))
  twice = ofOrder(second?.ecommerceOrder.name ?? '')
  expect([single.name, twice.length]).toEqual([expect.stringMatching(/^R#-/), 2])
})

it('--web opens the page of the carrier, and prints its address where no browser is there', async () => {
  const address = single.activeTransportation?.carrierTrackingUrl
  const web = typed`returns get ${single.name} --web`
  expectEnd(
    await run(web, { env: { BROWSER: 'true', PATH: process.env.PATH ?? '' } }),
    0,
    `Opened ${address}\n`,
  )
  for (const env of [undefined, { BROWSER: '/no/browser' }])
    expect(succeeded(await run(web, { env })).stdout).toBe(`${address}\n`)
  expectEnd(await run([...web, twice[0]?.name ?? '']), 2, ['Error: --web shows the page of one return.'])
  const names = valuesOf(twice, 'name')
  const ofOrder = await run`returns get ${`${twice[0]?.ecommerceOrder.name}`} --web`
  expectEnd(
    ofOrder,
    2,
    names.map((name) => `Try: rma returns get '${name}' --web`),
  )
})

const order = () => single.name.slice('R#-'.length)
const digits = () => order().replace(/^\D+/, '')
const forms = () => [
  single.name,
  order(),
  `#${order()}`,
  order().toLowerCase(),
  `r#-${order().toLowerCase()}`,
  digits(),
  single.id ?? '',
  single.activeTransportation?.clientReference ?? '',
  `${single.name}-T${single.activeTransportation?.id}`,
]

it('every form of a name finds the return to read it', async () => {
  const sent = await platform.get(`/returns/${single.id}`)
  for (const form of forms()) {
    const { code, stdout, stderr } = await run`returns get ${form} --json`
    expect([form, code, stderr]).toEqual([form, 0, ''])
    expect(JSON.parse(stdout), form).toEqual(sent)
  }
})

it('every form of a name finds transports, refunds and labels', async () => {
  for (const argv of [
    ['returns', 'transportations', order()],
    ['returns', 'refunds', order()],
    ['labels', 'get', order()],
    ['labels', 'get', digits()],
  ]) {
    const { code, stderr } = await run`${argv} --json`
    expect([argv, code, stderr]).toEqual([argv, 0, ''])
  }
  succeeded(await run`pudos search ${digits()} --json`)
})

it('a file of labels to download may name returns; its other rows are sent as written', async () => {
  const out = newFolder()
  const argv = typed`labels download --file - --out ${out} --json`
  const { stdout, stderr } = ended(await run(argv, { stdin: `${single.name}\n${order()}\n` }), 9)
  expect(JSON.parse(stdout)).toMatchObject({
    files: [{ outcome: 'saved' }],
    failed: [{ clientShipmentId: order(), kind: 'rejected' }],
  })
  expect(JSON.parse(stderr).error.hints).toEqual([expect.stringContaining('--shop CODE')])
})

it('every form of a name finds the return to write, with the shop that a token for several shops needs', async () => {
  const push = typed`tracking push --status SHIPPING_COMPLETED --dry-run --json`
  for (const form of [order().toLowerCase(), single.name, digits()]) {
    expect(jsonOf(succeeded(await run`${push} ${form}`)).body).toMatchObject({
      shipmentId: single.name,
      shopCode: single.shopCode,
    })
  }
})

it('looking up a return takes few requests', async () => {
  for (const [form, requests] of [
    [single.id ?? '', 1],
    [single.name, 2],
    [order(), 3],
    [order().toLowerCase(), 4],
    ['nobody', 5],
  ]) {
    const { stderr } = await run`returns get ${form} -v --json`
    expect([form, stderr.match(/^> GET /gm)?.length]).toEqual([form, requests])
  }
})

describe('a bare order with several returns', () => {
  const both = () => twice[0]?.ecommerceOrder.name ?? ''
  const names = () => valuesOf(twice, 'name')

  it('reads of an order list all its returns, with a note', async () => {
    const { stdout, stderr } = succeeded(await run`returns get ${both()} --json`)
    expect(valuesOf(JSON.parse(stdout) as Return[], 'name')).toEqual(names())
    expect(stderr).toBe(`${both()} names 2 returns: ${names().join(', ')}\n`)
    const { transportations } = jsonOf(await run`returns transportations ${both()} --json`)
    const namesOf = (records: { returnName: string }[]) => [...new Set(valuesOf(records, 'returnName'))]
    expect(namesOf(transportations)).toEqual(names())
    const table = succeeded(await run`returns transportations ${both()}`).stdout
    expect(table).toMatch(/ RETURN\n/)
    for (const name of names()) expect(table).toContain(`  ${name}\n`)
    const chosen = await run`returns transportations ${both()} -o csv --columns id,return-name`
    for (const name of names()) expect(succeeded(chosen).stdout).toContain(`,${name}\r\n`)
    const one = await run`returns transportations ${names()[0]}`
    expect(one.stdout).not.toMatch('RETURN')
  })

  it('writes to an order with several returns are refused with their list', async () => {
    for (const argv of [
      typed`tracking push ${both()} --status SHIPPING_COMPLETED`,
      typed`labels create --for ${both()} --carrier-service SBX_STANDARD`,
    ]) {
      const { code, stderr } = await run(argv)
      expect([argv[0], code]).toEqual([argv[0], 2])
      for (const name of names()) expect(stderr).toContain(name)
    }
  })

  it('an exact name selects only that return', async () => {
    expect(jsonOf(await run`returns get ${names()[0] ?? ''} --json`).name).toBe(names()[0])
  })
})

it.each([
  ['returns', 'get', 'Müller & Co'],
  ['returns', 'transportations', 'Müller & Co'],
  typed`labels create --carrier-service A --for 'Müller & Co'`,
  typed`labels download 'Müller & Co' --shop LUMBRE-ES --out ${newFolder()}`,
  typed`tracking push 'Müller & Co' --status SHIPPING_COMPLETED`,
  ['pudos', 'search', 'Müller & Co'],
  typed`methods calculate --for 'Müller & Co' --tier gold`,
])('%s %s of an unknown name is exit 5, with the search quoted', async (...argv) => {
  expectEnd(await run(argv), 5, ["Try: rma search 'Müller & Co'"])
})

it('a name with control characters is quoted so that the shell reads it back', async () => {
  const name = 'li\nne\t"\u001b\\\'s'
  const { stderr } = ended(await run(['returns', 'get', name]), 5)
  const quoted = /^Try: rma search (\$'.*')$/m.exec(stderr)?.[1]
  expect((await shell(`printf %s ${quoted}`, {}, 'bash')).stdout).toBe(name)
})

it('a missing name gets a hint about # in shells', async () => {
  for (const argv of [
    ['returns', 'get'],
    ['returns', 'refunds'],
    ['labels', 'get'],
    typed`labels create --for`,
    typed`labels update --tracking-code A`,
    ['tracking', 'push'],
    ['pudos', 'search'],
  ]) {
    const { code, stderr } = await run(argv)
    expect([argv, code]).toEqual([argv, 2])
    expect(stderr, argv.join(' ')).toContain('leave the # out')
  }
})

const file = () => {
  const path = newFile('rows.csv', `shipmentId,trackingStatus\n${order()},SHIPPING_COMPLETED\n`)
  return path
}

it('rows of a file are sent as written, and --names loose looks up the names they mean', async () => {
  const push = typed`tracking push --file ${file()} --dry-run -o ndjson`
  expect((await run(push)).stderr).toContain(`R#-${order()}?`)
  expect(jsonOf(succeeded(await run`${push} --names loose`)).body.shipmentId).toBe(single.name)
  const out = join(newFolder(), 'a.plan')
  const plan = typed`tracking plan --file ${file()} --out ${out} --names loose -o ndjson`
  expect(jsonOf(await run(plan))).toMatchObject({
    verdict: 'new',
    request: { shipmentId: single.name },
  })
})
