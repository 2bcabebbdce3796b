import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFile } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { homeAt, runCli } from '../helpers/run-cli.ts'
import { type Answer, type Handler, refusal, scriptServer } from '../helpers/script-server.ts'
import '../../src/commands/api.ts'
import '../../src/commands/returns/list.ts'

const platform = usePlatform({ returns: 501 })

async function service(script: readonly (Answer | Handler)[] | Handler) {
  const server = await scriptServer(script)
  const env = () => homeAt(`${server.baseUrl}/v1`, { RMA_TOKEN: 'secret' })
  return {
    ...server,
    run: asTyped((argv, stdin: string | undefined) => runCli(argv, { env: env(), stdin })),
  }
}

it('rma api reads like the command, with all pages in one document', async () => {
  const all = succeeded(await platform.run`api GET /returns --paginate`)
  const { returns, pageInfo } = jsonOf(all)
  expect(pageInfo.totalRecords).toBe(501)
  expect(new Set(returns.map(({ id }: { id: string }) => id)).size).toBe(501)
  const closed = await platform.run`api get returns -f status=CLOSED -F limit=3 --jq .returns[].status`
  expect(closed.stdout).toBe('CLOSED\nCLOSED\nCLOSED\n')
  const some = await platform.run`api GET /returns?status=EXPIRED&limit=7 --paginate`
  const list = await platform.run`returns list --status EXPIRED --all --json`
  const listed = jsonOf(list).returns
  expect(listed.length).toBeGreaterThan(7)
  expect(jsonOf(some).returns).toEqual(listed)
})

it('rma api sends all of a query that holds further question marks', async () => {
  const { run, requests } = await service([{ body: {} }, { body: {} }])
  for (const more of [[], ['--paginate']])
    succeeded(await run`api GET ${'/returns?name=what?x&status=PENDING'} ${more}`)
  expect(requests.map(({ query }) => [query.get('name'), query.get('status')])).toEqual([
    ['what?x', 'PENDING'],
    ['what?x', 'PENDING'],
  ])
})

it('an error is JSON if -o stands among other short flags', async () => {
  const { run } = await service([{ status: 404 }])
  const { stderr } = ended(await run`api GET /none -qo json`, 5)
  expect(JSON.parse(stderr).error.kind).toBe('not-found')
})

it('rma api refuses input that is not UTF-8, and sends nothing', async () => {
  const { run, requests } = await service([])
  const input = newFile('latin.json', Buffer.from('{"name":"Jos\xe9"}', 'latin1'))
  expectEnd(await run`api POST /shipping_labels --input ${input}`, 2, [
    `${input} is not UTF-8`,
    'save it again in UTF-8',
  ])
  expect(requests).toEqual([])
})

it('rma api refuses --shop, and says how to send a shop', async () => {
  const { run, requests } = await service([])
  expectEnd(await run`api GET /returns --shop S`, 2, ['adds no shop', '-f shop_code=S'])
  expect(requests).toEqual([])
})

it.each(['GET /returns', 'POST /pudos'])(
  'rma api %s says how to send a shop that is needed',
  async (line) => {
    const { run } = await service([refusal('SC01')])
    const { stderr } = expectEnd(await run`api ${line.split(' ')}`, 6, [
      'Try: -f shop_code=CODE, or -f shopCode=CODE',
    ])
    expect(stderr).not.toContain('--shop')
  },
)

it('rma api --paginate leaves an answer without pages as it came, with a warning', async () => {
  const { id } = jsonOf(await platform.run`api GET /returns?limit=1`).returns[0]
  const one = await platform.run`api GET /returns/${id} --paginate`
  expect(jsonOf(one).id).toBe(id)
  expect(one.stderr).toMatch(/^Warning: --paginate: the answer has no pageInfo .*\n$/)
})

it.each([
  [[], 250, '0 returns were read, the service counts 250'],
  [[{ id: '1' }, { id: '2' }], 99_999, '2 returns were read, the service counts 99999, 2 came twice'],
])('rma api --paginate warns if pages of %j do not add up to %i', async (returns, totalRecords, facts) => {
  const { run } = await service(() => ({
    body: { returns, pageInfo: { totalRecords, totalPages: totalRecords } },
  }))
  const { stdout, stderr } = succeeded(await run`api GET /returns --paginate`)
  expect(JSON.parse(stdout).returns).toEqual(returns)
  expect(stderr).toContain(`Warning: The returns changed while they were read: ${facts}`)
})

it.each([
  [typed`-f a=1 -F b=1.25 -F c=true -F d=null -F e=x=y`, '{"a":"1","b":1.25,"c":true,"d":null,"e":"x=y"}'],
  [
    typed`-f to[city]=Vigo -f to[zip]=01234 -F n[]=1 -F n[]=2`,
    '{"to":{"city":"Vigo","zip":"01234"},"n":[1,2]}',
  ],
  [
    ['-F', 'i[][sku]=A', '-F', 'i[][quantity]=2', '-F', 'i[][sku]=B'],
    '{"i":[{"sku":"A","quantity":2},{"sku":"B"}]}',
  ],
  [typed`-f __proto__=x`, '{"__proto__":"x"}'],
  [[], ''],
])('rma api makes a body of fields: %j', async (fields, body) => {
  const { run, requests } = await service([{ body: {} }])
  succeeded(await run`api POST things ${fields}`)
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/v1/things', text: body })
  expect(requests[0]?.headers.authorization).toBe('Bearer secret')
})

it('rma api sends a file with fields as parameters, and shows the answer’s head', async () => {
  const file = newFile('body.json', '{"amount": 1234567890.12345678901}')
  const { run, requests } = await service([{ body: { ok: true }, headers: { 'x-request-id': 'r1' } }])
  const result = await run`api PUT /things --input ${file} -f 'q=a b' -i`
  expect(requests[0]).toMatchObject({ url: '/v1/things?q=a+b', text: '{"amount":1234567890.12345678901}' })
  expect(result.stdout).toMatch(/^HTTP 200\n(.+\n)*x-request-id: r1\n(.+\n)*\n\{\n {2}"ok": true\n\}\n$/)
})

it('rma api reads a field from a file or from standard input', async () => {
  const { run, requests } = await service([{ body: {} }])
  await run(typed`api POST x -F text=@-`, 'two\nlines')
  expect(requests[0]?.json).toEqual({ text: 'two\nlines' })
})

it.each([
  ['no method', ['api', 'GRAB', '/x'], /not a method/],
  ['another host', ['api', 'GET', 'https://elsewhere.example/x'], /relative to the base URL/],
  ['another host without a scheme', ['api', 'GET', '//elsewhere.example/x'], /relative to the base URL/],
  ['a field without a value', typed`api POST x -f a`, /KEY=VALUE/],
  ['contradicting fields', typed`api POST x -f a=1 -f a[b]=2`, /-f a\[b\]/],
  ['pages of a write', typed`api POST x --paginate`, /GET only/],
  ['a body of a read', typed`api GET x --input -`, /has no body/],
  ['a body that is not JSON', typed`api POST x --input -`, /is not JSON/],
])('rma api refuses %s, before anything is sent', async (_name, argv, message) => {
  const { run, requests } = await service(() => ({ body: {} }))
  const result = await run(argv, '{')
  expect(result).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) })
  expect(requests).toEqual([])
})

it('rma api follows the rules of writes: dry run, protected profiles, no blind repetition', async () => {
  const { run, requests } = await service([{ fault: 'reset' }])
  const dry = await run`api POST x -f a=1 -n --json`
  expect(jsonOf(dry)).toMatchObject({ method: 'POST', body: { a: '1' } })
  expect(requests).toHaveLength(0)
  ended(await run`api POST x`, 10)
})

it('rma api reports errors as every command does', async () => {
  const missing = ended(await platform.run`api GET /returns/1 --json`, 5)
  expect(JSON.parse(missing.stderr).error).toMatchObject({ kind: 'not-found', errors: [{ code: 'RT01' }] })
})

it.each([
  [
    'POST',
    '/tracking',
    / POST \/tracking may have been taken\.\nTry: look before .*: rma returns get RETURN\n/,
  ],
  ['PUT', '/shipping_labels', /may have been taken\.\nTry: look before .*: rma labels get SHIPMENT\n/],
  ['GET', '/returns', /^Error: Interrupted\.\n$/m],
])(
  'Ctrl-C while a %s of %s is under way: exit 130, and how to see what a write has done',
  async (method, path, words) => {
    const interrupt = new AbortController()
    const server = await scriptServer(() => {
      interrupt.abort()
      return { fault: 'hang' }
    })
    const env = homeAt(server.baseUrl, { RMA_TOKEN: 'secret' })
    expectEnd(
      await runCli(typed`api ${method} ${path} -q`, {
        env,
        interrupt: interrupt.signal,
      }),
      130,
      [words],
    )
  },
)
