import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { expectPrivate, newFolder } from '../../helpers/files.ts'
import { labelReturn, labelService } from '../../helpers/label-service.ts'
import { type PlainPlatformOptions, plainPlatform, undoArguments } from '../../helpers/plain-platform.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { freshHome, homeAt, type RunOptions, runCli, runIn } from '../../helpers/run-cli.ts'
import { refusal, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/download.ts'
import '../../../src/commands/labels/update.ts'
import '../../../src/commands/returns/get.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/returns/transportations.ts'
import '../../../src/commands/sandbox/reset.ts'

const NAME = 'R#-1001'
const REFERENCE = 'P#R#LU1001'
const OLD = {
  carrierTrackingCode: 'OLD',
  additionalTrackingCodes: ['A', 'B'],
  carrierTrackingUrl: 'https://carrier.example/track?OLD',
  format: 'ZPL',
  url: 'https://carrier.example/old.zpl',
}

const updating = asTyped((words) => typed`labels update ${words} --json`)
async function plain(labels: object[] = [OLD], options: PlainPlatformOptions = {}) {
  const ids = { id: 'T1', returnName: NAME, shopCode: 'LU', clientReference: REFERENCE }
  const platform = await plainPlatform({ ...ids, labels: labels.map((label) => ({ ...label })) }, options)
  const update = asTyped((words, more: RunOptions | undefined) => platform.run(updating(words), more))
  return { ...platform, update }
}
const filesOf = (dataDir: string) => readdirSync(join(dataDir, 'undo'))

it.each([
  [NAME, 'RETURN_NAME'],
  [REFERENCE, 'CLIENT_REFERENCE'],
  ['RET-1', 'MERCHANT_RETURN_NAME'],
])('the id %s is a %s, and --replace sends only what is given', async (shipment, type) => {
  const { update, puts } = await plain()
  const dry = await update`${shipment} --tracking-code X --replace -n`
  const { body } = jsonOf(dry)
  expect(body).toMatchObject({ shipmentId: shipment, shipmentIdType: type })
  expect([body.shippingLabels, dry.stderr]).toEqual([
    [{ carrierTrackingCode: 'X' }],
    expect.not.stringContaining('emptied'),
  ])
  expect(puts()).toEqual([])
})

it.each(['1001', '#1001'])(
  'the id %s may be a return or a merchant’s own name: exit 2 with both',
  async (shipment) => {
    const { run, update, puts } = await plain()
    expectEnd(await run`labels update ${shipment} --tracking-code X`, 2, [
      'may be the return R#-1001, or a name',
      /rma labels update 'R#-1001' --tracking-code X\n.*--id-type MERCHANT_RETURN_NAME --tracking-code X\n/s,
    ])
    expect(puts()).toEqual([])
    const named = typed`${shipment} --tracking-code X --id-type MERCHANT_RETURN_NAME`
    succeeded(await update(named))
    expect(puts()).toMatchObject([{ shipmentId: shipment, shipmentIdType: 'MERCHANT_RETURN_NAME' }])
  },
)

it('a file for one shop changes nothing with the label of a return read in another', async () => {
  const { run, puts } = await plain()
  const from = join(newFolder(), 'update.json')
  const shippingLabels = [{ carrierTrackingCode: 'NEW' }]
  writeFileSync(from, JSON.stringify({ shopCode: 'B', shipmentId: NAME, shippingLabels }))
  expectEnd(await run`labels update ${NAME} --from ${from} --shop LU`, 2, [
    `${NAME} was read in the shop LU, and the request is for B; nothing was sent`,
    'Try: --shop B',
  ])
  expect(puts()).toEqual([])
})

it('an order of several returns names each of them', async () => {
  const returns = ['R#-7', 'R#-7-2'].map((name) =>
    labelReturn(name, {}, { ecommerceOrder: { id: '7', name: '7' } }),
  )
  const { run } = await labelService({ returns })
  expectEnd(await run`labels update 7 --tracking-code X`, 2, [
    'may be the return R#-7 or R#-7-2, or a name',
    /update 'R#-7' --tracking-code X\n.*update 'R#-7-2' --tracking-code X\n/,
  ])
})

it.each([
  [['R#-1'], 'What should the label have'],
  [typed`R#-1 --tracking-url nowhere`, 'not a URL'],
  [typed`R#-1 --tracking-code ' '`, 'a tracking code is blank'],
  [['R#-1', '--tracking-code', 'X', '--additional-tracking-code', '\t'], 'a tracking code is blank'],
  [typed`R#-1 --id-type OTHER --tracking-code x`, 'id-type'],
  [[], 'Which shipment'],
  [typed`R#-1 --undo x.json`, 'names the shipment itself'],
  [typed`--undo x.json --tracking-code x`, '--undo'],
  [typed`--undo x.json`, "x.json can't be read: there is no such file"],
  [typed`--undo package.json`, 'package.json is not what rma wrote'],
])('labels update %j is exit 2', async (argv, message) => {
  const { run, puts } = await plain()
  expectEnd(await run`labels update ${argv}`, 2, [message])
  expect(puts()).toEqual([])
})

it.each([
  ['client reference', REFERENCE],
  ['merchant’s own return name', 'RET-1'],
])('an answer that names the return ends an update by %s', async (_, shipment) => {
  const afterUpdate = () => ({ body: { statusCode: 'OK', description: `the label of ${NAME} is updated` } })
  const { update } = await plain([OLD], { afterUpdate })
  expect(jsonOf(await update`${shipment} --tracking-code NEW`)).toMatchObject({ outcome: 'accepted' })
})

it('an update keeps what can be read, and names what may be emptied', async () => {
  const { update, puts } = await plain()
  const { stdout, stderr } = succeeded(await update`${NAME} --tracking-code NEW`)
  const { carrierTrackingUrl, url } = OLD
  expect(puts()).toEqual([
    {
      shopCode: 'LU',
      shipmentId: NAME,
      shipmentIdType: 'RETURN_NAME',
      shippingLabels: [{ carrierTrackingCode: 'NEW', carrierTrackingUrl, url }],
    },
  ])
  expect(stderr).toMatch('may be emptied: additional codes, label format, labels of other parcels')
  expect(JSON.parse(stdout)).toMatchObject({
    statusCode: 'OK',
    former: [{ carrierTrackingCode: 'OLD', carrierTrackingUrl, url }],
    unread: ['additionalTrackingCodes', 'format', 'otherParcels'],
  })
})

it('an update takes other parcels only from labels with the transport’s code', async () => {
  const others = { carrierTrackingCode: 'OLD-2', format: 'ZPL', additionalTrackingCodes: [] }
  const own = [{ ...OLD, url: undefined, base64: 'XlhB' }, others]
  const foreign = [{ carrierTrackingCode: 'FOREIGN' }, { carrierTrackingCode: 'FOREIGN-2' }]
  const sent = async (sets: Record<string, object[]>) => {
    const { update, puts } = await plain([OLD], { sets: sets as Record<string, Record<string, unknown>[]> })
    const { stderr } = await update`${NAME} --label-format PDF`
    return { body: puts()[0] as { shippingLabels: object[] }, stderr }
  }
  const known = await sent({ [REFERENCE]: own })
  expect(known.body.shippingLabels).toEqual([
    { ...OLD, format: 'PDF' },
    { carrierTrackingCode: 'OLD-2', format: 'ZPL' },
  ])
  expect(known.stderr).not.toMatch('emptied')
  expect((await sent({ [`${NAME}-TT1`]: own })).body.shippingLabels).toHaveLength(2)
  const unknown = await sent({ [REFERENCE]: foreign })
  expect(unknown.body.shippingLabels).toHaveLength(1)
  expect(unknown.stderr).toMatch(/may be emptied: .*labels of other parcels/)
})

it('a file names labels by position, and what it omits is kept', async () => {
  const { update, puts } = await plain([OLD], {
    sets: { [REFERENCE]: [OLD, { carrierTrackingCode: 'OLD-2' }] },
  })
  const stdin = JSON.stringify({ shippingLabels: [{ url: null }, { carrierTrackingCode: 'NEW-2' }] })
  succeeded(await update(typed`${NAME} --from -`, { stdin }))
  expect(puts()).toMatchObject([{ shippingLabels: [OLD, { carrierTrackingCode: 'NEW-2' }] }])
})

it('an unreadable return sends nothing without --replace', async () => {
  const { update, puts } = await plain()
  const missing = await update`R#-9 --tracking-code NEW`
  expect([missing.code, puts()]).toEqual([5, []])
  const replaced = await update`R#-9 --tracking-code NEW --replace`
  expect([replaced.code, puts().length]).toEqual([0, 1])
  expect(replaced.stderr).toMatch(/can't be read.*No return is named R#-9[\s\S]*can not be undone/)
})

it('a name without a return may empty everything, and can not be undone', async () => {
  const { update, puts, dataDir } = await plain()
  const { stdout } = expectEnd(await update`RET-9 --tracking-code NEW`, 0, [
    'may be emptied: additional codes, tracking URL, label format, label URL, labels of other parcels',
  ])
  expect(puts().length).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ former: null, undo: null })
  expect(() => filesOf(dataDir)).toThrow('ENOENT')
})

it('--undo restores what could be read, and names what could not', async () => {
  const { run, update, puts, transport, dataDir } = await plain()
  const updated = await update`${NAME} --tracking-code NEW --label-format PDF`
  const { undo } = jsonOf(updated)
  const [file = ''] = filesOf(dataDir)
  expect(undo).toBe(`rma labels update --undo ${join(dataDir, 'undo', file)}`)
  expectPrivate(join(dataDir, 'undo', file))
  const undone = await run`${undoArguments(undo)} --json`
  expect([undone.code, puts().length]).toEqual([0, 2])
  expect(undone.stderr).toMatch(/Not put back.*additional codes, label format/)
  const { carrierTrackingCode, carrierTrackingUrl, url } = OLD
  expect(transport.labels).toEqual([{ carrierTrackingCode, carrierTrackingUrl, url }])
  // And again: there is nothing to undo.
  const again = await run`${undoArguments(undo)} --json`
  expect([again.code, puts().length]).toEqual([2, 2])
  expect(again.stderr).toMatch('it has its former values already')
})

it('an update is exit 3 and sends nothing where its former values can not be kept', async () => {
  const { update, puts, dataDir } = await plain()
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'undo'), 'not a folder')
  expectEnd(await update`${NAME} --tracking-code NEW`, 3, ['RMA_DATA_DIR=DIR'])
  expect(puts()).toEqual([])
})

it('--undo empties fields that were empty before', async () => {
  const { run, update, transport } = await plain([{ carrierTrackingCode: 'OLD' }])
  const updated = await update`${NAME} --tracking-url https://carrier.example/1`
  await run(undoArguments(jsonOf(updated).undo))
  expect(transport.labels).toEqual([{ carrierTrackingCode: 'OLD', carrierTrackingUrl: '' }])
})

it.each([
  ['another transport is active', { id: 'T2' }, 'that was transport T1, and T2 is active now'],
  ['somebody else has changed it', { labels: [{ carrierTrackingCode: 'THEIRS' }] }, 'THEIRS now, NEW after'],
])('--undo sends nothing and names no later update when %s since', async (_name, change, message) => {
  const { run, update, puts, transport } = await plain()
  const { undo } = jsonOf(await update`${NAME} --tracking-code NEW`)
  Object.assign(transport, change)
  const { stderr } = expectEnd(await run(undoArguments(undo)), 2, ['nothing was sent', message])
  expect(stderr).not.toMatch('undo the later update first')
  expect(puts().length).toBe(1)
})

it('--undo names the later update that must be undone first', async () => {
  const { run, update, puts, transport } = await plain()
  const undoOf = async (code: string) => jsonOf(await update`${NAME} --tracking-code ${code}`).undo
  const [first, second] = [await undoOf('ONE'), await undoOf('TWO')]
  const refused = await run(undoArguments(first))
  expect([refused.code, puts().length]).toEqual([2, 2])
  expect(refused.stderr).toContain(`Try: undo the later update first: ${second}`)
  succeeded(await run(undoArguments(second)))
  succeeded(await run(undoArguments(first)))
  expect(transport.labels[0]?.carrierTrackingCode).toBe('OLD')
})

it('--undo uses the platform that a flag of the update named', async () => {
  const { run, update, puts, env } = await plain()
  const argv = typed`${NAME} --tracking-code NEW --base-url ${env.RMA_BASE_URL}`
  const elsewhere = { env: { RMA_BASE_URL: 'http://127.0.0.1:9' } }
  const { undo } = jsonOf(await update(argv, elsewhere))
  expect([(await run(undoArguments(undo), elsewhere)).code, puts().length]).toEqual([0, 2])
})

it('--undo sends nothing to another platform', async () => {
  const [one, other] = [await plain(), await plain()]
  const { undo } = jsonOf(await one.update`${NAME} --tracking-code NEW`)
  expectEnd(await other.run([...undoArguments(undo), '--shop', 'HU']), 2, [
    'another platform',
    `sent to ${one.env.RMA_BASE_URL}, shop LU`,
    `this is ${other.env.RMA_BASE_URL}, shop HU`,
  ])
  expect(other.puts()).toEqual([])
})

it('an update without a change has no undo, and a refused one leaves no file', async () => {
  const same = await plain()
  expect([jsonOf(await same.update`${NAME} --tracking-code OLD`).undo, filesOf(same.dataDir)]).toEqual([
    null,
    [],
  ])
  const refusing = await plain([OLD], { insteadOfUpdate: () => refusal('SH01') })
  ended(await refusing.update`${NAME} --tracking-code NEW`, 6)
  expect(filesOf(refusing.dataDir)).toEqual([])
})

it('an update whose answer was lost can be undone', async () => {
  const { run, update, transport } = await plain([OLD], { afterUpdate: () => ({ fault: 'reset' }) })
  const { code, stdout } = await update`${NAME} --tracking-code NEW`
  const { outcome, undo } = JSON.parse(stdout)
  expect([code, outcome, transport.labels[0]?.carrierTrackingCode]).toEqual([0, 'recovered', 'NEW'])
  succeeded(await run(undoArguments(undo)))
  expect(transport.labels[0]?.carrierTrackingCode).toBe('OLD')
})

it('an update that is carried out late, and whose second attempt is refused, can be undone', async () => {
  const platform = await plain([OLD], {
    insteadOfUpdate: () => {
      if (platform.puts().length === 1) return { status: 503, body: {} }
      platform.transport.labels = [{ ...OLD, carrierTrackingCode: 'NEW' }]
      return refusal('SH01')
    },
  })
  const { outcome, undo } = jsonOf(succeeded(await platform.update`${NAME} --tracking-code NEW`))
  expect([outcome, filesOf(platform.dataDir)]).toEqual(['recovered', [expect.any(String)]])
  expect(undo).toContain('labels update --undo')
})

it('an update of unknown outcome names its undo command', async () => {
  const { update, puts } = await plain([OLD], { afterUpdate: () => ({ fault: 'reset' }) })
  expectEnd(
    await update`${NAME} --additional-tracking-code NEW`,
    10,
    /not known whether R#-1001 was updated.*undoes it: rma labels update --undo \S+/s,
  )
  expect(puts().length).toBe(1)
})

it('an update is not sent again if the service asks to wait for an hour', async () => {
  const headers = { 'retry-after': '3600' }
  const { update, puts } = await plain([OLD], { insteadOfUpdate: () => ({ status: 503, headers, body: {} }) })
  expectEnd(await update`${NAME} --tracking-code NEW`, 7, ['HTTP 503 (the service asks to wait 60 minutes)'])
  expect(puts().length).toBe(1)
})

it.each([
  ['shows another value', 503, [{ carrierTrackingCode: 'THEIRS' }]],
  ['shows what was there, but no 503', 500, [OLD]],
])('a platform that %s after an update leaves it unknown', async (_name, status, labels) => {
  const platform = await plain([OLD], {
    insteadOfUpdate: () => {
      platform.transport.labels = labels
      return { status, body: {} }
    },
  })
  ended(await platform.update`${NAME} --tracking-code NEW`, 10)
  expect(platform.puts().length).toBe(1)
})

it('undo files are kept for the last 200 updates', async () => {
  const { update, dataDir } = await plain()
  await update`${NAME} --tracking-code N0`
  const [first = ''] = filesOf(dataDir)
  const copy = readFileSync(join(dataDir, 'undo', first))
  for (let n = 0; n < 250; n++) {
    writeFileSync(join(dataDir, 'undo', `20200101-000000-${n.toString(16).padStart(6, '0')}.json`), copy)
  }
  writeFileSync(join(dataDir, 'undo', 'mine.txt'), '')
  const { undo } = jsonOf(await update`${NAME} --tracking-code N1`)
  const names = filesOf(dataDir)
  expect(names).toHaveLength(201)
  expect(names).toEqual(expect.arrayContaining([first, 'mine.txt', undo.split('/').at(-1)]))
  expect(names).not.toContain('20200101-000000-000032.json')
})

it('an update from before a sandbox reset can not be undone', async () => {
  const env = { ...freshHome(), RMA_SHOP: 'LUMBRE-ES' }
  const run = asTyped((argv) => runIn(env)`${argv} --quiet`)
  const reset = () => run`sandbox reset --yes --returns 300`
  await reset()
  const pending = typed`returns list --status PENDING --jq .returns[0].name`
  const name = (await run(pending)).stdout.trim()
  const undoOf = async () => {
    const { stdout, stderr } = await run(updating`${name} --tracking-code NEW`)
    expect(stderr).toBe('')
    return JSON.parse(stdout).undo
  }
  const before = await undoOf()
  await reset()
  const after = await undoOf()
  const refused = ended(await run(undoArguments(before)), 2)
  expect(refused.stderr).toMatch(/sent to another platform.*a sandbox that was reset is another one/s)
  succeeded(await run(undoArguments(after)))
})

const platform = usePlatform()

it('labels update and its undo need no --shop with a token for several', async () => {
  const argv = typed`returns list --status PENDING --jq .returns[0].name`
  const name = (await platform.run(argv)).stdout.trim()
  const code = async () => {
    const read = typed`returns get ${name} --jq .activeTransportation.carrierReference`
    return (await platform.run(read)).stdout
  }
  const before = await code()
  const updated = await platform.run(updating`${name} --tracking-code NEW`)
  expect([updated.code, await code()]).toEqual([0, 'NEW\n'])
  succeeded(await platform.run(undoArguments(jsonOf(updated).undo)))
  expect(await code()).toBe(before)
})

it('a label made for a return is registered anew, downloaded under both ids, and restored', async () => {
  // The sandbox is at another address with every command.
  const env = { ...freshHome(), RMA_SHOP: 'LUMBRE-ES' }
  const run = async (...argv: string[]) => {
    const { code, stdout, stderr } = await runIn(env)`${argv} -q`
    expect([code, stderr], argv.join(' ')).toEqual([0, ''])
    return JSON.parse(stdout)
  }
  const pending = typed`returns list --status PENDING --limit 1 --json`
  const [{ id, name, activeTransportation }] = (await run(...pending)).returns
  const making = typed`labels create --for ${name} --carrier-service SBX_STANDARD --out ${newFolder()}`
  const [made] = (await run(...making, '--json')).files
  const shown = async () =>
    (await run('returns', 'get', name, '--json')).activeTransportation.carrierReference
  expect(await shown()).toBe(made.carrierTrackingCode)
  const registered = async () => {
    const argv = typed`returns transportations ${id} ${activeTransportation.id} --jq [.shippingLabels]`
    return JSON.parse(JSON.stringify(await run(...argv)).replaceAll(/127\.0\.0\.1:\d+/g, 'sandbox'))
  }
  const before = await registered()
  const updated = await run('labels', 'update', name, '--tracking-code', 'NEW', '--json')
  const codesAlone = await run('labels', 'update', name, '--tracking-code', 'NEWEST', '--replace', '--json')
  expect(await shown()).toBe('NEWEST')
  for (const shipment of [activeTransportation.clientReference, `${name}-T${activeTransportation.id}`]) {
    const [file] = (await run('labels', 'download', shipment, '--out', newFolder(), '--json')).files
    expect(file).toMatchObject({ carrierTrackingCode: 'NEWEST', sha256: made.sha256 })
    expect(readFileSync(file.path)).toEqual(readFileSync(made.path))
  }
  for (const { undo } of [codesAlone, updated]) await run(...undoArguments(undo), '--json')
  expect(await registered()).toEqual(before)
  expect(await shown()).toBe(made.carrierTrackingCode)
})

it('Ctrl-C while the label is read: exit 130, and no word of a change', async () => {
  const interrupt = new AbortController()
  const server = await scriptServer(() => {
    interrupt.abort()
    return { fault: 'hang' }
  })
  const { stderr } = ended(
    await runCli(updating`${NAME} --tracking-code X`, {
      env: homeAt(server.baseUrl),
      interrupt: interrupt.signal,
    }),
    130,
  )
  expect(JSON.parse(stderr).error).toMatchObject({ message: 'Interrupted.', hints: [] })
})
