import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { expectPrivate, jsonFile, newFolder } from '../helpers/files.ts'
import { freshHome, runCli, runIn } from '../helpers/run-cli.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/sandbox/faults.ts'
import '../../src/commands/sandbox/requests.ts'
import '../../src/commands/sandbox/reset.ts'
import '../../src/commands/sandbox/start.ts'
import '../../src/commands/sandbox/token.ts'

const places = (dir: string) => readdirSync(dir).filter((name) => /^sandbox-\w+-\d+\.json$/.test(name))

describe('the sandbox inside the command', () => {
  const env = freshHome()
  const run = runIn(env)
  const list = (...argv: string[]) => run`returns list --json --retries 0 ${argv}`

  it('the built-in sandbox has faults too, which count over commands and end with a reset', async () => {
    await run`sandbox reset --returns 5 --yes`
    const fault = typed`--add 'GET /returns' --kind 500 --after 1 --count 2 --id broken`
    const added = await run`sandbox faults --json ${fault}`
    expectEnd(added, 0, `Faults of the sandbox in ${env.RMA_DATA_DIR}\n`)
    const codes: number[] = []
    for (const _time of [1, 2, 3, 4]) codes.push((await list()).code)
    expect(codes).toEqual([0, 7, 7, 0])
    expect((await list()).stderr).not.toContain('faults')
    const inForce = async () => jsonOf(await run`sandbox faults --json`).faults
    expect(await inForce()).toMatchObject([{ id: 'broken', seen: 5, hits: 2 }])
    const gone = await run`sandbox faults --remove nothing`
    expectEnd(gone, 5, ['There is no fault nothing'])
    await run`sandbox reset --returns 5 --yes`
    expect(await inForce()).toEqual([])
  })

  it('a fault that kills the connection is counted, and a server has the same faults', async () => {
    await run`sandbox faults --add '* *' --kind reset --count 2`
    const failed = ended(await list(), 7)
    expect(failed.stderr).toContain('It has faults in force: 1 (rma sandbox faults lists them)')
    const server = await startSandbox(env)
    const table = await run`sandbox faults -o csv --columns route,seen,hits`
    expect(table.stdout).toBe('route,seen,hits\r\n* *,1,1\r\n')
    expect((await run`sandbox faults --clear`).stdout).toBe('')
    expect((await server.stop()).stderr).toContain('Faults in force: 1')
    expect((await list()).stderr).not.toContain('faults')
  })
})

it('a reset applies to the running sandbox, and leaves the data of the profile mock alone', async () => {
  const env = freshHome()
  const run = runIn(env)
  const ofMock = async () => jsonOf(await run`returns list --json`).returns
  succeeded(await run`sandbox reset --returns 10`)
  const before = await ofMock()
  const server = await startSandbox(env, '--memory')
  const ofServer = async () => {
    const client = { ...env, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: server.token }
    return jsonOf(await runIn(client)`returns list --json`).returns
  }
  succeeded(await run`sandbox reset --returns 7`)
  expect(await ofServer()).toHaveLength(7)
  const named = typed`sandbox reset --returns 5 --base-url ${server.baseUrl}`
  succeeded(await run`${named}`)
  expect(await ofServer()).toHaveLength(5)
  succeeded(await server.stop())
  expectEnd(await run`${named}`, 7, [`No sandbox of this machine is running at ${server.baseUrl}`])
  expect(await ofMock()).toEqual(before)
})

describe('a sandbox that runs', () => {
  const env = freshHome()
  const run = runIn(env)
  let started: Awaited<ReturnType<typeof startSandbox>>
  const faults = asTyped(async (argv) => {
    const { code, stdout, stderr } = await run`sandbox faults --json ${argv}`
    return { code, stderr, list: code === 0 ? JSON.parse(stdout).faults : [] }
  })
  beforeAll(async () => {
    started = await startSandbox(env, '--memory')
  })
  afterAll(async () => {
    succeeded(await started.stop())
    expect(places(env.RMA_CACHE_DIR)).toEqual([])
  })

  it('a running sandbox tells its address to its owner only', () => {
    const dir = env.RMA_CACHE_DIR
    const [file = ''] = places(dir)
    expectPrivate(join(dir, file))
    expect(jsonFile(join(dir, file))).toMatchObject({
      baseUrl: started.baseUrl,
      pid: process.pid,
    })
  })

  it('faults are added, take effect, and show their hits', async () => {
    expect(await faults``).toMatchObject({ code: 0, list: [] })
    const added = await faults`--add 'GET /returns' --kind 500 --id broken --count 1`
    expect(added.list).toMatchObject([
      { id: 'broken', route: 'GET /returns', kind: '500', rate: 1, count: 1 },
    ])
    const client = { ...env, RMA_BASE_URL: started.baseUrl, RMA_TOKEN: started.token }
    const run = runIn(client)
    ended(await run`returns list --json --retries 0`, 7)
    succeeded(await run`returns list --json`)
    expect((await faults``).list).toMatchObject([{ seen: 2, hits: 1 }])

    const requests = await run`sandbox requests --json --last 2`
    expect(jsonOf(requests).requests).toMatchObject([
      { method: 'GET', path: '/returns', status: 500, faultId: 'broken' },
      { method: 'GET', path: '/returns', status: 200, faultId: null },
    ])
    const table = await run`sandbox requests --status 5xx --route 'GET *'`
    expect(table.stdout).toMatch(/PATH.+\/returns +500 .+broken/s)
    expect((await faults`--remove broken`).list).toEqual([])
  })

  it('sandbox requests --follow shows requests until it is interrupted', async () => {
    const get = async (path: string) => void (await (await fetch(started.baseUrl + path)).text())
    await get('/returns/0')
    const end = new AbortController()
    const followed = typed`sandbox requests --follow --last 1 --status 401 -o ndjson`
    const paths = (text: string) => [...text.matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path)
    const result = runCli(followed, {
      env,
      interrupt: end.signal,
      onOutput: (stdout) => {
        const seen = paths(stdout)
        if (seen.length === 1)
          void get('/returns')
            .then(() => get('/nowhere'))
            .then(() => get('/returns/1'))
        if (seen.length === 3) end.abort()
      },
    })
    const { code, stdout, stderr } = await result
    expect([code, paths(stdout)], stderr).toEqual([130, ['/returns/0', '/returns', '/returns/1']])
    const csv = await run`sandbox requests --last 1 -o csv --no-headers`
    expect(csv.stdout).toContain('/returns/1')
  })

  it('--file replaces all faults, and a reset removes them', async () => {
    const file = join(env.HOME, 'faults.json')
    const late = { route: '* /returns*', kind: 'late', delayMs: 5 }
    writeFileSync(file, JSON.stringify([late, { route: 'PUT *', kind: '429', retryAfterForm: 'date' }]))
    await faults`--add '* *' --kind reset --rate 0`
    expect((await faults`--file ${file}`).list).toMatchObject([late, { kind: '429' }])
    expect((await faults`--add '* *' --kind html --with status=200`).list).toHaveLength(3)
    expect((await run`sandbox faults`).stdout).toMatch(/ID .*ROUTE .*HITS/)
    expect((await faults`--clear`).list).toEqual([])
    const stdin = `${'['.repeat(2000)}${']'.repeat(2000)}`
    expectEnd(await runCli(typed`sandbox faults --file -`, { env, stdin }), 2, /nested deeper/)
  })

  it('--file takes the faults that were listed, with counts that start anew', async () => {
    await faults`--add 'GET /returns' --kind 500 --id broken --rate 0.5 --count 3`
    await (await fetch(`${started.baseUrl}/returns`)).text()
    const { stdout } = await run`sandbox faults --json`
    const [listed] = JSON.parse(stdout).faults
    expect(listed).toMatchObject({ id: 'broken', seen: 1 })
    await faults`--clear`
    const again = succeeded(await runCli(typed`sandbox faults --json --file -`, { env, stdin: stdout }))
    expect(JSON.parse(again.stdout).faults).toEqual([{ ...listed, seen: 0, hits: 0 }])
    await faults`--clear`
  })

  it('--remove of an unknown fault removes none of the others', async () => {
    await faults`--add '* *' --kind reset --id first`
    expect(await faults`--remove first --remove nope`).toMatchObject({
      code: 5,
      stderr: expect.stringContaining('There is no fault nope'),
    })
    expect((await faults``).list).toMatchObject([{ id: 'first' }])
    expect(await faults`--remove first --remove first`).toMatchObject({ code: 0, list: [] })
  })

  it.each([
    [typed`--kind reset`, 2, '--kind goes with --add'],
    [typed`--add '* *'`, 2, '--add needs --kind'],
    [typed`--add '* *' --kind rest`, 2, 'did you mean reset'],
    [typed`--add '* *' --kind reset --rate half`, 2, /rate.*must be of type number/],
    [typed`--add '* *' --kind reset --with delayMs`, 2, 'not NAME=VALUE'],
    [typed`--add '* *' --kind reset --with delayMs=5`, 2, 'goes with late'],
    [typed`--clear --remove x`, 2, /--clear|--remove/],
    [typed`--remove nothing`, 5, 'no fault nothing'],
    [typed`--file /nowhere.json`, 2, 'no such file'],
  ])('%j is refused', async (argv, code, message) => {
    const result = await faults`${argv}`
    expect(result.code).toBe(code)
    expect(result.stderr).toMatch(message)
    expect((await faults``).list).toEqual([])
  })

  it('the base URL selects one of several sandboxes', async () => {
    const other = await startSandbox(env, '--memory')
    const ambiguous = ended(await run`sandbox faults`, 2)
    expect(ambiguous.stderr).toMatch('Several sandboxes')
    expect(ambiguous.stderr).toContain(`--base-url ${other.baseUrl}`)
    const token = (...at: string[]) => run`sandbox token ${at}`
    expect((await token()).stderr).toMatch('Several sandboxes')
    const issued = (await token('--base-url', other.baseUrl)).stdout.trim()
    const statusAt = async (baseUrl: string) =>
      (await fetch(`${baseUrl}/returns`, { headers: { authorization: `Bearer ${issued}` } })).status
    expect([await statusAt(other.baseUrl), await statusAt(started.baseUrl)]).toEqual([200, 401])
    const added = await faults`--base-url ${other.baseUrl} --add '* *' --kind 503`
    expect(added.list).toHaveLength(1)
    expect((await faults`--base-url ${started.baseUrl}`).list).toEqual([])
    await other.stop()
  })
})

it('sandbox start accepts faults and a limit, and --data finds it again', async () => {
  const env = freshHome()
  const run = runIn(env)
  const dir = newFolder()
  const file = join(dir, 'faults.json')
  writeFileSync(file, '[{"id":"h","route":"GET /returns","kind":"html","count":1}]')
  const { baseUrl, token, stop } = await startSandbox(
    env,
    '--data',
    dir,
    '--rate-limit',
    '2/m',
    '--faults',
    file,
  )
  onTestFinished(async () => void (await stop()))
  const get = async () => {
    const answer = await fetch(`${baseUrl}/returns`, { headers: { authorization: `Bearer ${token}` } })
    return [answer.status, answer.headers.get('x-sandbox-fault'), answer.headers.get('ratelimit')]
  }
  expect(await get()).toEqual([502, 'h; kind=html', null])
  expect(await get()).toEqual([200, null, expect.stringContaining('r=0')])
  expect((await get())[0]).toBe(429)
  ended(await run`sandbox requests`, 7)
  const asked = await run`sandbox requests --base-url ${baseUrl} -o csv`
  expect(succeeded(asked).stdout).toContain('/returns')
  expect((await run`sandbox faults --data ${dir}`).stdout).toMatch('html')
})

it('a missing sandbox is reported with a remedy', async () => {
  expectEnd(
    await runIn(freshHome())`sandbox requests`,
    7,
    /No sandbox of this machine is running.\n.*Try: rma sandbox start/s,
  )
})

it('a sandbox whose process died is recognized, and its remains removed by the next', async () => {
  const env = freshHome()
  const run = runIn(env)
  const dir = env.RMA_DATA_DIR
  mkdirSync(dir, { recursive: true })
  const dead = {
    pid: 4_194_305,
    host: hostname(),
    alive: '.rma-none-0123456789abcdef.alive',
    baseUrl: 'http://127.0.0.1:1/integration/v1',
    controlUrl: 'x',
    controlToken: 'x',
  }
  writeFileSync(join(dir, 'sandbox-4194305-1.json'), JSON.stringify(dead))
  const result = ended(await run`sandbox requests`, 7)
  expect(result.stderr).toMatch('process 4194305 ended unexpectedly')
  const { stop } = await startSandbox(env)
  expect(places(dir)).toHaveLength(1)
  succeeded(await run`sandbox faults`)
  await stop()
  expect(places(dir)).toEqual([])
})

it.each([
  [typed`--host 0.0.0.0`, '--allow-remote'],
  [typed`--rate-limit fast`, '--rate-limit: "fast"'],
  [typed`--faults /nowhere`, 'no such file'],
])('start %j is refused', async (argv, message) => {
  expectEnd(await runCli(typed`sandbox start --memory --returns 1 --port 0 ${argv}`), 2, [message])
})
