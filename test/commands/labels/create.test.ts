import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  asTyped,
  ended,
  errorOf,
  expectEnd,
  jsonOf,
  lastErrorOf,
  succeeded,
  typed,
} from '../../helpers/command-line.ts'
import { jsonFile, newFolder, textFile } from '../../helpers/files.ts'
import {
  filesOf,
  type LabelServiceOptions,
  label,
  labelRequest,
  labelService,
  PDF,
  PNG,
  type Sent,
  ZPL,
} from '../../helpers/label-service.ts'
import { type DemoReturn, type DemoTransport, usePlatform } from '../../helpers/platform.ts'
import { freshHome, homeAt, runCli } from '../../helpers/run-cli.ts'
import { refusal } from '../../helpers/script-server.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/profiles/add.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/tracking/push.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

const create = asTyped((argv) => {
  const out = argv.includes('--out') ? [] : ['--out', newFolder()]
  return typed`labels create --from - ${out} ${argv}`
})
const json = (...requests: object[]) => requests.map((one) => JSON.stringify(one)).join('\n')
const requests = (count: number) => times(count, (at) => labelRequest(`A${at + 1}`))
const ITEM = { description: 'Shirt', hsCode: '620520', quantity: 1, unitPrice: 10 }
const PARCEL = { clientParcelId: '1', description: 'x', items: [ITEM] }
const TWO_PARCELS = ['1', '2'].map((clientParcelId) => ({ clientParcelId, description: 'x' }))

/** A service, and purchases there: of a label for SHP-1 unless other requests are given. */
async function shop(options?: LabelServiceOptions) {
  const service = await labelService(options)
  const buy = asTyped((argv, requests: object[] = [labelRequest('SHP-1')]) =>
    service.run(create`${argv}`, { stdin: json(...requests) }),
  )
  return Object.assign(service, { buy })
}

describe('labels create', () => {
  let service: Awaited<ReturnType<typeof shop>>
  let out = ''
  beforeEach(async () => {
    service = await shop()
    out = newFolder()
  })

  it('makes a label and saves it with a manifest', async () => {
    const [file = {}] = filesOf(succeeded(await service.buy`--out ${out} --json`))
    expect(Object.keys(file).slice(0, 8)).toEqual([
      'clientShipmentId',
      'parcel',
      'path',
      'format',
      'bytes',
      'sha256',
      'carrierTrackingCode',
      'source',
    ])
    expect(file).toMatchObject({ clientShipmentId: 'SHP-1', source: 'base64', outcome: 'created' })
    expect(readFileSync(join(out, 'SHP-1.pdf'))).toEqual(PDF)
    expect(jsonFile(join(out, 'manifest.json')).labels).toHaveLength(1)
    expect(service.posts()[0]?.json).toEqual(labelRequest('SHP-1'))
  })

  it.runIf(process.platform === 'linux')('labels create stops if no folder can be made', async () => {
    expectEnd(await service.buy`--out /proc/rma-labels/x`, 2, ["The folder for labels can't be made"])
  })

  it('sends the coordinates of a destination, as a return method names it', async () => {
    const { destination, ...rest } = labelRequest('SHP-1')
    const sent = { ...rest, destination: { ...destination, latitude: '40.3057', longitude: -3.7329 } }
    succeeded(await service.buy([], [sent]))
    expect(service.posts()[0]?.json).toEqual(sent)
  })

  it('ids of one shipment twice, in another case, are refused', async () => {
    const result = await service.buy([], [labelRequest('shp-1'), labelRequest('SHP-1')])
    expectEnd(result, 2, [/SHP-1 is asked for at line 1 already/])
    expect(service.posts()).toEqual([])
  })

  it('shipments of two shops with one id are refused in one file, and both lines named', async () => {
    const both = ['A', 'B'].map((shopCode) => labelRequest('SHP-1', { shopCode }))
    expectEnd(await service.buy([], both), 2, [
      /SHP-1 is another shop's shipment at line 1: make its label in a run and a folder .*\(line 2: /,
    ])
    expect(service.posts()).toEqual([])
  })

  it('fewer labels than parcels are a warning', async () => {
    expectEnd(await service.buy([], [labelRequest('A1', { parcels: TWO_PARCELS })]), 0, [
      'Warning: A1: 2 parcels were sent, and 1 label came back',
    ])
  })

  it('labels create handles NDJSON and lists, and keeps their order', async () => {
    for (const given of [requests(6), [requests(6)]]) {
      const service = await shop()
      const files = filesOf(await service.buy(['--json'], given))
      expect(valuesOf(files, 'clientShipmentId')).toEqual(['A1', 'A2', 'A3', 'A4', 'A5', 'A6'])
    }
  })

  it('labels create uses an existing label; only --another makes one more', async () => {
    await service.buy`--out ${out}`
    const again = await service.buy`--json`
    expect(service.posts()).toHaveLength(1)
    expect(filesOf(again)[0]).toMatchObject({ outcome: 'existing', source: 'existing' })
    expect(again.stderr).toMatch('SHP-1 has a label already; that one (TRK-1) is saved, none was made')
    const forced = await service.buy`--out ${out} --json --force`
    expect(filesOf(forced)[0]?.outcome).toBe('existing')
    expect(service.posts()).toHaveLength(1)
    const taken = errorOf(ended(await service.buy`--out ${out} --json --another`, 2))
    const first = join(out, 'SHP-1.pdf')
    expect(taken).toMatchObject({
      message: `No label was made for SHP-1: ${first} is an earlier label of it and would be replaced.`,
      hints: [
        expect.stringContaining('without --another'),
        'to buy one more all the same: --out OTHER-FOLDER',
      ],
    })
    expect([readFileSync(first), service.posts().length]).toEqual([PDF, 1])
    const another = await service.buy`--out ${out} --json --another --force`
    expect(service.posts()).toHaveLength(2)
    expect(filesOf(another)[0]).toMatchObject({ outcome: 'created', carrierTrackingCode: 'TRK-2' })
    const newest = await service.buy`--json`
    expect(filesOf(newest)[0]?.carrierTrackingCode).toBe('TRK-2')
    expect(newest.stderr).toMatch('SHP-1 has 2 labels already; the newest')
    const elsewhere = succeeded(await service.buy`--json --another --out ${newFolder()}`)
    expect(filesOf(elsewhere)[0]).toMatchObject({ outcome: 'created', carrierTrackingCode: 'TRK-3' })
  })

  it('two machines that make a label at once get both codes reported', async () => {
    const { made, buy } = await shop({
      afterMaking: () => {
        const twin = { clientShipmentId: 'SHP-1', shippingLabels: [label(PDF, 'ELSEWHERE')] }
        made.set('SHP-1', [twin, ...(made.get('SHP-1') ?? [])])
        return undefined
      },
    })
    expectEnd(await buy``, 0, ['SHP-1: 2 labels were made at once, TRK-1 and ELSEWHERE'])
  })

  it('codes registered later without a file do not replace the label that was made', async () => {
    const registered = { shippingLabels: [{ carrierTrackingCode: 'LATER' }] }
    service.made.set('SHP-1', [{ shippingLabels: [label(PDF, 'FIRST')] }, registered])
    const result = succeeded(await service.buy`--json`)
    expect(service.posts()).toEqual([])
    expect(filesOf(result)[0]).toMatchObject({
      outcome: 'existing',
      carrierTrackingCode: 'LATER',
      format: 'PDF',
    })
  })

  it('takes the format from the content, not from the answer', async () => {
    const service = await shop({ labelsOf: () => [{ ...label(ZPL), format: 'PDF' }] })
    const zpl = [labelRequest('SHP-1', { labelFormat: 'ZPL' })]
    const result = expectEnd(await service.buy(typed`--out ${out} --json`, zpl), 0, [
      'Warning: The label of SHP-1 is said to be PDF, but is ZPL',
    ])
    expect(filesOf(result)[0]?.format).toBe('ZPL')
    expect(readFileSync(join(out, 'SHP-1.zpl'))).toEqual(ZPL)
  })

  it('items heavier than their parcel are sent with a warning', async () => {
    const parcels = [{ ...PARCEL, weight: 500, items: [{ ...ITEM, quantity: 2, weight: 0.4 }] }]
    expectEnd(
      await service.buy([], [labelRequest('A1', { parcels })]),
      0,
      /Warning: parcels\[0\]\.weight: 500 g.*800 g/,
    )
  })

  it('an existing label is used if the service answers its id as a number', async () => {
    service.made.set('1001', [{ clientShipmentId: 1001, shippingLabels: [label(PDF, 'FIRST')] }])
    const result = succeeded(await service.buy(['--json'], [labelRequest('1001')]))
    expect(filesOf(result)).toMatchObject([{ outcome: 'existing', carrierTrackingCode: 'FIRST' }])
    expect(service.posts()).toEqual([])
  })

  it.each([
    ['hangs', { fault: 'hang' }],
    ['answers 502 with a page', { status: 502, body: '<html>Bad gateway</html>' }],
    ['answers 504', { status: 504 }],
    ['answers 503 and had begun', { status: 503, headers: { 'x-request-id': 'r' }, body: { errors: [] } }],
    ['answers 200 with a page', { status: 200, body: '<html>Welcome</html>' }],
  ] as const)('a service that makes the label and %s: one label, saved', async (_name, answer) => {
    const service = await shop({ afterMaking: (index) => (index === 0 ? answer : undefined) })
    const result = expectEnd(await service.buy`--out ${out} --json --timeout 0.3`, 0, [
      'the answer got lost, but the label was made, and is not made again',
    ])
    expect(filesOf(result)[0]?.outcome).toBe('recovered')
    expect(service.posts()).toHaveLength(1)
    expect(service.made.get('SHP-1')).toHaveLength(1)
    expect(readFileSync(join(out, 'SHP-1.pdf'))).toEqual(PDF)
  })

  it('a purchase of which no label is found is exit 10 with what to do, and is not sent again', async () => {
    const service = await shop({ insteadOfMaking: () => ({ fault: 'reset' }) })
    const result = ended(await service.buy`--out ${out} --retries 0 --json`, 10)
    expect(result.stdout).toBe('')
    expect(lastErrorOf(result)).toMatchObject({
      kind: 'unknown',
      hints: [expect.stringContaining('rma labels get SHP-1'), expect.stringContaining('the next run waits')],
    })
    expect(service.posts()).toHaveLength(1)
    expect(readdirSync(out)).toEqual([])
  })

  it('one failure of several is exit 9, the others are saved, and the document is whole', async () => {
    const service = await shop({ insteadOfMaking: (index) => (index === 1 ? refusal('LB02') : undefined) })
    const { files, failed } = jsonOf(ended(await service.buy(['--json'], requests(3)), 9))
    expect([files.length, failed.length]).toEqual([2, 1])
  })

  it('Ctrl-C saves the labels that were asked for, and ends with 130 and the number that remains', async () => {
    const interrupt = new AbortController()
    const service = await shop({ afterMaking: () => void interrupt.abort() })
    const options = { stdin: json(...requests(30)), interrupt: interrupt.signal }
    const result = await service.run(create`--json`, options)
    const saved = filesOf(result).length
    expectEnd(result, 130, [`Interrupted; ${30 - saved} of 30 shipments remain`])
    expect(service.posts()).toHaveLength(saved)
  })

  it('a batch with --another --force that broke off names a command that buys nothing twice', async () => {
    const interrupt = new AbortController()
    const { run, made } = await shop({ afterMaking: () => void interrupt.abort() })
    const argv = create`--another --out ${out}`
    const stdin = json(...requests(12))
    const options = { stdin, interrupt: interrupt.signal }
    const { stderr } = ended(await run(typed`${argv} --force`, options), 130)
    expect(stderr).toContain('run it again without --force: it buys only where there is no file yet')
    expect(stderr).not.toContain('same command')
    ended(await run(argv, { stdin }), 9)
    expect([...made.values()].map(({ length }) => length)).toEqual(Array(12).fill(1))
  })

  it('a failure of several with --another --force advises to leave --force out', async () => {
    const service = await shop({ insteadOfMaking: (at) => (at === 1 ? { fault: 'reset' } : undefined) })
    const { stderr } = ended(await service.buy(typed`--another --force --retries 0`, requests(3)), 10)
    expect(stderr).toContain('Try: run it again without --force')
    expect(stderr).not.toContain('same command')
  })

  it('an unknown purchase is exit 10, even if the service disappears and the batch stops early', async () => {
    let isGone = false
    const service = await shop({
      insteadOfMaking: () => {
        isGone = true
        return { fault: 'reset' }
      },
      look: () => (isGone ? { fault: 'reset' } : undefined),
    })
    const result = ended(await service.buy(typed`--json --retries 0`, requests(30)), 10)
    const { kind, message, hints } = lastErrorOf(result)
    expect([kind, message]).toEqual(['unknown', expect.stringMatching(/^Stopped early: /)])
    expect(hints.at(-1)).toBe('run the same command again: what is saved already is kept')
    const { failed } = jsonOf(result) as { failed: (Sent & { kind: string })[] }
    const open = valuesOf(
      failed.filter((one) => one.kind === 'unknown'),
      'clientShipmentId',
    )
    const sent = service.posts().map(({ json }) => (json as Sent).clientShipmentId)
    expect(open.sort()).toEqual(sent.sort())
    expect(open.length).toBeGreaterThan(0)
  })

  it('an unknown purchase of several is counted as such, not as failed', async () => {
    const service = await shop({
      insteadOfMaking: (index) => (index === 0 ? { fault: 'reset' } : undefined),
      look: () => (service.posts().length > 0 ? { status: 503 } : undefined),
    })
    const result = ended(await service.buy(typed`--json --retries 0`, requests(2)), 10)
    expect(lastErrorOf(result).message).toBe('0 of 2 shipments failed, and it is unknown what became of 1.')
  })

  it('a batch stops early if no bought label can be saved', async () => {
    const { baseUrl, buy, posts } = await shop({ labelsOf: () => [{ url: `${baseUrl}/gone.pdf` }] })
    const result = expectEnd(await buy(['--json'], requests(60)), 9, ['Stopped early: '])
    expect(posts().length).toBeLessThan(30)
    const { failed } = jsonOf(result) as { failed: { kind: string }[] }
    expect(valuesOf(failed, 'kind')).toEqual(posts().map(() => 'partial'))
  })

  it('a batch stops early if the service answers no purchase', async () => {
    const service = await shop({ insteadOfMaking: () => ({ fault: 'reset' }) })
    expectEnd(await service.buy(typed`--retries 0`, requests(60)), 10, ['Stopped early: '])
    expect(service.posts().length).toBeLessThan(30)
  })

  it('all problems are named at once with their places, and nothing is sent', async () => {
    const bad = labelRequest('A2', { tags: ['no-colon'], origin: { fullName: 'x' } })
    const result = await service.buy(['--json'], [labelRequest('A1'), bad, labelRequest('A1')])
    expect(valuesOf(errorOf(ended(result, 2)).errors, 'path')).toEqual([
      'line 2: origin.email',
      'line 2: origin.phone',
      'line 2: tags[0]',
      'line 3: clientShipmentId',
    ])
    expect(service.requests).toHaveLength(0)
  })

  it('revision 1.2.10 gets items in customsInfo, and what it can’t express is refused', async () => {
    const flags = typed`--api-revision 1.2.10`
    await service.buy(flags, [labelRequest('A1', { parcels: [PARCEL] })])
    expect(service.posts()[0]?.json).toMatchObject({
      customsInfo: [ITEM],
      parcels: [{ clientParcelId: '1', description: 'x' }],
    })
    expect(service.posts()[0]?.text).not.toContain('items')
    const newer = labelRequest('A2', {
      parcels: [{ ...PARCEL, items: [{ ...ITEM, sku: 'S' }] }],
      tags: ['a:b'],
      carrierOptions: { pudoOptions: { pudoEnabled: true } },
    })
    expectEnd(await service.buy(flags, [newer]), 2, [
      'carrierOptions.pudoOptions',
      '(tags)',
      'parcels[0].items[0].sku',
    ])
    expect(service.posts()).toHaveLength(1)
  })

  it('revision 1.2.10 with several parcels warns that it does not tell where an item is', async () => {
    const run = (...given: object[]) =>
      service.buy(typed`--api-revision 1.2.10`, [labelRequest('A1', { parcels: given })])
    const two = await run(PARCEL, { clientParcelId: '2', description: 'y' })
    expectEnd(two, 0, /Warning: A1: .*which of the parcels/)
    expect((await run(PARCEL)).stderr).not.toContain('which of the parcels')
  })

  it('--dry-run looks for labels too: an existing one is not bought, and nothing is sent', async () => {
    service.made.set('A1', [{ clientShipmentId: 'A1', shippingLabels: [label(PDF)] }])
    const both = [labelRequest('A1'), labelRequest('A2')]
    const some = await service.buy(typed`--out x -n --json`, both)
    expect(jsonOf(some).body.clientShipmentId).toBe('A2')
    expect(some.stderr).toMatch('A1 has a label already; that one (TRK-1) would be saved, none would be made')
    const none = await service.buy(typed`--out x -n --json`, [labelRequest('A1')])
    expect(jsonOf(succeeded(none))).toEqual([])
    expect(none.stderr).toMatch('none would be made')
    const another = await service.buy(typed`--out x -n --json --another`, both)
    expect(jsonOf(another)).toHaveLength(2)
    expect(service.posts()).toEqual([])
    expect(existsSync('x')).toBe(false)
  })

  it('--dry-run prints the request and needs no service', async () => {
    expect(
      jsonOf(
        expectEnd(
          await runCli(create`--out x -n --json --format ZPL --shop S1 --retries 0`, {
            env: homeAt('http://127.0.0.1:9/v1'),
            stdin: json(labelRequest('SHP-1')),
          }),
          0,
          ['Existing labels could not be looked up'],
        ),
      ),
    ).toEqual({
      method: 'POST',
      url: 'http://127.0.0.1:9/v1/shipping_labels',
      body: { ...labelRequest('SHP-1'), labelFormat: 'ZPL', shopCode: 'S1' },
    })
  })

  it('a protected profile is exit 2 without a terminal and without --yes', async () => {
    const env = freshHome()
    const profile = typed`--environment production --base-url ${service.baseUrl} --use`
    succeeded(await runCli(typed`profiles add live ${profile}`, { env }))
    const stdin = json(labelRequest('SHP-1'))
    const own = { ...env, RMA_TOKEN: 'token' }
    const refused = ended(await runCli(create``, { env: own, stdin }), 2)
    expect(refused.stderr).toMatch(/protected.*--yes/s)
    expect(service.requests).toHaveLength(0)
    succeeded(await runCli(create`--yes`, { env: own, stdin }))
  })

  it('refuses an RMA_LOCK_DIR that is not a folder, or that everybody may write into, before it buys', async () => {
    const folder = newFolder()
    const dir = (name: string) => join(folder, name)
    const buy = (lockDir: string) =>
      service.run(create``, { stdin: json(labelRequest('SHP-1')), env: { RMA_LOCK_DIR: lockDir } })
    mkdirSync(dir('$(open)'))
    chmodSync(dir('$(open)'), 0o1777)
    writeFileSync(dir('file'), '')
    expectEnd(await buy(dir('$(open)')), 3, ['everybody may write into', `mkdir -p '${dir('$(open)')}' && `])
    expectEnd(await buy(dir('file')), 3, ['is not a folder', 'chmod 2770'])
    expectEnd(await buy(dir('none')), 3, ['is not a folder (ENOENT)', 'chmod 2770'])
    expect(service.made.size).toBe(0)
    mkdirSync(dir('closed'), { mode: 0o700 })
    succeeded(await buy(dir('closed')))
    expect([service.made.get('SHP-1')?.length, readdirSync(dir('closed'))]).toEqual([1, []])
  })

  it('--out FILE gets the ending of its content, and replaces no other file', async () => {
    const { buy, posts } = await shop({ labelsOf: () => [label(ZPL)] })
    const renamed = await buy`--out ${join(out, 'one.pdf')}`
    expectEnd(renamed, 0, [`The label is a ZPL, so it is saved as ${join(out, 'one.zpl')}`])
    expect(readFileSync(join(out, 'one.zpl'))).toEqual(ZPL)
    const kept = succeeded(await buy(typed`--out ${join(out, 'three.zpl')}`, [labelRequest('SHP-3')]))
    expect(kept.stderr).not.toMatch('so it is saved as')
    expect(existsSync(join(out, 'one.pdf'))).toBe(false)
    writeFileSync(join(out, 'two.pdf'), 'mine')
    ended(await buy(typed`--out ${join(out, 'two.pdf')}`, [labelRequest('SHP-2')]), 2)
    expect(posts()).toHaveLength(2)
    expect(textFile(join(out, 'two.pdf'))).toBe('mine')
  })

  it('a file in the way of an existing label is kept, and --force replaces it and buys nothing', async () => {
    await service.buy``
    writeFileSync(join(out, 'SHP-1.pdf'), 'mine')
    expectEnd(await service.buy`--out ${out}`, 2, [
      'rma labels download SHP-1',
      'Try: --force replaces the file',
    ])
    expect(textFile(join(out, 'SHP-1.pdf'))).toBe('mine')
    succeeded(await service.buy`--out ${out} --force`)
    expect(readFileSync(join(out, 'SHP-1.pdf'))).toEqual(PDF)
    expect(service.posts()).toHaveLength(1)
  })

  it('--out - prints the document itself', async () => {
    expect(succeeded(await service.buy`--out -`).stdout).toEqual(PDF.toString())
  })

  it('--out - buys no PDF labels of several parcels, which do not fit one stream', async () => {
    const { buy, posts } = await shop({ labelsOf: () => [label(ZPL), label(ZPL)] })
    const refused = await buy(typed`--out -`, [labelRequest('SHP-1', { parcels: TWO_PARCELS })])
    expectEnd(refused, 2, ['No label was made for SHP-1', '--out FOLDER'])
    expect(posts()).toEqual([])
    const zpl = labelRequest('SHP-1', { parcels: TWO_PARCELS, labelFormat: 'ZPL' })
    expect(succeeded(await buy(typed`--out -`, [zpl])).stdout).toBe(`${ZPL}${ZPL}`)
  })

  it('several parcels, a label-free code and a label behind a URL are saved', async () => {
    let base = ''
    const service = await shop({
      labelsOf: () => [
        label(PDF),
        { labelFreeCode: { format: 'PNG', base64: PNG.toString('base64') } },
        { url: `${base}/elsewhere` },
      ],
    })
    base = service.baseUrl
    expectEnd(
      await service.buy``,
      9,
      /label of SHP-1, parcel 3 of 3 can't be fetched: .*404.*The label itself was made/,
    )
    expect(service.requests.at(-1)?.headers.authorization).toBeUndefined()
  })
})

describe('labels create on the platform', () => {
  const platform = usePlatform()

  const env = { RMA_SHOP: 'LUMBRE-ES' }
  const waiting = async (isMeant: (transport: DemoTransport) => boolean) => {
    for (const { id, name, activeTransportation } of await platform.returns(
      'shop_code=LUMBRE-ES&status=PENDING',
    ))
      if (activeTransportation?.status === 'REQUESTED' && isMeant(activeTransportation))
        return { id, name, activeTransportation }
    return expect.fail('the demo data have no such return')
  }
  const transportOf = async ({ id }: Pick<DemoReturn, 'id'>) => (await platform.transports(id)).at(-1)
  const createFor = ({ name }: Pick<DemoReturn, 'name'>, ...more: string[]) =>
    platform.run(
      typed`labels create --for ${name} --carrier-service SBX_STANDARD --json --out ${newFolder()} ${more}`,
      { env },
    )
  const setsOf = async (id: string) => {
    const { stdout } = await platform.run(typed`labels get ${id} --json`, { env })
    return stdout === '' ? [] : (JSON.parse(stdout) as unknown[])
  }

  it('--for enters the new label, which is listed under both ids of the transport', async () => {
    const record = await waiting(({ carrierLabel }) => carrierLabel === undefined)
    const { id, clientReference } = record.activeTransportation
    const first = await createFor(record, '--register')
    const [made] = filesOf(succeeded(first))
    expect(first.stderr).not.toContain('Enter it')
    expect(made).toMatchObject({
      clientShipmentId: `${record.name}-T${id}`,
      outcome: 'created',
      format: 'PDF',
      registered: true,
    })
    expect((await transportOf(record))?.carrierReference).toBe(made?.carrierTrackingCode)
    expect(filesOf(await createFor(record))[0]).toMatchObject({
      outcome: 'existing',
      sha256: made?.sha256,
      registered: true,
    })
    expect(await setsOf(`${record.name}-T${id}`)).toHaveLength(1)
    expect(await setsOf(clientReference)).toHaveLength(1)
  })

  it('--for uses the label that the carrier has made', async () => {
    const record = await waiting(({ carrierLabel }) => carrierLabel !== undefined)
    const { id, carrierReference } = record.activeTransportation
    expect(filesOf(succeeded(await createFor(record)))[0]).toMatchObject({
      source: 'existing',
      carrierTrackingCode: carrierReference,
      registered: true,
    })
    expect(await setsOf(`${record.name}-T${id}`)).toHaveLength(1)
  })

  it('--for buys a label for the transport that replaced a lost parcel', async () => {
    const record = await waiting(({ carrierReference }) => carrierReference !== undefined)
    const before = record.activeTransportation
    const labelled = filesOf(await createFor(record))[0]
    const lost = typed`tracking push ${record.name} --status SHIPPING_FAILED --carrier X`
    succeeded(await platform.run(lost, { env }))
    const after = await transportOf(record)
    expect(after?.id).not.toBe(before.id)
    const [file] = filesOf(await createFor(record))
    expect(file).toMatchObject({ clientShipmentId: `${record.name}-T${after?.id}`, registered: true })
    expect(file?.carrierTrackingCode).not.toBe(labelled?.carrierTrackingCode)
    expect((await transportOf(record))?.carrierReference).toBe(file?.carrierTrackingCode)
  })

  it('--for lists missing customs data, and the flags for them', async () => {
    const env = { RMA_SHOP: 'HARROW-UK' }
    const { stdout } = await platform.run(typed`returns list --limit 500 --json`, { env })
    interface Party {
      address: { countryCode: string }
    }
    const records: { name: string; status: string; origin: Party; destination: Party }[] =
      JSON.parse(stdout).returns
    const crossing = records.find(
      ({ status, origin, destination }) =>
        status === 'PENDING' && origin.address.countryCode !== destination.address.countryCode,
    )
    const name = String(crossing?.name)
    const argv = typed`labels create --for ${name} --carrier-service SBX_STANDARD --out ${newFolder()}`
    expectEnd(
      await platform.run(argv, { env }),
      2,
      /customs.*Try: --goods FILE.*--hs-code CODE --origin-country/s,
    )
    const declared = await platform.run(typed`${argv} --hs-code 610910 --origin-country PT`, { env })
    expectEnd(declared, 0, expect.not.stringContaining('Error'))
  })

  it('a refusal of the carrier is exit 6 with its message', async () => {
    const request = labelRequest('SHP-R', { carrierServiceCode: 'SBX_REFUSES', shopCode: 'LUMBRE-ES' })
    expectEnd(await platform.run(create``, { stdin: json(request) }), 6, /LB02/)
  })
})
