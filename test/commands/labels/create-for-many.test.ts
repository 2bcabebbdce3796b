import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  asTyped,
  ended,
  expectEnd,
  jsonOf,
  lastErrorOf,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import { filesBelow, jsonFile, newFile, newFolder, textFile } from '../../helpers/files.ts'
import {
  type LabelServiceOptions,
  label,
  labelReturn,
  labelService,
  PDF,
  type Sent,
  type TestReturn,
} from '../../helpers/label-service.ts'
import { freshHome, runIn } from '../../helpers/run-cli.ts'
import { refusal } from '../../helpers/script-server.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/download.ts'
import '../../../src/commands/labels/update.ts'
import '../../../src/commands/labels/verify.ts'
import '../../../src/commands/profiles/add.ts'

const names = (count: number) => times(count, (at) => `R#-LU${at + 1}`)
/** A return that goes by a carrier service of its own. */
const waiting = (name: string, transport: Record<string, string> = {}, more = {}) =>
  labelReturn(name, { carrierCode: 'CARRIER', carrierServiceCode: `BY-${name.slice(3)}`, ...transport }, more)
const manyWaiting = (count: number) => names(count).map((name) => waiting(name))
const ABROAD = {
  origin: {
    fullName: 'Siân',
    email: 'sian@example.com',
    phone: '+447700900123',
    address: { line1: '14 Mews', city: 'London', postalCode: 'SW7 5QJ', countryCode: 'GB' },
  },
}

async function platformWith(returns: readonly TestReturn[], options: LabelServiceOptions = {}) {
  const service = await labelService({ returns, ...options })
  const out = newFolder()
  const create = asTyped(async (flags, stdin: string | undefined) => {
    const argv = typed`labels create --out ${out} --json ${flags}`
    const { code, stdout, stderr } = await service.run(argv, { stdin })
    return { code, stderr, ...(stdout === '' ? {} : JSON.parse(stdout)) }
  })
  const sent = () => service.posts().map(({ json }) => json as Sent)
  /** Carrier services of all purchases, sorted, since several are under way at once. */
  const services = () => valuesOf(sent(), 'carrierServiceCode').sort()
  const files = () => filesBelow(out, '.pdf').sort()
  return { ...service, out, create, sent, services, files }
}

it('--for buys each label with its own carrier service, and nothing twice', async () => {
  const { create, services, files } = await platformWith(manyWaiting(7))
  const some = typed`--for R#-LU1 --for LU2`
  expect(await create(some)).toMatchObject({ code: 0, files: [{}, {}] })
  const all = await create(typed`--for -`, `name\n${names(7).join('\n')}\nLU1\n`)
  expect(all).toMatchObject({ code: 0, failed: [] })
  expect(all.files).toMatchObject([
    ...Array(2).fill({ outcome: 'existing' }),
    ...Array(5).fill({ outcome: 'created' }),
  ])
  expect(services()).toEqual(names(7).map((name) => `BY-${name.slice(3)}`))
  expect(files()).toEqual(names(7).map((name) => `R-${name.slice(3)}.pdf`))
  // Many are named in one line.
  expect(all.stderr).toMatch('saved and not made again: 2 ')
  expect(all.stderr).toMatch(/do not show their label's code yet: 7\. .*--register/)
  expect(all.stderr).toMatch('R#-LU1: named more than once')
  expect(all.stderr).not.toContain('labels update')
})

it('--carrier-service applies to all, and a return without one is refused by name', async () => {
  const { create, sent, services } = await platformWith([waiting('R#-LU1'), labelReturn('R#-LU2')])
  const refused = await create`--for LU1 --for LU2`
  expect([refused.code, sent()]).toEqual([2, []])
  expect(refused.stderr).toMatch('R#-LU2 does not say which carrier service')
  await create`--for LU1 --for LU2 --carrier-service X`
  expect(services()).toEqual(['X', 'X'])
})

it('impossible labels are listed by return before the first purchase, or left out', async () => {
  const { create, sent, files } = await platformWith([
    waiting('R#-LU1'),
    waiting('R#-LU2', {}, { status: 'EXPIRED' }),
    waiting('R#-LU3', {}, { destination: { fullName: 'Depot' } }),
    waiting('R#-LU4', {}, ABROAD),
  ])
  const input = `${names(5).join('\n')}\n`
  const refused = await create(typed`--for -`, input)
  expect([refused.code, sent()]).toEqual([2, []])
  const { errors, hints } = lastErrorOf(refused)
  const said = errors.map(({ path, message }: Record<string, string>) => `${path} ${message}`)
  for (const one of [
    /R#-LU2.*EXPIRED/,
    /R#-LU3: destination\.phone is missing/,
    /R#-LU4 passes customs/,
    /R#-LU5.*No return/,
  ])
    expect(said).toContainEqual(expect.stringMatching(one))
  expect(hints).toContainEqual(expect.stringContaining('--skip-invalid'))
  const rest = await create(typed`--for - --skip-invalid`, input)
  expect([rest.code, sent().length, files()]).toEqual([0, 1, ['R-LU1.pdf']])
  expect(rest.skipped).toHaveLength(said.length)
  expect(rest.stderr).toMatch('left out: R#-LU4 passes customs')
})

it('a refusal of the carrier names the return, of one and of many', async () => {
  const { create } = await platformWith(manyWaiting(2), {
    insteadOfMaking: (index) => (index < 2 ? refusal('LB02') : undefined),
  })
  const one = await create`--for LU1`
  expectEnd(one, 6, ['R#-LU1: '])
  const both = await create`--for LU1 --for LU2`
  expect(both).toMatchObject({ code: 9, failed: [{ return: expect.stringMatching(/^R#-LU[12]$/) }] })
  expect(both.stderr).toMatch(/"path":"R#-LU[12]"/)
})

it('a filter selects returns with a parcel under way, with few requests for each and one for an existing label', async () => {
  const requested = { createdAt: '2026-03-01 10:00:00Z' }
  const { create, run, sent, requests, out } = await platformWith([
    ...names(3).map((name) => waiting(name, requested)),
    waiting('R#-LU4', { ...requested, status: 'SHIPPING_FAILED' }),
    waiting('R#-LU5', requested, { status: 'RECEIVED' }),
  ])
  const made = await create`--status PENDING`
  expect(made).toMatchObject({ code: 0, files: names(3).map(() => ({ outcome: 'created' })) })
  expect(made.stderr).toMatch(/Without a parcel under way, left out: R#-LU4$/m)
  expect(sent()).toHaveLength(3)
  // A page of returns, and of each: a look under both ids, the label, a look for twins, and whether it is shown.
  expect(requests).toHaveLength(1 + 3 * 5)
  requests.length = 0
  const again = await create`--status PENDING`
  expect(again.files).toMatchObject(Array(3).fill({ outcome: 'existing' }))
  // The code is not shown by the return, which is read to see that.
  expect(requests).toHaveLength(1 + 3 * 2)
  expectEnd(await create`--status PENDING --for LU1`, 2, ['do not go together'])
  expect(await create`--status CLOSED`).toMatchObject({ code: 0, files: [] })
  // A platform that ignores what it does not know would have every return bought for.
  expectEnd(await create`--status PENDIGN`, 2, ['--status PENDING'])
  for (const format of ['table', 'ndjson']) {
    const dry = await run`labels create --status PENDING --dry-run -o ${format}`
    expect(dry).toMatchObject({ code: 0, stdout: '' })
  }
  // A person is asked about what a filter chooses, and not about what was named.
  const terminal = { isTyped: true, columns: 80 }
  expectEnd(await run(typed`labels create --out ${out} --status PENDING`, terminal), 2, ['Save 3?'])
  succeeded(await run(typed`labels create --out ${out} --for LU1`, terminal))
})

it('impossible labels of a filter are listed like those of named returns, and a protected profile asks', async () => {
  const { create, sent, baseUrl } = await platformWith([
    waiting('R#-LU1', { createdAt: '2026-03-01 10:00:00Z' }),
    waiting('R#-LU2', {}, ABROAD),
  ])
  const refused = await create`--status PENDING`
  expect([refused.code, sent()]).toEqual([2, []])
  expect(refused.stderr).toMatch(/passes customs.*R#-LU2|R#-LU2.*passes customs/)
  const runLive = runIn({ ...freshHome(), RMA_TOKEN: 'token' })
  await runLive`profiles add live --environment production --base-url ${baseUrl} --use`
  const live = await runLive`labels create --status PENDING --skip-invalid --out ${newFolder()}`
  expect([live.code, sent()]).toEqual([2, []])
  succeeded(await create`--status PENDING --skip-invalid`)
  expect(sent()).toHaveLength(1)
})

const goods = (text: string) => {
  const path = newFile('goods.csv', text)
  return path
}
const skus = valuesOf(labelReturn('R#-LU1').returnLineItems, 'sku')
const rows = skus.map((sku) => `${sku};6109.10;PT;0,2`).join('\n')

it('customs data come from a file by SKU, given or from the profile', async () => {
  const { create, sent, baseUrl } = await platformWith([
    waiting('R#-LU1', {}, ABROAD),
    waiting('R#-LU2', {}, ABROAD),
  ])
  const file = goods(`SKU;hs_code;Origin Country Code;weight\n${rows}`)
  succeeded(await create`--for LU1 --goods ${file}`)
  const run = runIn({ ...freshHome(), RMA_TOKEN: 'token' })
  succeeded(await run`profiles add stage --environment staging --base-url ${baseUrl} --goods ${file}`)
  succeeded(await run`labels create --for LU2 --out ${newFolder()} -p stage`)
  const pieces = labelReturn('R#-LU1').returnLineItems.reduce((sum, { quantity }) => sum + quantity, 0)
  const item = { hsCode: '6109.10', originCountryCode: 'PT', weight: 0.2 }
  for (const request of sent()) {
    expect(request).toMatchObject({
      parcels: [{ weight: pieces * 200, items: skus.map((sku) => ({ sku, ...item })) }],
    })
  }
  expect(sent()).toHaveLength(2)
})

it('invalid rows of customs data are refused by row', async () => {
  const { create, sent } = await platformWith([waiting('R#-LU1')])
  const file = goods('sku,hsCode,weight\nA,610910,250\nA,610910,0.2\n,1,0.1\nB,6.1E+09,0.1\n')
  const { stderr } = ended(await create`--for LU1 --goods ${file}`, 2)
  expect(sent()).toEqual([])
  for (const row of [2, 3, 4, 5]) expect(stderr).toContain(`"path":"row ${row}"`)
})

it('customs data are not needed if a label exists', async () => {
  const { create, made, posts } = await platformWith([waiting('R#-LU1', {}, ABROAD)])
  made.set('R#-LU1-T1', [{ shippingLabels: [label(PDF)] }])
  expect(await create`--for LU1`).toMatchObject({ code: 0, files: [{ outcome: 'existing' }] })
  ended(await create`--for LU1 --another --force`, 2)
  expect(posts()).toEqual([])
})

it('label files number parcels, and name a later transport', async () => {
  const former = { id: '1', createdAt: '2026-01-01 10:00:00Z' }
  const { create, files, run, out } = await platformWith(
    [
      waiting('R#-LU1'),
      waiting('R#-LU1-2'),
      waiting('R#-LU2', { id: '7', createdAt: '2026-01-02 10:00:00Z' }),
    ],
    {
      formerTransports: { 'R#-LU2': [former] },
      labelsOf: ({ clientShipmentId }) =>
        clientShipmentId.startsWith('R#-LU1-T') ? [label(PDF, 'A'), label(PDF, 'B')] : [label(PDF, 'C')],
    },
  )
  await create`--for R#-LU1 --for R#-LU1-2 --for LU2`
  expect(files()).toEqual(['R-LU1-1of2.pdf', 'R-LU1-2.pdf', 'R-LU1-2of2.pdf', 'R-LU2.T7.pdf'])
  succeeded(await run`labels verify ${out}`)
})

it('the label of another transport does not replace the first', async () => {
  const record = waiting('R#-LU1')
  const { create, files, run, out } = await platformWith([record], {
    labelsOf: ({ clientShipmentId }) => [label(Buffer.concat([PDF, Buffer.from(clientShipmentId)]))],
  })
  await create`--for LU1`
  record.activeTransportation = { ...record.activeTransportation, id: '2' }
  succeeded(await create`--for LU1`)
  expect(files()).toEqual(['R-LU1.T2.pdf', 'R-LU1.pdf'])
  succeeded(await run`labels verify ${out}`)
})

it('a folder of an older version keeps its names, and stays verifiable', async () => {
  const { create, files, run, out } = await platformWith(manyWaiting(2))
  await create`--for LU1 --name R-LU1-T1`
  expect(files()).toEqual(['R-LU1-T1.pdf'])
  await create`--for LU1 --for LU2 --name {date}/{name}`
  expect(files()).toEqual([expect.stringMatching(/^\d{4}-\d\d-\d\d\/R-LU2\.pdf$/), 'R-LU1-T1.pdf'])
  succeeded(await run`labels verify ${out}`)
})

it('--name makes folders, which labels verify searches', async () => {
  const { create, files, run, out } = await platformWith(manyWaiting(2))
  const named = await create`--for LU1 --for LU2 --name {carrier}/{shop}/{name}`
  expect(named.files[0].path).toBe(join(out, 'CARRIER/MODA-ES/R-LU1.pdf'))
  expect(files()).toEqual(['CARRIER/MODA-ES/R-LU1.pdf', 'CARRIER/MODA-ES/R-LU2.pdf'])
  writeFileSync(join(out, 'CARRIER/MODA-ES/R-LU3.pdf'), PDF)
  const verified = await run`labels verify ${out}`
  expectEnd(verified, 0, ['CARRIER/MODA-ES/R-LU3.pdf'])
  writeFileSync(join(out, 'CARRIER/MODA-ES/R-LU1.pdf'), 'x')
  ended(await run`labels verify ${out}`, 9)
  const manifest = jsonFile(join(out, 'manifest.json'))
  expect(valuesOf(manifest.labels, 'path').sort()).toEqual(files().slice(0, 2))
})

it.each([
  ['{carrier}/{date}', /R#-LU2-T1.*is the label of R#-LU1-T1/],
  ['../{name}', /begins or ends with a dot/],
  ['/{name}', /a part that is empty/],
  ['{nme}', /\{nme\} is not one of \{name\}/],
  ['{name}.pdf', /leave the ending/],
  ['a\\{name}', /letters, digits/],
  ['{name}-1of2', /another file/],
  ['NUL/{name}', /another file/],
])('--name %s is refused before anything is bought', async (template, message) => {
  const { create, posts } = await platformWith(manyWaiting(2))
  const { code, stderr } = await create`--for LU1 --for LU2 --name ${template}`
  expect([code, posts(), stderr]).toEqual([2, [], expect.stringMatching(message)])
})

it('--name needs a folder', async () => {
  const { run, posts, out } = await platformWith([waiting('R#-LU1')])
  const argv = typed`labels create --for LU1 --name {order} --out ${join(out, 'one.pdf')}`
  const { code, stderr } = await run(argv)
  expect([code, posts(), stderr]).toEqual([2, [], expect.stringContaining('--out FOLDER')])
})

it('--name of another label in the folder is refused', async () => {
  const { create, posts } = await platformWith(manyWaiting(2))
  await create`--for LU1 --name Today`
  const { code, stderr } = await create`--for LU2 --name today`
  expect([code, posts().length, stderr]).toEqual([2, 1, expect.stringContaining('R#-LU1-T1')])
})

const EXPORT =
  'Orders of today;;\n\nOrder;Carrier;Status\nLU1;UPS;In transit\nLU2;UPS;Delivered\nLU1;UPS;Delivered\n;UPS;Delivered\nTotal;2;\n'
const written = () => {
  const path = newFile('orders.csv', EXPORT)
  return path
}

it('the returns of an export get labels, each once, by create and by download', async () => {
  const { create, services, files, run } = await platformWith(manyWaiting(3))
  const path = written()
  const made = await create`--from ${path} --mapping ups`
  expect(made).toMatchObject({ code: 0, failed: [], files: [{}, {}] })
  expect(services()).toEqual(['BY-LU1', 'BY-LU2'])
  expect(files()).toEqual(['R-LU1.pdf', 'R-LU2.pdf'])
  const download = typed`labels download --file ${path} -m ups --out ${newFolder()} --json`
  const saved = succeeded(await run(download))
  expect(jsonOf(saved).files).toHaveLength(2)
  expect(saved.stderr).toContain('Warning: The mapping leaves out 2 rows (first: row 7)')
  expect(await create(typed`--for - -m ups`, textFile(path))).toMatchObject({
    code: 0,
    files: [{ outcome: 'existing' }, { outcome: 'existing' }],
  })
})

it('a shop in a row decides between returns of one name, in create and in download', async () => {
  const twins = typed`HATS SHOES`.map((shopCode, at) =>
    waiting('R#-LU1', { id: `${at}` }, { id: `id-${at}`, shopCode }),
  )
  const { create, sent, run } = await platformWith(twins)
  const exported = (shop: string) =>
    create(typed`--from - -m ups`, `Order;Status;shopCode\nLU1;In transit;${shop}\n`)
  expect(await exported('FELT')).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('No return is named LU1 in the shop FELT'),
  })
  const { stderr } = await exported('FELT\nLU1;In transit;WOOL')
  for (const shop of ['FELT', 'WOOL']) expect(stderr).toContain(`LU1 in the shop ${shop}`)
  expect(await exported('SHOES')).toMatchObject({ code: 0 })
  expect(valuesOf(sent(), 'shopCode')).toEqual(['SHOES'])
  const download = (shop: string) => {
    const stdin = `clientShipmentId,shopCode\nR#-LU1,${shop}\n`
    return run(typed`labels download --file - --out ${newFolder()} --json`, { stdin })
  }
  expect(jsonOf(succeeded(await download('SHOES'))).files).toMatchObject([{ clientShipmentId: 'R#-LU1-T1' }])
  expectEnd(await download('FELT'), 5, ['No return is named R#-LU1 in the shop FELT'])
  expectEnd(await download('HATS'), 5, ["rma labels create --for 'R#-LU1' --shop HATS"])
})

it('the --mapping of labels create exists, and needs a file without filters', async () => {
  const { create, posts } = await platformWith([waiting('R#-LU1')])
  for (const named of [typed`--for LU1`, []]) {
    expectEnd(await create`${named} -m ups`, 2, ['--mapping goes with an export.'])
  }
  expectEnd(await create`--from ${written()} -m upps`, 5, ['did you mean ups?'])
  expectEnd(await create`--from ${written()} -m ups --status PENDING`, 2, ['do not go together'])
  expect(posts()).toEqual([])
})
