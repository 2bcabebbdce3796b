import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  asTyped,
  ended,
  expectEnd,
  type Home,
  jsonOf,
  jwt,
  succeeded,
  typed,
} from '../helpers/command-line.ts'
import { jsonFile } from '../helpers/files.ts'
import { runCli, runIn } from '../helpers/run-cli.ts'
import { type Answer, pageOf, refusal, scriptServer } from '../helpers/script-server.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const record = (id: string, shopCode: string, email: string) => ({
  id,
  name: `R#-${id}`,
  shopCode,
  merchantReturnName: `RMA/${id}`,
  status: 'PENDING',
  createdAt: '2026-03-01 10:00:00Z',
  updatedAt: '2026-03-01 10:00:00Z',
  ecommerceOrder: { id: `o${id}`, name: id },
  customer: { fullName: email, email },
  returnLineItems: [],
  activeTransportation: { id: `t${id}`, status: 'REQUESTED', carrierReference: `CODE${id}` },
})
const scansFile = (home: Home) => {
  const file = join(home.HOME, 'scans.csv')
  writeFileSync(
    file,
    'shipmentId,trackingStatus,trackingDate\nR#-1,SHIPPING_IN_PROGRESS,2026-03-02T10:00:00Z\n',
  )
  return file
}
type Held = ReturnType<typeof record>

/** One address, at which each token shows the returns of its merchant. */
async function sharedPlatform(returnsOf: Record<string, Held[]>) {
  let left = 1000
  const server = await scriptServer(({ method, path, query, headers }): Answer => {
    left -= 1
    if (left < 0) return { status: 500, body: { errors: [] } }
    const held = returnsOf[(headers.authorization ?? '').replace('Bearer ', '')]
    if (held === undefined) return refusal('AU02', 'no', 401)
    if (method === 'POST') return { body: { statusCode: 'OK', description: 'applied' } }
    const [, id, part] = /^\/returns\/([^/]+)(?:\/(.+))?$/.exec(path) ?? []
    const one = held.find((each) => each.id === id)
    if (part !== undefined) return { body: { [part]: [] } }
    if (id !== undefined) return one ? { body: one } : { status: 404, body: { errors: [] } }
    const isMeant = (each: Held) =>
      [
        [query.get('name'), each.name],
        [query.get('order'), each.ecommerceOrder.name],
        [query.get('shop_code'), each.shopCode],
      ].every(([asked, has]) => asked === null || asked === has)
    const found = held.filter(isMeant)
    const isFirst = (query.get('page') ?? '1') === '1'
    return {
      body: pageOf(isFirst ? found : [], found.length),
    }
  })
  const home = spawnEnv()
  const as = asTyped(([token = '', ...argv]) => {
    const env = { ...home, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: token }
    return argv[0] === '__complete' ? spawnCli(argv, { env }) : runCli(argv, { env })
  })
  const writes = () => server.requests.filter(({ method }) => method === 'POST')
  const breakAfter = (requests: number) => {
    left = requests
  }
  return { as, writes, home, server, breakAfter }
}

const [SHOES, HATS] = [
  [record('S1', 'SHOES', 'sue@shoes.example')],
  [record('H1', 'HATS', 'hal@hats.example')],
]

describe.each([
  ['opaque tokens', 'shoes-token', 'hats-token'],
  ['tokens that name no shop', jwt({ sub: 'shoes' }), jwt({ sub: 'hats' })],
  ['tokens with an empty list of shops', jwt({ sub: 'shoes', shops: [] }), jwt({ sub: 'hats', shops: [] })],
])('two merchants at one address with %s', (_, shoes, hats) => {
  const both = { [shoes]: SHOES, [hats]: HATS }

  it('two merchants have a mirror each, and neither loses the other’s', async () => {
    const { as } = await sharedPlatform(both)
    succeeded(await as`${shoes} mirror sync --yes`)
    const stranger = await as`${hats} search sue --offline --json`
    expect([stranger.code, stranger.stdout]).toEqual([5, ''])
    succeeded(await as`${hats} mirror sync --yes`)
    const names = async (token: string) =>
      jsonOf(await as`${token} search example --offline --json`).returns.map(({ name }: Held) => name)
    expect([await names(shoes), await names(hats)]).toEqual([['R#-S1'], ['R#-H1']])
  })

  it('two merchants can send the same file', async () => {
    const { as, writes, home } = await sharedPlatform(both)
    const file = scansFile(home)
    const push = (token: string) => as`${token} tracking push --file ${file} --json`
    const [first, second, third] = [await push(shoes), await push(hats), await push(hats)]
    expect([first.code, second.code, second.stderr]).toEqual([
      0,
      0,
      expect.not.stringContaining('nothing is sent'),
    ])
    expect(jsonOf(third).alreadySentBy).toBe(jsonOf(second).jobId)
    expect(writes().map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${shoes}`,
      `Bearer ${hats}`,
    ])
  })

  it('a job of one merchant is neither resumed nor retried with the token of another', async () => {
    const returnsOf: Record<string, Held[]> = { [hats]: HATS }
    const { as, writes, home } = await sharedPlatform(returnsOf)
    ended(await as`${shoes} tracking push --file ${scansFile(home)}`, 4)
    returnsOf[shoes] = SHOES
    const sent = writes().length
    for (const verb of ['resume', 'retry']) {
      expectEnd(await as`${hats} jobs ${verb} --last`, 2, [
        'or for another shop; nothing was sent',
        'a renewed token of the same merchant goes on',
      ])
    }
    expect(writes()).toHaveLength(sent)
    succeeded(await as`${shoes} jobs resume --last`)
  })

  it('a plan made for one merchant is not sent with the token of another', async () => {
    const { as, writes, home } = await sharedPlatform(both)
    const plan = join(home.HOME, 'plan')
    succeeded(await as`${shoes} tracking plan --file ${scansFile(home)} --out ${plan}`)
    expectEnd(await as`${hats} tracking push --plan ${plan}`, 2, ['made for another platform or shop'])
    expect(writes()).toEqual([])
    succeeded(await as`${shoes} tracking push --plan ${plan}`)
  })
})

it('a plan of a token for one shop is not sent with a token for another', async () => {
  const [shoes, hats] = [jwt({ shops: ['SHOES'] }), jwt({ shops: ['HATS'] })]
  const { as, writes, home } = await sharedPlatform({ [shoes]: SHOES, [hats]: HATS })
  const plan = join(home.HOME, 'plan')
  succeeded(await as`${shoes} tracking plan --file ${scansFile(home)} --out ${plan}`)
  expectEnd(await as`${hats} tracking push --plan ${plan}`, 2, ['shop not named, a token for SHOES'])
  expect(writes()).toEqual([])
})

it('a job and a plan go on with a renewed token, and a job that names no merchant with any', async () => {
  const before = jwt({ sub: 'shoes', iat: 1, exp: 4e9, jti: 'a' })
  const after = jwt({ nbf: 2, iat: 2, exp: 5e9, jti: 'b', sub: 'shoes' })
  const returnsOf: Record<string, Held[]> = { [before]: SHOES, hats: HATS }
  const { as, home, writes } = await sharedPlatform(returnsOf)
  const [file, plan] = [scansFile(home), join(home.HOME, 'plan')]
  succeeded(await as`${before} tracking plan --file ${file} --out ${plan}`)
  returnsOf[after] = SHOES
  delete returnsOf[before]
  ended(await as`${before} tracking push --file ${file}`, 4)
  succeeded(await as`${after} jobs resume --last`)
  succeeded(await as`${after} tracking push --plan ${plan}`)
  expect(writes().at(-1)?.headers.authorization).toBe(`Bearer ${after}`)
  const push = await as`${before} tracking push --file ${file} --again --json`
  const { jobId } = jsonOf(ended(push, 4))
  const info = join(home.RMA_DATA_DIR, 'jobs', jobId, 'job.json')
  const { owner, ...older } = jsonFile(info)
  expect(owner).toMatch(/^[\da-f]{16}$/)
  writeFileSync(info, JSON.stringify(older))
  succeeded(await as`hats jobs resume --last`)
})

it('a renewed token keeps the mirror and what was sent', async () => {
  const [before, after] = [
    jwt({ sub: 'shoes', scope: 'all', iat: 1, exp: 4e9, jti: 'a' }),
    jwt({ scope: 'all', iat: 2, nbf: 2, exp: 5e9, jti: 'b', sub: 'shoes' }),
  ]
  const { as, writes, home } = await sharedPlatform({ [before]: SHOES, [after]: SHOES })
  const file = scansFile(home)
  for (const token of [before, after]) await as`${token} tracking push --file ${file}`
  expect(writes()).toHaveLength(1)
  succeeded(await as`${before} mirror sync --yes`)
  expect((await as`${after} search sue --offline`).stdout).toContain('R#-S1')
})

const both = [...SHOES, ...HATS]
it.each([
  ['a token for both', jwt({ sub: 'x', shops: ['SHOES', 'HATS'] })],
  ['an opaque token', 'opaque'],
])('a mirror of all shops answers for one of them with its records only, for %s', async (_, token) => {
  const { as, server } = await sharedPlatform({ [token]: both })
  succeeded(await as`${token} mirror sync --yes --with transports,refunds`)
  const code = succeeded(await as`${token} returns get CODES1 --shop SHOES --json`)
  expect(jsonOf(code).name).toBe('R#-S1')
  ended(await as`${token} returns get CODEH1 --shop SHOES`, 5)
  for (const text of ['sue', 'hal']) {
    const { stdout } = await as`${token} search ${text} --shop SHOES --offline --json`
    expect([text, stdout.includes('R#-S1'), stdout.includes('R#-H1')]).toEqual([text, text === 'sue', false])
  }
  const stats = await as`${token} returns stats --shop SHOES --json`
  expect([stats.code, jsonOf(stats).stats[0].returns]).toEqual([0, 1])
  const completed = (shop: string[]) => as`${token} __complete fish rma returns get ${shop} R#-`
  const [ofBoth, ofShoes] = [await completed([]), await completed(typed`--shop SHOES`)]
  expect([ofBoth.stdout.match(/R#-\w+/g), ofShoes.stdout.match(/R#-\w+/g)]).toEqual([
    expect.arrayContaining(['R#-H1', 'R#-S1']),
    ['R#-S1'],
  ])
  // The whole mirror is brought up to date and loses nothing.
  server.requests.length = 0
  succeeded(await as`${token} mirror sync --full --shop SHOES`)
  expect(server.requests.filter(({ query }) => query.has('shop_code'))).toEqual([])
  expect(jsonOf(await as`${token} mirror status --json`).returns).toBe(2)
})

it('a refused copy of one shop names the shop, and hides no mirror of all shops', async () => {
  const token = jwt({ sub: 'x', shops: ['SHOES', 'HATS'] })
  const { as } = await sharedPlatform({ [token]: both })
  expectEnd(await as`${token} mirror sync --shop SHOES`, 2, ['Try: rma mirror sync --yes --shop SHOES'])
  succeeded(await as`${token} mirror sync --yes`)
  expect((await as`${token} search sue --shop SHOES --offline`).stdout).toContain('R#-S1')
})

it('a mirror of all shops loses no return to a forget that names a shop', async () => {
  const token = jwt({ sub: 'x', shops: ['SHOES', 'HATS'] })
  const { as, home, server } = await sharedPlatform({ [token]: both })
  succeeded(await as`${token} mirror sync --yes`)
  for (const what of [typed`--older-than 1d`, typed`--email hal@hats.example`, typed`--all`]) {
    const refused = await as`${token} mirror forget ${what} --yes --shop SHOES`
    expectEnd(refused, 2, ['holds more shops than SHOES.', 'without --shop, returns of all its shops'])
  }
  const env = { ...home, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: token, RMA_SHOP: 'SHOES' }
  expectEnd(await runIn(env)`mirror forget --older-than 1d --yes`, 2, ['without RMA_SHOP, returns of all'])
  expect(jsonOf(await as`${token} mirror status --json`)).toMatchObject({ returns: 2, forgotten: 0 })
  await runIn(home)`profiles add one --base-url ${server.baseUrl} --shop SHOES`
  const told = succeeded(await as`${token} mirror forget --older-than 1d --yes -p one`)
  expect(told.stderr).toMatch('holds more shops than SHOES, the shop of the profile one')
  expect(jsonOf(await as`${token} mirror status --json`).returns).toBe(0)
})

it('an export begun by one merchant is not continued by another', async () => {
  const { as, home, breakAfter } = await sharedPlatform({ shoes: SHOES, hats: HATS })
  const argv = typed`returns export --out ${join(home.HOME, 'returns.csv')} --retries 0`
  breakAfter(2)
  ended(await as`shoes ${argv}`, 7)
  breakAfter(1000)
  const other = await as`hats ${argv}`
  expectEnd(other, 2, ['is of another export'])
  succeeded(await as`shoes ${argv}`)
})

/** A platform with one profile per name and token, and a job whose only row has no known outcome. */
async function unsettledJob(
  profiles: Record<string, string>,
  returns: Record<string, (typeof SHOES)[number][]>,
) {
  const { home, server, writes, breakAfter } = await sharedPlatform(returns)
  const run = asTyped((argv, stdin: string | undefined = '') => runCli(argv, { env: home, stdin }))
  for (const [name, token] of Object.entries(profiles)) {
    await run`profiles add ${name} --environment staging --base-url ${server.baseUrl}`
    await run(typed`auth login -p ${name} --token-file - --no-verify`, token)
  }
  breakAfter(0)
  const [first = ''] = Object.keys(profiles)
  ended(await run`tracking push -p ${first} --file ${scansFile(home)} --retries 0`, 10)
  breakAfter(1000)
  return { run, writes }
}

it('a job of a token for one shop goes on under another name of the profile', async () => {
  const token = jwt({ sub: 'x', shops: ['SHOES'] })
  const { run } = await unsettledJob({ old: token, new: token }, { [token]: SHOES })
  succeeded(await run`profiles remove old --yes`)
  expectEnd(await run`jobs resume --last -p new`, 10, ['The outcome of 1 of 1 row is unknown.'])
})

it('a job of one merchant is not resumed with the profile of another', async () => {
  const { run, writes } = await unsettledJob({ shoes: 'shoes', hats: 'hats' }, { shoes: SHOES, hats: HATS })
  const sent = writes().length
  for (const verb of ['resume', 'retry']) {
    const { code, stderr } = await run`jobs ${verb} --last -p hats`
    expect([verb, code, stderr]).toEqual([verb, 2, expect.stringContaining('begun with the profile shoes')])
  }
  expect(writes()).toHaveLength(sent)
})
