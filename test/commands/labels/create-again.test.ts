import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, errorOf, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { jsonFile, newFolder, textFile } from '../../helpers/files.ts'
import {
  type LabelServiceOptions,
  label,
  labelRequest,
  labelReturn,
  labelService,
  PDF,
  PNG,
} from '../../helpers/label-service.ts'
import { agePurchases, lockDir, openPurchases } from '../../helpers/open-purchases.ts'
import { freshHome } from '../../helpers/run-cli.ts'
import { type Answer, refusal } from '../../helpers/script-server.ts'
import '../../../src/commands/labels/create.ts'

const RESET = { fault: 'reset' } as const
const FIRST_LOST = { insteadOfMaking: (index: number) => (index === 0 ? RESET : undefined) }
const oldSet = (more = {}) => ({
  clientShipmentId: 'SHP-1',
  shippingLabels: [{ ...label(PDF, 'OLD'), ...more }],
})

/** A service and one home for all runs. */
async function shop(options: LabelServiceOptions = {}) {
  const service = await labelService(options)
  const env = freshHome()
  const out = newFolder()
  const buy = asTyped((argv, request: object = labelRequest('SHP-1')) => {
    const to = argv.includes('--out') ? [] : typed`--out ${out}`
    return service.run(typed`labels create --from - ${to} --json ${argv}`, {
      env,
      stdin: JSON.stringify(request),
    })
  })
  /** Purchases that were sent, and those of them that are open. */
  const expectBought = (sent: number, open: number) =>
    expect([service.posts().length, openPurchases(env).length]).toEqual([sent, open])
  const fileOf = (result: Awaited<ReturnType<typeof buy>>) => jsonOf(result).files[0]
  return Object.assign(service, { buy, expectBought, env, fileOf, out, age: () => agePurchases(env, 120) })
}

it('a label under an id in another case belongs to the shipment, and none is bought', async () => {
  const service = await shop()
  service.made.set('shp-1', [oldSet()])
  const { files } = jsonOf(succeeded(await service.buy([], labelRequest('shp-1'))))
  expect(files).toMatchObject([
    { clientShipmentId: 'shp-1', outcome: 'existing', carrierTrackingCode: 'OLD' },
  ])
  expect(service.posts()).toEqual([])
})

it('an open purchase is found by whatever address the platform is named', async () => {
  const service = await shop(FIRST_LOST)
  ended(await service.buy``, 10)
  service.age()
  const baseUrl = service.baseUrl.replace('127.0.0.1', 'localhost')
  ended(await service.buy`--base-url ${baseUrl}`, 10)
  expect(service.posts()).toHaveLength(1)
})

it('an existing label of another platform leaves an open purchase open', async () => {
  const live = await shop(FIRST_LOST)
  ended(await live.buy``, 10)
  live.age()
  const staging = await labelService()
  staging.made.set('SHP-1', [{ clientShipmentId: 'SHP-1', shippingLabels: [label(PDF, 'NEW')] }])
  succeeded(await live.buy`--base-url ${staging.baseUrl} --out ${newFolder()}`)
  ended(await live.buy``, 10)
  live.expectBought(1, 1)
})

it.each([
  ['set', [undefined, newFolder()]],
  ['unset', [newFolder(), undefined]],
])('an open purchase is found after RMA_LOCK_DIR was %s', async (_what, folders) => {
  const service = await labelService(FIRST_LOST)
  const home = freshHome()
  const env = (folder: string | undefined) => ({ ...home, ...(folder && { RMA_LOCK_DIR: folder }) })
  for (const folder of folders) {
    const argv = typed`labels create --from - --out ${newFolder()}`
    const stdin = JSON.stringify(labelRequest('SHP-1'))
    ended(await service.run(argv, { env: env(folder), stdin }), 10)
    agePurchases(home, 120)
  }
  expect(service.posts()).toHaveLength(1)
})

it('--another buys one more if the bought label can not be read', async () => {
  const page = Buffer.from('<html>').toString('base64')
  const { buy, posts, fileOf } = await shop({
    labelsOf: (_request, made) => [made === 1 ? { base64: page } : label(PDF, 'NEW')],
  })
  ended(await buy``, 9)
  expect(errorOf(ended(await buy`--another`, 8)).hints).toContain('the same once more buys another')
  expect(posts()).toHaveLength(1)
  expect(fileOf(succeeded(await buy`--another`))).toMatchObject({
    outcome: 'created',
    carrierTrackingCode: 'NEW',
  })
  expect(posts()).toHaveLength(2)
})

it('--another buys none for a bought label whose file comes later, whatever ran between', async () => {
  const file = { carrierTrackingCode: 'TRK-1', base64: '' }
  const { buy, fileOf, posts } = await shop({ labelsOf: () => [file] })
  for (const flags of [[], ['--another'], ['--another'], []])
    expect(errorOf(ended(await buy(flags), 9)).hints[0]).toMatch('the same again in a minute')
  expect(succeeded(await buy`--dry-run`).stderr).toMatch('no label, and none would be made')
  Object.assign(file, label(PDF, 'TRK-1'))
  const again = succeeded(await buy`--another`)
  expect(fileOf(again)).toMatchObject({ outcome: 'existing', carrierTrackingCode: 'TRK-1' })
  expect(posts()).toHaveLength(1)
})

it('a bought label without a file is given up with --buy-after-unknown only', async () => {
  const { buy, age, fileOf, posts } = await shop({
    labelsOf: (_request, made) => [made === 1 ? { carrierTrackingCode: 'TRK-1' } : label(PDF, 'NEW')],
  })
  ended(await buy``, 9)
  age()
  expectEnd(await buy`--another`, 9, ['--another --buy-after-unknown buys one more'])
  const bought = succeeded(await buy`--another --buy-after-unknown`)
  expect(fileOf(bought)).toMatchObject({ outcome: 'created', carrierTrackingCode: 'NEW' })
  expect(posts()).toHaveLength(2)
})

it('--another saves a bought label first, and buys one more only after that', async () => {
  const files: Record<string, Answer> = {}
  let base = ''
  const service = await shop({
    files,
    labelsOf: (_request, made) => [{ carrierTrackingCode: `TRK-${made}`, url: `${base}/label.pdf` }],
  })
  base = service.baseUrl
  service.made.set('SHP-1', [oldSet()])
  expectEnd(await service.buy`--another`, 9, ['The label itself was made'])
  service.expectBought(1, 1)
  files['/label.pdf'] = { body: PDF }
  const again = succeeded(await service.buy`--another`)
  expect(service.fileOf(again)).toMatchObject({ outcome: 'existing', carrierTrackingCode: 'TRK-2' })
  expect(again.stderr).toMatch('SHP-1: the label (TRK-2) that an earlier run bought is saved, none was made')
  service.expectBought(1, 0)
  expect(service.fileOf(succeeded(await service.buy`--another --out ${newFolder()}`))).toMatchObject({
    outcome: 'created',
    carrierTrackingCode: 'TRK-3',
  })
})

it.each([
  ['of several parcels', [label(PDF), label(PDF, 'TRK-B')]],
  ['without a printed label', [{ labelFreeCode: { format: 'PNG', base64: PNG.toString('base64') } }]],
])('--another buys none for a shipment %s whose label is in the folder', async (_name, labels) => {
  const { buy, posts } = await shop({ labelsOf: () => labels })
  succeeded(await buy`--another`)
  const again = errorOf(ended(await buy`--another`, 2))
  expect(again.message).toMatch('is an earlier label of it and would be replaced')
  expect(posts()).toHaveLength(1)
})

it('a label that a killed run did not list is not bought again, and is listed without --another', async () => {
  const { out, buy, posts } = await shop()
  const list = join(out, 'manifest.json')
  succeeded(await buy`--another`)
  rmSync(list)
  const again = errorOf(ended(await buy`--another`, 2))
  expect(again.hints[0]).toMatch('without --another its newest label is saved, and none is bought')
  succeeded(await buy``)
  expect(textFile(list)).toContain('SHP-1')
  expect(posts()).toHaveLength(1)
})

it('none of several parcels is bought if the first file exists and is not listed', async () => {
  const service = await shop()
  const two = ['1', '2'].map((id) => ({ clientParcelId: id, description: 'x' }))
  for (const [out, name] of [[service.out, 'SHP-1-1of2.pdf'], [newFolder(), 'one-1of2.pdf'] as const]) {
    writeFileSync(join(out, name), 'mine')
    const to = out === service.out ? out : join(out, 'one.pdf')
    ended(await service.buy(typed`--another --out ${to}`, labelRequest('SHP-1', { parcels: two })), 2)
  }
  expect(service.posts()).toEqual([])
})

it('an update of the old label is not taken for the label of an unknown purchase', async () => {
  const { made, buy, age, expectBought, fileOf } = await shop(FIRST_LOST)
  made.set('SHP-1', [oldSet()])
  ended(await buy`--another`, 10)
  const updated = oldSet({ carrierTrackingUrl: 'https://track.example.com/1' })
  const withoutCode = { clientShipmentId: 'SHP-1', shippingLabels: [{ url: 'https://x.example.com/1' }] }
  for (const set of [updated, withoutCode]) {
    made.get('SHP-1')?.push(set)
    age()
    ended(await buy`--another`, 10)
    expectBought(1, 1)
  }
  made.get('SHP-1')?.unshift({ ...oldSet(), shippingLabels: [label(PDF, 'NEW')] })
  expect(fileOf(succeeded(await buy`--another`))).toMatchObject({
    outcome: 'existing',
    carrierTrackingCode: 'NEW',
  })
  expectBought(1, 0)
})

it('an unknown purchase that an earlier version noted is kept until it is bought after all', async () => {
  const { buy, age, env, made, fileOf, expectBought } = await shop(FIRST_LOST)
  ended(await buy``, 10)
  age()
  const [name = ''] = openPurchases(env)
  const path = join(lockDir(env), name)
  const { codes, buyer, ...earlier } = jsonFile(path)
  expect([codes, buyer]).toEqual([[], expect.stringMatching(/^\?./)])
  writeFileSync(path, `${JSON.stringify(earlier)}\n{"outcome":"unknown"}\n`)
  made.set('SHP-1', [oldSet()])
  expect(fileOf(succeeded(await buy``))).toMatchObject({ carrierTrackingCode: 'OLD' })
  expectBought(1, 1)
  const to = typed`--another --out ${newFolder()}`
  ended(await buy(to), 10)
  succeeded(await buy`${to} --buy-after-unknown`)
  expectBought(2, 0)
})

it('an unknown purchase of one shop stays while the other shop saves and buys', async () => {
  const { requests, made, buy, fileOf, expectBought, age, posts } = await shop({
    ...FIRST_LOST,
    look: () => (requests.at(-1)?.query.get('shopCode') === 'A' ? refusal('LB03', 'none', 404) : undefined),
  })
  made.set('SHP-1', [oldSet()])
  const of = (shopCode: string) => labelRequest('SHP-1', { shopCode })
  const unknown = errorOf(ended(await buy([], of('A')), 10))
  expect(unknown.hints[0]).toMatch(/rma labels get SHP-1 --shop A$/)
  const other = typed`--out ${newFolder()}`
  expect(fileOf(succeeded(await buy(other, of('B'))))).toMatchObject({
    outcome: 'existing',
  })
  const more = typed`--another --out ${newFolder()}`
  expect(fileOf(succeeded(await buy(more, of('B'))))).toMatchObject({ outcome: 'created' })
  expectBought(2, 1)
  age()
  ended(await buy([], of('A')), 10)
  expect(posts()).toHaveLength(2)
})

it('a purchase without a shop blocks that shipment for every shop', async () => {
  const { buy, age, expectBought } = await shop({ insteadOfMaking: () => RESET })
  ended(await buy``, 10)
  age()
  ended(await buy`--shop A`, 10)
  expectBought(1, 1)
})

it('nothing is bought if the folder of the file is missing', async () => {
  const service = await shop()
  const refused = await service.buy`--out ${join(service.out, 'none', 'x.pdf')}`
  expectEnd(refused, 2, ["No label was made for SHP-1, since it can't be saved"])
  service.expectBought(0, 0)
})

it('a file in the way of a bought label is exit 9, and the label is saved once it is gone', async () => {
  const { out, buy, expectBought } = await shop({ labelsOf: () => [label(PDF), label(PDF, 'TRK-B')] })
  writeFileSync(join(out, 'SHP-1-2of2.pdf'), 'mine')
  expectEnd(await buy``, 9, ['The label itself was made', 'rma labels download SHP-1'])
  expectBought(1, 1)
  succeeded(await buy`--force`)
  expectBought(1, 0)
})

it('a label whose answer got lost is not called saved before it is', async () => {
  const service = await shop({
    afterMaking: () => ({ status: 504 }),
    labelsOf: () => [label(PDF), label(PDF, 'TRK-B')],
  })
  writeFileSync(join(service.out, 'SHP-1-2of2.pdf'), 'mine')
  const { stderr } = expectEnd(await service.buy``, 9, ['the answer got lost', 'is not saved'])
  expect(stderr).not.toContain('it is saved')
})

it.each([403, 404, 500])(
  'a bought label whose URL answers %d is exit 9, and not bought again',
  async (status) => {
    const { baseUrl, buy, posts } = await shop({
      files: { '/label.pdf': { status } },
      labelsOf: () => [{ carrierTrackingCode: 'TRK-1', url: `${baseUrl}/label.pdf` }],
    })
    const failed = errorOf(ended(await buy`--retries 0`, 9))
    expect(failed).toMatchObject({ kind: 'partial', message: expect.stringContaining('itself was made') })
    expect((await buy`--retries 0`).code).not.toBe(9)
    expect(posts()).toHaveLength(1)
  },
)

it('a request repeated after a 503 gets a warning of a second label', async () => {
  const { posts, made, buy } = await shop({
    afterMaking: () => ({ status: 503 }),
    look: () =>
      posts().length < 2 ? refusal('LB03', 'none', 404) : { body: made.get('SHP-1')?.slice(0, 1) },
  })
  const { stderr } = succeeded(await buy``)
  expect(stderr).toMatch(/asked for again after a 503.*See in a minute: rma labels get SHP-1/)
  expect(stderr).not.toMatch('not made again')
  expect(posts()).toHaveLength(2)
})

it.each([
  [[], 0],
  [['--register'], 9],
] as const)(
  'no code is entered on an ended transport, and no update is printed (%s)',
  async (flags, code) => {
    const service = await labelService({ returns: [labelReturn('R#-1', { status: 'SHIPPING_FAILED' })] })
    const argv = typed`labels create --for R#-1 --carrier-service TEST --even-if-ended --json`
    const { stderr } = ended(await service.run`${argv} --out ${newFolder()} ${flags}`, code)
    expect(stderr).toMatch('its code is not entered on R#-1: its transport 1 is SHIPPING_FAILED')
    expect(stderr).not.toMatch('labels update')
    expect(service.puts()).toEqual([])
  },
)
