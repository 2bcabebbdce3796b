import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
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
import { filesBelow, newFolder } from '../../helpers/files.ts'
import {
  type LabelServiceOptions,
  label,
  labelReturn,
  labelService,
  PDF,
  PNG,
} from '../../helpers/label-service.ts'
import { freshHome, runCli, runIn } from '../../helpers/run-cli.ts'
import { refusal } from '../../helpers/script-server.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/download.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/profiles/add.ts'

const NAME = 'R#-10482'
const ID = 'R#-10482-T1'
/** Platforms may give it to every transport of an order. */
const REFERENCE = 'P#R#MOD10482'

const setOf = (code: string) => ({ carrierServiceCode: 'TEST', shippingLabels: [label(PDF, code)] })

const savedIn = (out: string) => readFileSync(join(out, filesBelow(out, '.pdf')[0] ?? ''))

async function platformWith(record = labelReturn(NAME), options: LabelServiceOptions = {}) {
  const service = await labelService({ returns: [record], ...options })
  const out = newFolder()
  const argv = typed`labels create --for ${record.name} --carrier-service TEST --out ${out}`
  const create = asTyped(async (more) => {
    const { code, stdout, stderr } = await service.run`${argv} --json ${more}`
    const file = stdout.startsWith('{') ? JSON.parse(stdout).files[0] : undefined
    return { code, stdout, stderr, file }
  })
  return { ...service, out, create }
}

/** Error of a command that is refused, and buys and saves nothing. */
async function refusalOf({ create, out, posts }: Awaited<ReturnType<typeof platformWith>>) {
  const refused = ended(await create``, 2)
  expect([refused.stdout, posts(), readdirSync(out)]).toEqual(['', [], []])
  return errorOf(refused)
}

describe('labels create --for', () => {
  it('--for names the transport, so that a repetition finds the label of the same parcel', async () => {
    const { create, posts } = await platformWith()
    expect((await create``).file).toMatchObject({ clientShipmentId: ID, outcome: 'created' })
    expect(posts()[0]?.json).toMatchObject({ clientShipmentId: ID, clientShipmentName: NAME })
    expect((await create``).file).toMatchObject({ outcome: 'existing', source: 'existing' })
    expect(posts()).toHaveLength(1)
  })

  it('--for buys nothing for a return that the service sends without a name', async () => {
    const nameless = { ...labelReturn(NAME), name: undefined as unknown as string }
    const { run, posts } = await labelService({ returns: [nameless] })
    expectEnd(await run`labels create --for ${nameless.id} --carrier-service TEST`, 8, [
      `no name for the return ${nameless.id}`,
    ])
    expect(posts()).toEqual([])
  })

  it.each([
    ['has another transport', { activeTransportation: { id: '2', status: 'REQUESTED' } }, '2 is active now'],
    ['has ended', { status: 'EXPIRED' }, 'the return is EXPIRED'],
  ])('--for buys nothing for a return that %s ten seconds after it was read', async (_, change, reason) => {
    const record = labelReturn(NAME)
    const { create, posts } = await platformWith(record, {
      look: () => {
        const later = Date.now() + 11_000
        vi.spyOn(Date, 'now').mockReturnValue(later)
        Object.assign(record, change)
        return undefined
      },
    })
    const { code, stderr } = await create``
    expect([code, posts()]).toEqual([2, []])
    expect(stderr).toMatch(`No label was made for ${NAME}: `)
    expect(stderr).toMatch(reason)
  })

  it('a registered code without a label buys nothing, and leads to --another', async () => {
    const { create, made, posts } = await platformWith()
    made.set(ID, [{ carrierServiceCode: 'TEST', shippingLabels: [{ carrierTrackingCode: 'ONLY' }] }])
    const dry = await create`-n`
    expect(dry.code).toBe(2)
    expect(dry.stderr).toMatch(`${ID} has a tracking code (ONLY), but no label, and none was made`)
    const { code, stderr } = await create``
    expect([code, posts()]).toEqual([2, []])
    expect(JSON.parse(stderr).error).toMatchObject({
      message: `${ID} has a tracking code (ONLY), but no label, and none was made.`,
      hints: [expect.stringContaining('in a minute'), expect.stringContaining('--another buys a label')],
    })
    expect((await create`--another`).file).toMatchObject({ outcome: 'created' })
  })

  it('the id of a replaced parcel buys nothing, and saves no other label', async () => {
    const [env, out] = [freshHome(), newFolder()]
    const run = runIn(env)
    const find = '.transportations | map(.id)'
    const ids: string[] = jsonOf(await run`returns transportations LU105181 --jq ${find}`)
    const [lost, next] = ids.map((id) => `R#-LU105181-T${id}`)
    const made = succeeded(await run`labels create --for LU105181 --out ${out} --json -y`)
    expect(JSON.parse(made.stdout).files[0].clientShipmentId).toBe(next)
    expectEnd(await run`labels create --for ${lost} --another --out ${out} -y`, 2, ['nothing was sent'])
    const code = '.transportations[0].carrierReference'
    const { stdout: lostCode } = await run`returns transportations LU105181 --jq ${code}`
    succeeded(await run`mirror sync --yes`)
    const { stdout: name } = await run`returns get ${lost?.slice('R#-'.length)} --jq .name`
    expect(name).toBe('R#-LU105181\n')
    for (const named of [lost, lostCode.trim()]) {
      const shown = await run`labels get ${named} --jq .[].shippingLabels[].carrierTrackingCode`
      expect(succeeded(shown).stdout).toBe(lostCode)
    }
  })

  it.each([
    ['of a lost parcel, or of another return of the order', {}],
    ['that is not the one that the transport shows', { carrierReference: 'MINE' }],
  ])('a label under the client reference %s is listed and not used', async (_name, transport) => {
    const service = await platformWith(labelReturn(NAME, transport))
    const { create, made } = service
    made.set(REFERENCE, [setOf('OTHER')])
    expect(await refusalOf(service)).toMatchObject({
      errors: [{ path: REFERENCE, message: expect.stringContaining('OTHER') }],
      hints: [
        expect.stringContaining(`rma labels download '${REFERENCE}'`),
        expect.stringContaining('--another'),
      ],
    })
    ended(await create`-n`, 2)
    expect((await create`--another`).file).toMatchObject({ clientShipmentId: ID, outcome: 'created' })
    expect(made.get(REFERENCE)).toHaveLength(1)
  })

  it('labels that an update removed are listed, and none is used or bought', async () => {
    const service = await platformWith()
    const { create, made, posts } = service
    made.set(ID, [setOf('OTHER'), { shippingLabels: [] }])
    const { errors } = await refusalOf(service)
    expect(errors[0]).toMatchObject({
      path: ID,
      message: expect.stringContaining('OTHER'),
    })
    expect((await create`--another`).file).toMatchObject({ clientShipmentId: ID, outcome: 'created' })
    expect((await create``).file).toMatchObject({ outcome: 'existing' })
    expect(posts()).toHaveLength(1)
  })

  it('a label bought under the client reference is recognized by its code', async () => {
    const { create, made, posts } = await platformWith(labelReturn(NAME, { carrierReference: 'MINE' }))
    made.set(REFERENCE, [setOf('OTHER'), setOf('MINE'), setOf('THIRD')])
    const dry = await create`-n`
    expect([jsonOf(dry), dry.stderr]).toEqual([[], expect.stringContaining('none would be made')])
    expect(await create``).toMatchObject({
      code: 0,
      file: { clientShipmentId: ID, carrierTrackingCode: 'MINE', source: 'existing', registered: true },
    })
    expect(posts()).toEqual([])
  })

  it('a label that only the transport shows is fetched without the token', async () => {
    const transport = { carrierReference: 'MINE', carrierLabel: '' }
    const record = labelReturn(NAME, transport)
    const { create, out, posts, requests, baseUrl } = await platformWith(record, {
      files: { '/label.pdf': { body: PDF } },
    })
    Object.assign(record.activeTransportation ?? {}, { carrierLabel: `${baseUrl}/label.pdf` })
    const { file } = succeeded(await create``)
    expect(file).toMatchObject({ carrierTrackingCode: 'MINE', outcome: 'existing' })
    expect(savedIn(out)).toEqual(PDF)
    const fetched = requests.filter(({ path }) => path === '/label.pdf')
    expect([posts(), fetched.map(({ headers }) => headers.authorization)]).toEqual([[], [undefined]])
  })

  it('the newest label with a file under the client reference is saved', async () => {
    const { create, made, posts } = await platformWith(labelReturn(NAME, { carrierReference: 'MINE' }))
    made.set(REFERENCE, [setOf('MINE'), { shippingLabels: [{ carrierTrackingCode: 'MINE', format: 'PDF' }] }])
    const { file } = succeeded(await create``)
    expect(file).toMatchObject({ carrierTrackingCode: 'MINE', outcome: 'existing' })
    expect(posts()).toEqual([])
  })

  it('a label with a dead URL is exit 5, and none is bought', async () => {
    const { made, posts, run, baseUrl } = await platformWith(labelReturn(NAME, { carrierReference: 'MINE' }))
    const url = `${baseUrl}/gone.pdf`
    const behind = { shippingLabels: [{ carrierTrackingCode: 'MINE', format: 'PDF', url }] }
    made.set(ID, [setOf('MINE'), behind])
    expectEnd(await run`labels download ${ID} --out ${newFolder()}`, 5, ["can't be fetched"])
    expect(posts()).toEqual([])
  })

  it('a label set with only codes uses the label URL of the transport', async () => {
    const record = labelReturn(NAME, { carrierReference: 'NEW' })
    const { create, made, posts, baseUrl } = await platformWith(record, {
      files: { '/label.pdf': { body: PDF } },
    })
    made.set(REFERENCE, [setOf('OLD'), { shippingLabels: [{ carrierTrackingCode: 'NEW' }] }])
    const unclear = await create``
    expectEnd(unclear, 2, ['labels download'])
    Object.assign(record.activeTransportation ?? {}, { carrierLabel: `${baseUrl}/label.pdf` })
    const { file } = succeeded(await create``)
    expect(file).toMatchObject({ carrierTrackingCode: 'NEW', outcome: 'existing' })
    expect(posts()).toEqual([])
  })

  it('a label-free code behind a URL is made, found again and downloaded', async () => {
    const service = await platformWith(undefined, {
      files: { '/code.png': { body: PNG } },
      labelsOf: () => [
        {
          carrierTrackingCode: 'FREE',
          isLabelFree: true,
          labelFreeCode: { format: 'PNG', url: `${service.baseUrl}/code.png` },
        },
      ],
    })
    const { create, out, posts, run } = service
    const isCode = { carrierTrackingCode: 'FREE', format: 'PNG', path: expect.stringMatching(/-code\.png$/) }
    expect(await create``).toMatchObject({ code: 0, file: { ...isCode, outcome: 'created' } })
    expect(await create``).toMatchObject({ code: 0, file: { ...isCode, outcome: 'existing' } })
    const downloaded = await run`labels download ${ID} --out ${newFolder()} --json`
    expect(jsonOf(downloaded).files).toMatchObject([{ ...isCode, outcome: 'saved' }])
    expect([posts().length, readdirSync(out).length]).toEqual([1, 2])
  })

  it.each([
    ['no transport', { activeTransportation: undefined }],
    ['a transport without id', { activeTransportation: { status: 'REQUESTED' } }],
  ])('%s: exit 2, and the flag that names the shipment', async (_name, more) => {
    const { create, posts } = await platformWith(labelReturn(NAME, {}, more))
    const refused = await create``
    expect([refused.code, refused.stderr, posts()]).toEqual([
      2,
      expect.stringContaining('--client-shipment-id'),
      [],
    ])
    expect((await create`--client-shipment-id OWN-1`).file).toMatchObject({ clientShipmentId: 'OWN-1' })
  })

  it.each([
    ['CLOSED', 'SHIPPING_COMPLETED'],
    ['DISCARDED', 'REQUESTED'],
    ['EXPIRED', 'SHIPPING_CANCELLED'],
    ['PENDING', 'SHIPPING_FAILED'],
    ['RECEIVED', 'SHIPPING_COMPLETED'],
  ])('%s with %s is exit 2 unless a flag confirms it', async (status, transport) => {
    const { create, posts } = await platformWith(labelReturn(NAME, { status: transport }, { status }))
    for (const flags of [[], ['-n'], ['--another']]) {
      expectEnd(await create`${flags}`, 2, [
        status === 'PENDING' || status === 'RECEIVED' ? transport : status,
      ])
      expect(posts()).toEqual([])
    }
    expect((await create`--even-if-ended`).file?.outcome).toBe('created')
    expect((await create`--another --yes --force`).file?.outcome).toBe('created')
  })

  it('flags about a return do not go with a file', async () => {
    const service = await labelService()
    for (const flag of [typed`--client-shipment-id X`, ['--even-if-ended'], ['--register']]) {
      expectEnd(
        await service.run(typed`labels create --from - ${flag}`, {
          stdin: '{}',
        }),
        2,
        ['go with --for'],
      )
    }
  })
})

it('a transport that shows the new code needs nothing more', async () => {
  const record = labelReturn(NAME)
  const { create, puts } = await platformWith(record, {
    afterMaking: () => {
      record.activeTransportation = { ...record.activeTransportation, carrierReference: 'TRK-1' }
      return undefined
    },
  })
  const { code, stderr, file } = await create`--register`
  expect([code, stderr, puts()]).toEqual([0, expect.not.stringContaining('Enter it'), []])
  expect(file).toMatchObject({ registered: true })
})

it('a transport without the new code gets a complete command to enter it', async () => {
  const { create, puts } = await platformWith(undefined, {
    labelsOf: () => [{ ...label(PDF, "IT'S 1"), carrierTrackingUrl: 'https://track.example.com/?a=1&b=2' }],
  })
  const { code, stderr, file } = await create`--shop MODA-ES`
  expect([code, file.registered, puts()]).toEqual([0, false, []])
  expect(file.registerCommand).toBe(
    "rma labels update 'R#-10482-T1' --tracking-code 'IT'\\''S 1' --tracking-url 'https://track.example.com/?a=1&b=2' --replace --shop MODA-ES",
  )
  expect(stderr).toContain(`Enter it: ${file.registerCommand}`)
  expect((await create``).file.registerCommand).toContain('--shop MODA-ES')
})

it('--register enters the code, and a repetition does nothing', async () => {
  const { create, puts } = await platformWith()
  expect((await create`--register`).file).toMatchObject({ outcome: 'created', registered: true })
  expect(puts().map(({ json }) => json)).toEqual([
    {
      shopCode: 'MODA-ES',
      shipmentId: NAME,
      shipmentIdType: 'RETURN_NAME',
      shippingLabels: [{ carrierTrackingCode: 'TRK-1' }],
    },
  ])
  expect((await create`--register`).file).toMatchObject({ outcome: 'existing', registered: true })
  expect(puts()).toHaveLength(1)
})

it.each([[['--register']], [[]]])(
  'labels create %j enters no code if another transport became active',
  async (flags) => {
    const record = labelReturn(NAME)
    const { create, out, puts } = await platformWith(record, {
      afterMaking: () => {
        record.activeTransportation = { ...record.activeTransportation, id: '2' }
        return undefined
      },
    })
    const { code, stderr, file } = await create`${flags}`
    expect([code, puts()]).toEqual([flags.length > 0 ? 9 : 0, []])
    expect(file).toMatchObject({ outcome: 'created', registered: false })
    expect(file.registerCommand).toBeUndefined()
    expect(stderr).toMatch('for transport 1, and 2 is active now')
    expect(savedIn(out)).toEqual(PDF)
  },
)

it.each([
  ['refused', refusal('SH01', 'no such shipment')],
  ['lost', { fault: 'reset' }],
  ['of no use', { status: 500 }],
] as const)(
  'a registration that is %s is exit 9 with the command, and the label is saved',
  async (_name, answer) => {
    const { create, out, puts } = await platformWith(undefined, {
      insteadOfUpdating: (index) => (index === 0 ? answer : undefined),
    })
    const { stderr, file } = ended(await create`--register --retries 0`, 9)
    expect(file).toMatchObject({ outcome: 'created', registered: false })
    expect(lastErrorOf({ stderr })).toMatchObject({
      kind: 'partial',
      message: expect.stringContaining('The label is saved, but TRK-1 was not entered on R#-10482'),
      hints: [file.registerCommand],
    })
    expect(readdirSync(out)).toContain('manifest.json')
    // The same command once more finds the label, and enters it.
    expect(await create`--register`).toMatchObject({
      code: 0,
      file: { outcome: 'existing', registered: true },
    })
    expect(puts()).toHaveLength(2)
  },
)

it('a code entered after the label was made is kept', async () => {
  const record = labelReturn(NAME)
  const { create, puts } = await platformWith(record)
  await create``
  record.activeTransportation = { ...record.activeTransportation, carrierReference: 'BY-HAND' }
  const { code, stderr, file } = await create`--register`
  expect([code, puts(), file.registered]).toEqual([9, [], false])
  expect(stderr).toContain('BY-HAND')
})

it('registerLabels of the profile applies unless --no-register is given', async () => {
  const service = await platformWith()
  const env = { ...freshHome(), RMA_TOKEN: 'token' }
  const run = runIn(env)
  const profile = typed`--environment staging --base-url ${service.baseUrl} --register-labels`
  succeeded(await run`profiles add stage ${profile}`)
  const argv = typed`labels create --for ${NAME} --carrier-service TEST --out ${newFolder()} --json`
  argv.push('--profile', 'stage')
  const without = await run`${argv} --no-register`
  const [file] = jsonOf(without).files
  expect([file.registered, service.puts().length]).toEqual([false, 0])
  expect(file.registerCommand).toMatch(/ --profile stage --shop MODA-ES$/)
  const withIt = await runCli(argv, { env })
  expect([jsonOf(withIt).files[0].registered, service.puts().length]).toEqual([true, 1])
})
