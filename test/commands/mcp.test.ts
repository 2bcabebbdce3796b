import { existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, expectEnd, jwt, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { labelReturn, labelService } from '../helpers/label-service.ts'
import { type DemoReturn, usePlatform } from '../helpers/platform.ts'
import { freshHome, homeAt, runCli, runIn } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/mcp.ts'

const platform = usePlatform()

interface Answer {
  isError?: boolean
  content: { text: string }[]
  /** Text of the first content. */
  text: string
  /** Absent in errors. */
  data: Record<string, unknown> | undefined
}

interface Connected {
  env?: Env
  /** Answers each question; without it the client can't ask. */
  answer?: (question: string) => 'accept' | 'decline' | Promise<'accept' | 'decline'>
  interrupt?: AbortSignal
}

/** The SDK's own client of a server in this process. */
async function connect(argv: string[] = [], { env = platform.env(), answer, interrupt }: Connected = {}) {
  const client = new Client(
    { name: 'test', version: '1' },
    { capabilities: answer === undefined ? {} : { elicitation: {} } },
  )
  const asked: string[] = []
  if (answer !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message)
      return { action: await answer(params.message), content: { confirm: true } }
    })
  }
  const streams = { stdin: new PassThrough(), stdout: new PassThrough() }
  const served = runCli(['mcp', ...argv], { env, streams, interrupt })
  // The transport of a server is that of a client whose streams are swapped.
  await client.connect(new StdioServerTransport(streams.stdout, streams.stdin))
  onTestFinished(async () => {
    streams.stdin.end()
    await served
  })
  const { tools } = await client.listTools()
  const call = async (name: string, given: Record<string, unknown> = {}): Promise<Answer> => {
    const answer = await client.callTool({ name, arguments: given })
    const { isError, content } = answer as unknown as Pick<Answer, 'isError' | 'content'>
    const text = content[0]?.text ?? ''
    return { isError, content, text, data: isError ? undefined : JSON.parse(text) }
  }
  return { client, offered: tools, tools: valuesOf(tools, 'name'), call, asked, served, streams }
}

const READS = ['search', 'get', 'explain', 'list', 'methods', 'points', 'labels', 'stuck', 'stats']

/** A return with a label whose customer wrote something. */
async function described() {
  const one = (await platform.returns()).find(
    ({ returnLineItems, activeTransportation }) =>
      activeTransportation?.carrierLabel &&
      returnLineItems.some(({ returnReason }) => returnReason?.additionalInfo),
  )
  if (one === undefined) throw new Error('no such return among the demo data')
  return one
}
const requests = () => platform.sandbox.requests({}).length

it('an assistant reads all there is, typed, and sees nobody’s data', async () => {
  const env = platform.env()
  const { tools, call } = await connect([], { env })
  expect(tools).toEqual(READS)
  // Only the person agrees to a copy of everything.
  expect((await call('stuck')).text).toMatch(
    /^The first copy puts names.*\nTry: ask the person to run rma mirror sync/,
  )
  succeeded(await runIn(env)`mirror sync --yes`)
  const [returns, one] = [await platform.returns(), await described()]
  const { name } = one
  const results = await Promise.all([
    call('search', { text: one.customer.email, limit: 3 }),
    call('get', { return: name, fields: ['*'] }),
    call('explain', { return: name }),
    call('list', { limit: 50, status: 'PENDING' }),
    call('methods', { return: name, tier: 'gold' }),
    call('points', { return: name, limit: 2 }),
    call('stuck'),
    call('stats', { by: ['status'] }),
  ])
  expect(results.map(({ isError, text }) => isError && text)).toEqual(results.map(() => undefined))
  expect(results[7]?.data).toMatchObject({
    stats: expect.arrayContaining([
      expect.objectContaining({
        by: 'all',
        requestToRefund: { count: expect.any(Number), p50: expect.any(Number) },
      }),
    ]),
    unread: expect.any(Number),
  })
  const text = JSON.stringify(results)
  for (const { customer, returnLineItems } of returns) {
    const words = returnLineItems.flatMap(({ returnReason }) => returnReason?.additionalInfo || [])
    for (const hidden of [
      customer.fullName,
      customer.email,
      customer.phone,
      customer.address.line1,
      ...words,
    ])
      expect(text).not.toContain(hidden)
  }
  const [got] = (results[1]?.data?.returns ?? []) as DemoReturn[]
  expect(got).toMatchObject({
    name,
    customer: { email: '***', fullName: expect.stringMatching(/^(\p{L}\. ?)+$/u) },
  })
})

it('an assistant gets at most 8 kB unasked per tool, no repetition, and fields as requested', async () => {
  const env = platform.env()
  succeeded(await runIn(env)`mirror sync --yes`)
  const { offered, call } = await connect([], { env })
  const { name } = await described()
  const given: Record<string, Record<string, unknown>> = {
    search: { text: 'a' },
    methods: { tier: 'gold' },
  }
  for (const { name: tool, inputSchema } of offered) {
    const args = { ...(inputSchema.required?.includes('return') && { return: name }), ...given[tool] }
    const { content, isError } = await call(tool, args)
    expect([tool, isError, content]).toEqual([tool, undefined, expect.anything()])
    expect([tool, JSON.stringify(content).length < 8192]).toEqual([tool, true])
    const text = valuesOf(content, 'text').join('\n')
    expect([tool, text]).toEqual([tool, expect.not.stringMatching(/ --[a-z]|\brma [a-z]+ [a-z]/)])
    expect([tool, Object.keys(inputSchema.properties ?? {})]).toEqual([
      tool,
      expect.arrayContaining(['fields', 'limit']),
    ])
  }
  expect(valuesOf(offered, 'outputSchema')).toEqual(offered.map(() => undefined))
  const { data, content } = await call('list', {
    limit: 2,
    fields: ['name', 'customer.address.countryCode', 'nme'],
  })
  expect(data?.returns).toEqual(
    Array(2).fill({ name: expect.any(String), customer: { address: { countryCode: expect.any(String) } } }),
  )
  expect(content[1]?.text).toMatch(/^Unknown fields: nme\. Known: id, shopCode, name/)
  expect((await call('stuck', { limit: 1 })).content.at(-1)?.text).toMatch(
    /^1 of \d+ stuck: limit takes up to 50/,
  )
  const lost = await call('get', { return: 'LU999999' })
  expect(lost.text).toMatch(/\nTry: search \{"text":"LU999999"\}$/)
})

it('an assistant sees revealed data, with customers’ words marked', async () => {
  const { call } = await connect(typed`--reveal --customer-text`)
  const returns = await platform.returns()
  const one = returns.find((record) => record.returnLineItems[0]?.returnReason?.additionalInfo)
  const got = await call('get', { return: one?.name, fields: ['*'] })
  expect(got.data).toMatchObject({ returns: [{ customer: { email: one?.customer.email } }] })
  const words = one?.returnLineItems[0]?.returnReason?.additionalInfo
  expect(JSON.stringify(got.data)).toContain(`"additionalInfo":{"untrustedText":${JSON.stringify(words)}}`)
})

it('an assistant is told which points are closed for a time, and which methods customers do not see', async () => {
  const { call } = await connect()
  const domestic = ({ shopCode, customer }: DemoReturn) =>
    shopCode === 'LUMBRE-ES' && customer.address.countryCode === 'ES'
  const one = (await platform.returns()).find(domestic)
  const { points } = (await call('points', { return: one?.name })).data as { points: object[] }
  const named = { timeZone: expect.any(String), temporarilyClosed: expect.any(Boolean) }
  expect(points).toEqual(points.map(() => expect.objectContaining(named)))
  const methods = (await call('methods', { return: one?.name, tier: 'gold' })).data?.returnMethods
  expect(methods).toContainEqual(expect.objectContaining({ code: 'SUPPORT_PICKUP', visible: false }))
})

const pending = async () => {
  const returns = await platform.returns()
  const found = returns.find(
    ({ activeTransportation }) => activeTransportation?.carrierServiceCode === 'SBX_STANDARD',
  )
  return (found ?? returns[0])?.name ?? ''
}
const report = async () => ({ return: await pending(), status: 'SHIPPING_IN_PROGRESS', shop: 'LUMBRE-ES' })

it('write tools are hidden and refused without --allow-write or a client that can ask', async () => {
  const [unasked, mute] = [
    await connect([], { answer: () => 'accept' }),
    await connect(['--allow-write', '--root', newFolder()]),
  ]
  for (const { tools, call } of [unasked, mute]) {
    expect(tools).toEqual(READS)
    await expect(call('report_tracking', await report())).rejects.toThrow('There is no tool')
  }
})

it('writes are made when the person says yes, and only so many', async () => {
  const answers: ('accept' | 'decline')[] = ['decline', 'accept', 'accept']
  const root = newFolder()
  const { tools, call, asked } = await connect(typed`--allow-write --root ${root} --max-writes 1`, {
    answer: () => answers.shift() ?? 'accept',
  })
  expect(tools).toEqual([...READS, 'create_label', 'report_tracking'])
  const name = await pending()
  const before = requests()
  const writes = () =>
    platform.sandbox
      .requests({})
      .filter(({ method, path }) => method === 'POST' && path.endsWith('/shipping_labels'))
  const given = { return: name, folder: 'today' }
  expect((await call('create_label', given)).text).toMatch('did not confirm')
  expect([writes(), readdirSync(root), requests() > before]).toEqual([[], [], true])
  const made = await call('create_label', given)
  expect(made.data).toMatchObject({
    files: [{ path: expect.stringMatching(/^today\/.*\.pdf$/) }],
  })
  expect(existsSync(join(root, 'today'))).toBe(true)
  expect((await call('create_label', given)).text).toMatch(/^This session has made its 1 writes/)
  expect(asked).toHaveLength(2)
  expect(asked[1]).toMatch(
    /^Make a shipping label\? It may cost money\.\nrma labels create .*--for=.*\nOn http.*Write 1 of 1/,
  )
})

it('writes about an ended transport are refused with both ids', async () => {
  const find = async (query: string) => {
    const returns = await platform.returns(`shop_code=LUMBRE-ES&${query}`)
    return returns.find(({ activeTransportation }) => activeTransportation?.status === 'REQUESTED')
  }
  const { name = '', activeTransportation } = (await find('status=PENDING')) ?? {}
  const ended = activeTransportation?.id
  const lost = typed`tracking push ${name} --shop LUMBRE-ES --status SHIPPING_FAILED`
  succeeded(await platform.run(lost))
  const { call } = await connect(['--allow-write'], { answer: () => 'accept' })
  const writes = () => platform.sandbox.requests({}).filter(({ method }) => method === 'POST').length
  const before = writes()
  const given = { return: `${name}-T${ended}`, status: 'SHIPPING_COMPLETED', shop: 'LUMBRE-ES' }
  const { isError, text } = await call('report_tracking', given)
  const active = (await find(`name=${encodeURIComponent(name)}`))?.activeTransportation?.id
  expect([isError, text]).toEqual([true, expect.stringContaining(`transport ${ended} of`)])
  expect(text).toContain(`its active one is ${active}`)
  expect([active === undefined || active === ended, writes()]).toEqual([false, before])
})

it('writes are refused under a protected profile, before anything is served', async () => {
  const env = freshHome()
  const add = typed`profiles add live --environment production --base-url https://platform.example`
  succeeded(await runCli(add, { env }))
  const { stdout } = expectEnd(
    await runIn(env)`mcp -p live --allow-write`,
    2,
    /^Error: The profile live is protected/,
  )
  expect(stdout).toBe('')
})

const UPDATE = { return: 'R#-1', status: 'SHIPPING_IN_PROGRESS', shop: 'A' }

type Call = Awaited<ReturnType<typeof connect>>['call']
const expectApplied = async (call: Call) =>
  expect((await call('report_tracking', UPDATE)).data).toMatchObject({ applied: true })

/** A platform that takes an update at once, or 300 ms after `onUpdate` was called. */
const place = (onUpdate?: () => void) => {
  const returns = [{ id: '1', name: 'R#-1', shopCode: 'A', ecommerceOrder: { id: 'o', name: '1' } }]
  return scriptServer(({ method }) => {
    if (method !== 'POST') return { body: pageOf(returns, 1) }
    onUpdate?.()
    return { body: { statusCode: 'OK' }, delayMs: onUpdate && 300 }
  })
}

const [before, after] = ['shoes', 'hats'].map((sub) => jwt({ sub }))
async function expectChanged(call: Call, update: Record<string, unknown>) {
  const { isError, text } = await call('report_tracking', update)
  expect([isError, text]).toEqual([
    true,
    expect.stringMatching(/^The settings changed since this was started for profile live/),
  ])
  expect((await call('list', { limit: 1 })).isError).toBe(true)
}

it.each<[what: string, change: (other: string) => readonly [argv: string[], stdin?: string]]>([
  [
    'address and token',
    (other) => [typed`auth login -p live --base-url ${other} --token-file - --no-verify`, after],
  ],
  ['shop', () => [typed`profiles set live --shop B`]],
  ['merchant', () => [typed`auth login -p live --token-file - --no-verify`, after]],
])(
  'a server whose profile changes its %s writes and reads nothing anywhere, not even a confirmed write',
  async (_, change) => {
    const [one, other] = [await place(), await place()]
    const env = freshHome()
    const add = typed`profiles add live --environment staging --base-url ${one.baseUrl} --shop A`
    succeeded(await runCli(add, { env }))
    const login = typed`auth login -p live --token-file - --no-verify`
    succeeded(await runCli(login, { env, stdin: before ?? '' }))
    const { call, asked } = await connect(typed`-p live --allow-write`, {
      env,
      answer: async (): Promise<'accept'> => {
        const [argv, stdin = ''] = change(other.baseUrl)
        expectEnd(await runCli(argv, { env, stdin }), 0, expect.anything())
        one.requests.length = 0
        return 'accept'
      },
    })
    await expectChanged(call, { ...UPDATE, shop: undefined })
    expect(asked).toHaveLength(1)
    expect([...one.requests, ...other.requests]).toEqual([])
  },
)

it('a server that gets its token from a program goes on for no other merchant, and for its own', async () => {
  const server = await place()
  const env = freshHome()
  const token = join(newFolder(), 'token')
  const print = (sub: string, exp: number) =>
    writeFileSync(token, JSON.stringify({ token: jwt({ sub, exp }), expiresAt: '2020-01-01T00:00:00Z' }))
  const add = typed`profiles add live --environment staging --base-url ${server.baseUrl}`
  succeeded(await runCli([...add, '--credential-process', `cat ${token}`], { env }))
  writeFileSync(token, '')
  let next = () => print('shoes', 5e9)
  const { call } = await connect(typed`-p live --allow-write`, {
    env,
    answer: () => {
      next()
      server.requests.length = 0
      return 'accept'
    },
  })
  // A program that fails at the start, such as one of a locked vault, is asked again.
  expect((await call('list')).isError).toBe(true)
  print('shoes', 4e9)
  await expectApplied(call)
  next = () => print('hats', 5e9)
  await expectChanged(call, UPDATE)
  expect(server.requests).toEqual([])
})

it('a server goes on with a renewed token of the same merchant', async () => {
  const server = await place()
  const env = freshHome()
  const add = typed`profiles add live --environment staging --base-url ${server.baseUrl}`
  succeeded(await runCli(add, { env }))
  const login = (exp: number) => {
    const argv = typed`auth login -p live --token-file - --no-verify`
    return runCli(argv, { env, stdin: jwt({ sub: 'shoes', exp }) })
  }
  await login(4e9)
  const { call } = await connect(typed`-p live --allow-write`, { env, answer: () => 'accept' })
  await login(5e9)
  expect((await call('list', { limit: 1 })).isError).toBeFalsy()
  await expectApplied(call)
})

it('a cancelled call takes its question back, so that the next write is asked about', async () => {
  const answers = [new Promise<'accept'>(() => {}), 'accept' as const]
  const server = await place()
  const { client, call, asked } = await connect(['--allow-write'], {
    env: homeAt(server.baseUrl),
    answer: () => answers.shift() ?? 'decline',
  })
  const cancelled = new AbortController()
  const first = client.callTool({ name: 'report_tracking', arguments: UPDATE }, undefined, {
    signal: cancelled.signal,
  })
  await expect.poll(() => asked.length).toBe(1)
  cancelled.abort()
  await expect(first).rejects.toThrow()
  await expectApplied(call)
})

it('a server that ends does not wait for an earlier purchase that is open', async () => {
  const service = await labelService({
    returns: [labelReturn('R#-1')],
    insteadOfMaking: () => ({ fault: 'reset' }),
  })
  const stop = new AbortController()
  const { call, served } = await connect(typed`--allow-write --root ${newFolder()}`, {
    env: homeAt(service.baseUrl),
    answer: () => 'accept',
    interrupt: stop.signal,
  })
  const given = { return: 'R#-1', carrierService: 'TEST' }
  expect((await call('create_label', given)).text).toMatch(/^It is not known whether/)
  const looks = () => service.requests.filter(({ path }) => path === '/shipping_labels').length
  const before = looks()
  const second = call('create_label', given)
  await expect.poll(looks).toBeGreaterThan(before + 2)
  stop.abort()
  expect((await second).text).toMatch(/^Interrupted/)
  await served
  expect(service.posts()).toHaveLength(1)
})

it('a server that ends answers about an update that is on its way', async () => {
  const stop = new AbortController()
  const server = await place(() => stop.abort())
  const { call } = await connect(['--allow-write'], {
    env: homeAt(server.baseUrl),
    answer: () => 'accept',
    interrupt: stop.signal,
  })
  await expectApplied(call)
})

it('an oversized message ends the session, and an update on its way is still answered', async () => {
  let flood = () => {}
  const server = await place(() => flood())
  const { call, served, streams } = await connect(['--allow-write'], {
    env: homeAt(server.baseUrl),
    answer: () => 'accept',
  })
  flood = () => streams.stdin.write('x'.repeat(2_000_000))
  await expectApplied(call)
  expectEnd(await served, 2, /^Error: A message is longer than/)
})

it('no question is put about a label that is only a registered code', async () => {
  const service = await labelService({ returns: [labelReturn('R#-1')] })
  service.made.set('R#-1-T1', [
    { carrierServiceCode: 'TEST', shippingLabels: [{ carrierTrackingCode: 'ONLY' }] },
  ])
  const { call, asked } = await connect(typed`--allow-write --root ${newFolder()}`, {
    env: homeAt(service.baseUrl),
    answer: () => 'accept',
  })
  const { isError, text } = await call('create_label', { return: 'R#-1', carrierService: 'TEST' })
  expect([isError, text]).toEqual([true, expect.stringMatching(/has a tracking code \(ONLY\), but no label/)])
  expect(asked).toEqual([])
})

it('hostile input of MCP clients reaches no other folder, flag, profile or file', async () => {
  const root = newFolder()
  mkdirSync(join(root, 'labels'))
  symlinkSync('/tmp', join(root, 'labels', 'away'))
  const asked: string[] = []
  const { call } = await connect(typed`--allow-write --root ${root}`, {
    answer: (question) => {
      asked.push(question)
      return 'decline'
    },
  })
  const folders = [
    '../up',
    '/etc',
    'a/../../b',
    'a\\..\\b',
    '.',
    '',
    'a\0b',
    '-n',
    'labels/away',
    'labels/away/x',
  ]
  for (const folder of folders) {
    const { isError, text } = await call('create_label', { return: 'LU105189', folder })
    expect([folder, isError, text]).toEqual([folder, true, expect.stringContaining('folder')])
  }
  expect(asked).toEqual([])
  const before = requests()
  const refused = [
    ['get', { return: '-' }],
    ['get', { return: 'a\nb' }],
    ['get', { return: '\u202e\u0007' }],
    ['get', { return: 'x'.repeat(201) }],
    ['get', { return: ['LU105189'] }],
    ['get', { return: { toString: 'LU105189' } }],
    ['get', {}],
    ['get', { return: 'LU105189', reveal: true }],
    ['get', JSON.parse('{"return":"LU105189","constructor":1}')],
    ['list', { limit: 51 }],
    ['list', { limit: '5' }],
    ['list', { limit: null }],
    ['list', { limit: 1.5 }],
    ['list', { all: true }],
    ['list', { createdFrom: '7d --all' + '\0' }],
    ['points', { return: 'LU105189', rangeKm: 1e308 }],
    ['points', {}],
    ['methods', { return: 'LU105189' }],
    ['get', { return: 'LU105189', fields: [] }],
    ['stuck', { limit: 0 }],
    ['methods', { return: 'LU105189', tier: 'gold', from: '/etc/passwd' }],
    ['report_tracking', { return: 'LU105189', status: 'PENDING; rm' }],
    ['create_label', { return: 'LU105189', another: true }],
    ['create_label', { return: 'LU105189', force: true }],
  ]
  for (const [tool, given] of refused) {
    expect([tool, given, (await call(tool, given)).isError]).toEqual([tool, given, true])
  }
  expect(requests()).toBe(before)
  // Words that look like flags stay the name of a return that there is not.
  for (const name of typed`--token-file=/etc/passwd -n '$(id); id' constructor`) {
    const { isError, text } = await call('get', { return: name })
    expect([name, isError, text]).toEqual([name, true, expect.stringMatching(/^No return/)])
  }
  for (const tool of ['api', 'profiles', 'auth', 'mirror', 'watch', '__proto__', 'constructor', 'toString'])
    await expect(call(tool)).rejects.toThrow('There is no tool')
}, 90_000)
