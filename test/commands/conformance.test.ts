import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import type { ReturnList } from '../../src/lib/wire/returns.ts'
import { ended, errorOf, expectEnd, jsonOf, ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { inRecords, seededMutations } from '../helpers/conformance-mutations.ts'
import { expectPrivate, newFolder } from '../helpers/files.ts'
import { type Mutation, serveMutated } from '../helpers/mutated-sandbox.ts'
import { type DemoReturn, type Platform, TEST_NOW, usePlatform } from '../helpers/platform.ts'
import { root, runCli } from '../helpers/run-cli.ts'
import { received } from '../helpers/sandbox-client.ts'
import { pageOf, refusal, scriptServer } from '../helpers/script-server.ts'
import { valuesOf } from '../helpers/values-of.ts'
import type { Seeded } from '../helpers/written-mutations.ts'
import '../../src/commands/conformance.ts'
import '../../src/commands/profiles/add.ts'

/** Few, so that a hundred runs take seconds; more than a page holds by default, and 19 pages of 7. */
const RETURNS = 130
const platform = usePlatform({ returns: RETURNS })
const { run } = platform
/** Most of what is bent shows on these, in two thirds of the time. */
const FEW_RETURNS = 50
const few = usePlatform({ returns: FEW_RETURNS })

interface Report {
  checks: { id: string; observed: string; verdict: string; basis: string }[]
  passed: number
  failed: number
  differing: number
  notShown: number
}

const notPassed = ({ checks }: Pick<Report, 'checks'>) => checks.filter(({ verdict }) => verdict !== 'pass')

const NOWHERE = { RMA_BASE_URL: 'http://127.0.0.1:9/integration/v1' }
let runs = 0

async function report(argv: string[] = [], env: Record<string, string> = {}, on = platform) {
  // Each run gets its own time, like real ones.
  runs += 1
  const options = { env, now: TEST_NOW + runs * 1000 }
  const { code, stdout, stderr } = await on.run(typed`conformance --json ${argv}`, options)
  const parsed: Report = JSON.parse(stdout)
  return { code, stderr, ...parsed }
}

/** Updates the labels of all transports under way. */
async function updateLabels({ sandbox, baseUrl, token, get }: Platform, times: number) {
  const { returns } = (await get('/returns?limit=500')) as ReturnList
  const headers = [['authorization', `Bearer ${token}`]] as const
  for (const { shopCode, name, activeTransportation } of returns) {
    if (!/REQUESTED|PROGRESS|UP_COMPLETED/.test(activeTransportation?.status ?? '')) continue
    for (let update = 0; update < times; update++) {
      const shippingLabels = [{ carrierTrackingCode: `U${update}`, format: 'PDF' }]
      const body = JSON.stringify({
        shopCode,
        shipmentId: name,
        shipmentIdType: 'RETURN_NAME',
        shippingLabels,
      })
      const { status } = await sandbox.fetch(
        received(`${baseUrl}/shipping_labels`, { method: 'PUT', headers, body }),
      )
      expect(status).toBe(200)
    }
  }
}

it('the sandbox passes all checks, including those that write', async () => {
  const { code, checks, ...counts } = await report(typed`--write --strict`)
  expect(notPassed({ checks })).toEqual([])
  expect(counts).toMatchObject({ passed: checks.length, failed: 0, differing: 0, notShown: 0 })
  expect(code).toBe(0)
  expect(checks.length).toBeGreaterThan(100)
  expect(new Set(valuesOf(checks, 'id')).size).toBe(checks.length)
}, 60_000)

it('the sandbox passes as revision 1.2.10, and after 110 updates of one label', async () => {
  await few.sandbox.reset({ returns: FEW_RETURNS })
  await report(typed`--write --only labels`, {}, few)
  await updateLabels(few, 110)
  const old = await report(typed`--write --strict --api-revision 1.2.10`, {}, few)
  expect(notPassed(old)).toEqual([])
  expect(valuesOf(old.checks, 'id')).toContain('labels.customs-info')
  // The revisions differ in labels only.
  const updated = await report(typed`--write --strict --only labels`, {}, few)
  expect(notPassed(updated)).toEqual([])
}, 60_000)

it('the built-in sandbox passes without any settings', async () => {
  const { stdout, stderr } = succeeded(await runCli(typed`conformance --only returns -o ndjson`))
  const verdicts = valuesOf(ndjson(stdout), 'verdict')
  expect(new Set(verdicts)).toEqual(new Set(['pass']))
  expect(stderr).toContain(`${verdicts.length} passed, 0 failed`)
})

it('a token for one shop passes, and --shop too; nothing is written unasked', async () => {
  const token = platform.sandbox.issueToken({ shops: ['LUMBRE-ES'] })
  const before = await platform.get('/returns?limit=500')
  const one = await report([], { RMA_TOKEN: token })
  expect(one.checks.length).toBeGreaterThan(50)
  expect(notPassed(one)).toEqual([])
  expect(valuesOf(one.checks, 'id')).not.toContain('labels.create')
  expect(await platform.get('/returns?limit=500')).toEqual(before)
  const shop = await report(typed`--shop HARROW-UK`)
  expect(shop.checks.length).toBeGreaterThan(50)
  expect(notPassed(shop)).toEqual([])
})

const MUTATIONS = seededMutations(() => platform.token)
const MUTATIONS_OF_FEW = seededMutations(() => few.sandbox.issueToken())
const LIST = 'GET /returns'
const checksOf = ({ notice }: Seeded) => (typeof notice === 'string' ? [notice] : notice)

describe('the sandbox bent in one way', () => {
  it.each(Object.entries(MUTATIONS_OF_FEW))('%s', async (name, ofFew) => {
    const [seeded, on] = ofFew.ofMany ? [MUTATIONS[name] ?? {}, platform] : [ofFew, few]
    // Each run moves a transport that can still be moved.
    if (ofFew.writes) await few.sandbox.reset({ returns: FEW_RETURNS })
    const RMA_BASE_URL = await serveMutated(on.sandbox, seeded)
    const ids = checksOf(ofFew)
    // Alone, which takes a tenth of the time: no check depends on another having run.
    const only = ids.flatMap((id) => typed`--only ${id}`)
    const argv = typed`--strict ${only} ${ofFew.writes ? ['--write'] : []} ${ofFew.flags ?? []}`
    const { checks } = ended(await report(argv, { RMA_BASE_URL, RMA_RETRIES: '0' }, on), 8)
    const noticed = checks.filter(({ id }) => ids.includes(id))
    const expected = noticed.map((check) => ({
      ...check,
      verdict: check.basis === 'spec' ? 'fail' : 'differs',
    }))
    expect(noticed).toEqual(expected)
    expect(noticed.length).toEqual(ids.length)
  })

  it('every check fails on some mutated sandbox', async () => {
    const { stdout } = await run`conformance --list -o ndjson`
    const ids = valuesOf(ndjson(stdout), 'id')
    const noticing = Object.values(MUTATIONS).flatMap(checksOf)
    expect(ids.filter((id) => !noticing.includes(id))).toEqual([])
  })
})

/** Operations of the specification, each with the check that has to see it at work. */
const OPERATIONS = {
  'GET /returns': 'returns.container',
  'GET /returns/*': 'return.id',
  'GET /returns/*/transportations': 'transportations.answer',
  'GET /returns/*/transportations/*': 'transportations.one',
  'GET /returns/*/refunds': 'refunds.answer',
  'POST /return_methods': 'methods.fields',
  'POST /pudos': 'pudos.fields',
  'GET /shipping_labels': 'labels.answer',
  'POST /shipping_labels': 'labels.create',
  'PUT /shipping_labels': 'labels.update-return-name',
  'POST /shipping_trackings': 'tracking.forward',
}

it.each(Object.entries(OPERATIONS))(
  'the required operation %s that answers 500 to everything fails without --strict',
  async (on, id) => {
    const status = (real: number) => (real === 401 ? 401 : 500)
    const RMA_BASE_URL = await serveMutated(few.sandbox, { on, status, body: () => ({}) })
    const env = { RMA_BASE_URL, RMA_RETRIES: '0' }
    const { checks } = ended(await report(typed`--write --only ${id}`, env, few), 8)
    expect(checks).toMatchObject([{ id, verdict: 'fail' }])
  },
)

// biome-ignore lint/suspicious/noExplicitAny: records of every shape are bent here
type Json = any

const OTHER_FORMS: Record<string, (value: Json) => Json> = {
  merchantReturnName: () => '',
  shippingLabels: (labels) => labels.map(({ format, additionalTrackingCodes, ...label }: Json) => label),
  pudoPoints: (points) =>
    points.map(({ id, latitude, longitude }: Json) => ({ code: id, geo: [latitude, longitude] })),
}

/** Decides what the specification leaves open in another way than the sandbox. */
const OTHERWISE: Mutation = {
  headers: (headers) => {
    for (const name of ['allow', 'www-authenticate', 'x-request-id']) headers.delete(name)
  },
  status: (status) => (status === 404 ? 410 : status),
  body: (body, { status, sent }) => {
    const isOpenError = status === 404 || status === 401 || (status === 400 && sent === undefined)
    if (isOpenError) return { message: 'no' }
    if (body.statusCode) return { statusCode: 'ACCEPTED' }
    if (body.transportations) return { ids: valuesOf(body.transportations, 'id') }
    if (body.refunds) return { records: body.refunds }
    return JSON.parse(JSON.stringify(body), (key, value) => {
      const isDate = typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:/.test(value)
      return isDate ? value.replace(' ', 'T') : (OTHER_FORMS[key]?.(value) ?? value)
    })
  },
}

describe('verdicts and exit codes', () => {
  it('a platform that decides otherwise what the specification leaves open fails no check', async () => {
    await few.sandbox.reset({ returns: FEW_RETURNS })
    const RMA_BASE_URL = await serveMutated(few.sandbox, OTHERWISE)
    const { checks, differing } = succeeded(
      await report(['--write'], { RMA_BASE_URL, RMA_RETRIES: '0' }, few),
    )
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toEqual([])
    expect(differing).toBeGreaterThan(20)
  })

  it('a platform whose updates may skip no state and may be of any time fails no check of the specification', async () => {
    await platform.sandbox.reset({ returns: RETURNS })
    const canShip = ({ activeTransportation: active }: DemoReturn) =>
      active?.status === (active?.serviceType === 'pick-up' ? 'PICK_UP_COMPLETED' : 'REQUESTED')
    const names = valuesOf((await platform.returns()).filter(canShip), 'name')
    const RMA_BASE_URL = await serveMutated(platform.sandbox, {
      answer: ({ body }) => {
        if (!body?.trackingStatus) return undefined
        const { shipmentId, trackingStatus, trackingDate } = body
        const isOdd = Date.parse(trackingDate) > TEST_NOW + 86_400_000 || trackingDate < '2010'
        if (isOdd) return { status: 200, body: { statusCode: 'OK', description: 'taken' } }
        const isShipped = shipmentId && trackingStatus === 'SHIPPING_IN_PROGRESS'
        const isSkip = isShipped && !names.includes(shipmentId)
        return isSkip ? refusal('XX01', 'not yet', 409) : undefined
      },
      // Transports that would skip a state come first.
      body: (body) =>
        body.returns
          ? {
              ...body,
              returns: body.returns.toSorted((a: DemoReturn, b: DemoReturn) => +canShip(a) - +canShip(b)),
            }
          : body,
    })
    const argv = typed`--write --only tracking`
    const { checks } = succeeded(await report(argv, { RMA_BASE_URL, RMA_RETRIES: '0' }))
    const others = notPassed({ checks })
    expect(others.map(({ id, verdict, basis }) => [id, verdict, basis])).toEqual([
      ['tracking.future', 'differs', 'assumed'],
      ['tracking.early', 'differs', 'assumed'],
    ])
  })

  const bend = (name: string) => serveMutated(platform.sandbox, MUTATIONS[name] ?? {})

  it('a difference from an assumption fails with --strict only', async () => {
    const env = { RMA_BASE_URL: await bend('the newest comes last') }
    const argv = typed`conformance --only returns.order --only returns.total`
    const lenient = succeeded(await run(argv, { env }))
    expect(lenient.stdout).toMatch(/returns\.order .* differs/)
    expect(lenient.stderr).toContain('1 passed, 0 failed, 1 differ')
    const strict = ended(await run(typed`${argv} --strict`, { env }), 8)
    expect(strict.stderr).toMatch(
      /^Error: returns\.order: not as rma assumes .*\n.*Try: rma conformance --only returns\.order -v/s,
    )
  })

  it('a failed check of the specification is exit 8, as JSON too, with the whole result', async () => {
    const env = { RMA_BASE_URL: await bend('no pageInfo') }
    const failed = ended(await run(typed`conformance --only returns -o json`, { env }), 8)
    expect(jsonOf(failed).failed).toBeGreaterThan(5)
    expect(errorOf(failed)).toMatchObject({ kind: 'contract', exitCode: 8 })
  })

  it('a check without data is "not shown", and fails if its operation must be seen at work', async () => {
    const empty = await serveMutated(platform.sandbox, {
      on: LIST,
      body: () => pageOf([]),
    })
    const { checks } = ended(await report(typed`--only record --only pudos`, { RMA_BASE_URL: empty }), 8)
    const failed = checks.filter(({ verdict }) => verdict !== 'not shown')
    expect(failed).toMatchObject([
      { id: 'pudos.fields', verdict: 'fail', observed: expect.stringMatching(/^not shown: /) },
    ])
    const RMA_BASE_URL = await serveMutated(platform.sandbox, {
      on: 'POST /pudos',
      send: (body) => ({ ...body, carrierServices: [{ code: 'SBX_STANDARD' }] }),
    })
    const alike = await report(typed`--only pudos.services`, { RMA_BASE_URL })
    expect(alike.checks).toMatchObject([{ id: 'pudos.services', verdict: 'not shown' }])
  })

  it('a refused token ends the run instead of failing every check', async () => {
    const { stdout, stderr } = ended(await run(['conformance'], { env: { RMA_TOKEN: 'bad' } }), 4)
    expect(stdout).toBe('')
    expect(stderr).toContain('the token comes from RMA_TOKEN: renew it there')
  })

  it('unreadable answers are failed checks, not crashes', async () => {
    const server = await scriptServer(() => ({ headers: { 'content-type': 'text/html' }, body: '<h1>Hello' }))
    const { failed, checks } = ended(await report(['--write'], { RMA_BASE_URL: server.baseUrl }), 8)
    expect(failed).toBeGreaterThan(30)
    expect(checks.length).toBeGreaterThan(100)
  })

  it('a platform that disappears ends the run, and finished checks are shown', async () => {
    const page = pageOf([])
    let answered = 0
    const server = await scriptServer(() => {
      answered += 1
      return answered <= 2 ? { body: page } : { fault: 'reset' as const }
    })
    const env = { RMA_BASE_URL: server.baseUrl, RMA_RETRIES: '0' }
    const { stdout } = ended(await run(typed`conformance -o ndjson`, { env }), 7)
    expect(valuesOf(ndjson(stdout), 'verdict')).toEqual(['pass', 'fail', 'fail'])
  })
})

describe('which checks', () => {
  it('--list shows all checks without a request', async () => {
    const list = typed`conformance --list --json`
    const { checks } = jsonOf(succeeded(await run(list, { env: NOWHERE })))
    expect(checks[0]).toEqual({
      id: 'auth.token',
      specified: 'The token is accepted',
      source: '§5',
      basis: 'spec',
      writes: false,
    })
    expect(checks.filter((check: { writes: boolean }) => check.writes).length).toBeGreaterThan(20)
  })

  it('the manual names every area', async () => {
    const page = readFileSync(join(root, 'docs/conformance.md'), 'utf8')
    const { stdout } = await run`conformance --list -o ndjson`
    for (const { id } of ndjson(stdout)) expect(page).toContain(`| \`${id.split('.')[0]}\``)
  })

  it('--dry-run shows the checks that would run', async () => {
    const count = async (flags: string[]) =>
      jsonOf(await run`conformance -n --json --only tracking ${flags}`).checks.length
    expect([await count([]), (await count(['--write'])) > 5]).toEqual([0, true])
  })

  it('--only selects the checks of a list by a pattern', async () => {
    const { stdout } = await run`conformance --list --only *.unknown-status -o ndjson`
    expect(valuesOf(ndjson(stdout), 'id')).toEqual(['tracking.unknown-status'])
  })

  it.each<[string[], RegExp]>([
    [typed`--only filter.nmae`, /"filter\.nmae" fits no check.*filter\.name/s],
    [typed`--only tracking`, /All of these checks write.*--write/s],
    [typed`--junit /no/such/folder/x.xml`, /\/no\/such\/folder.*ENOENT/s],
    [typed`--junit /`, /\/ is not a regular file/],
    [typed`--columns observd`, /observed/],
  ])('%s is a usage error before anything is sent', async (flags, message) => {
    expectEnd(await run(typed`conformance ${flags}`, { env: NOWHERE }), 2, [message])
  })

  it('a protected profile is asked before --write', async () => {
    const { RMA_BASE_URL: url = '', RMA_TOKEN = '', ...home } = platform.env()
    const env = { ...home, RMA_TOKEN }
    const add = typed`profiles add live --base-url ${url} --environment production --protected`
    succeeded(await runCli(add, { env }))
    const argv = typed`conformance -p live --write --only tracking.unknown-shipment`
    const refused = await runCli(argv, { env, now: TEST_NOW })
    expectEnd(refused, 2, ['protected'])
    succeeded(await runCli(typed`${argv} --yes`, { env, now: TEST_NOW }))
  })
})

interface Element {
  name: string
  attributes: Record<string, string>
  text: string
  children: Element[]
}

/** Read by a parser that refuses what is not well-formed. */
function parseXml(xml: string) {
  const rootElement: Element = { name: '', attributes: {}, text: '', children: [] }
  const open = [rootElement]
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const child: Element = { name, attributes: { ...attributes }, text: '', children: [] }
    open.at(-1)?.children.push(child)
    open.push(child)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element) element.text += text
  })
  parser.on('closetag', () => {
    open.pop()
  })
  parser.write(xml).close()
  const [only] = rootElement.children
  if (!only) throw new Error('no element')
  return only
}

it('JUnit output is valid XML with one suite per area and one case per check', async () => {
  const folder = newFolder()
  const file = join(folder, 'conformance.xml')
  const evil = await serveMutated(platform.sandbox, {
    on: LIST,
    body: inRecords((record) => ({ ...record, name: `<&"'>\u0000\u001b\ud800 ]]>` })),
  })
  const argv = typed`--only record --only returns --junit ${file}`
  const { checks, failed, notShown, differing } = ended(await report(argv, { RMA_BASE_URL: evil }), 8)
  const suites = parseXml(readFileSync(file, 'utf8'))
  expect(suites.attributes).toMatchObject({
    tests: String(checks.length),
    failures: String(failed),
    skipped: String(notShown + differing),
  })
  expect(suites.children.map(({ attributes }) => attributes.name)).toEqual(['returns', 'record'])
  const cases = suites.children.flatMap(({ children }) => children)
  expect(cases.map(({ attributes }) => attributes.name)).toEqual(valuesOf(checks, 'id'))
  const bad = cases.find(({ attributes }) => attributes.name === 'record.name')
  expect(bad?.children[0]).toMatchObject({
    name: 'failure',
    attributes: { message: expect.stringContaining('<&"\'>\ufffd\ufffd') },
  })
  expect(readdirSync(folder)).toEqual(['conformance.xml'])
  expectPrivate(file)
})

it('a difference is skipped in JUnit, and a failure with --strict', async () => {
  const file = join(newFolder(), 'x.xml')
  const env = {
    RMA_BASE_URL: await serveMutated(platform.sandbox, MUTATIONS['the newest comes last'] ?? {}),
  }
  const kinds = async (...argv: string[]) => {
    await run(typed`conformance --only returns.order --junit ${file} ${argv}`, { env })
    return parseXml(readFileSync(file, 'utf8')).children[0]?.children[0]?.children.map(({ name }) => name)
  }
  expect(await kinds()).toEqual(['skipped', 'system-out'])
  expect(await kinds('--strict')).toEqual(['failure', 'system-out'])
})

it('an unfinished run writes no JUnit file', async () => {
  const file = join(newFolder(), 'x.xml')
  ended(await run(typed`conformance --junit ${file} --retries 0`, { env: NOWHERE }), 7)
  expect(existsSync(file)).toEqual(false)
})
