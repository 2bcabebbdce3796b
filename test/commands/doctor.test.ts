import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, it, onTestFinished } from 'vitest'
import { createJob } from '../../src/lib/bulk/job/job-folder.ts'
import { type Env, ended, expectEnd, jwt, succeeded, typed } from '../helpers/command-line.ts'
import { caFile, leafTls, tlsPair } from '../helpers/leaf-tls.ts'
import { freshHome, homeAt, type RunOptions, runCli, runIn } from '../helpers/run-cli.ts'
import { listening, pageOf, refusal, scriptServer } from '../helpers/script-server.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'
import '../../src/commands/auth/login.ts'
import '../../src/commands/doctor.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/tracking/push.ts'
import { expectPrivate } from '../helpers/files.ts'

interface Examined {
  id: string
  verdict: string
  observed: string
  remedies: string[]
}

async function doctor(env: Env, argv: string[] = [], options: RunOptions = {}) {
  const { code, stdout, stderr } = await runCli(typed`doctor --json ${argv}`, { ...options, env })
  const { checks }: { checks: Examined[] } = JSON.parse(stdout || '{"checks":[]}')
  const of = (id: string) => checks.find((one) => one.id === id)
  const found = checks.filter(({ verdict }) => verdict === 'found').map(({ id }) => id)
  return { code, stderr, checks, of, found }
}

/** An unsigned token of this life, in ms since the epoch. */
function tokenOf(issuedMs: number, expiresMs: number) {
  return jwt({ iat: Math.floor(issuedMs / 1000), exp: Math.floor(expiresMs / 1000) })
}

/** Names and contents of the files of a bundle. */
const bundleIn = (file: string) =>
  Object.entries(unzipSync(readFileSync(file))).map(([name, bytes]) => [name, strFromU8(bytes)])

const HOUR_MS = 3_600_000
const fresh = () => tokenOf(Date.now() - HOUR_MS, Date.now() + 400 * 24 * HOUR_MS)
const page = pageOf([])
const on = (baseUrl: string, more: Env = {}) => homeAt(baseUrl, { RMA_TOKEN: fresh(), ...more })

it('the doctor finds nothing on a new machine, and leaves nothing there', async () => {
  const env = freshHome()
  const { found, of } = succeeded(await doctor(env))
  expect(found).toEqual([])
  expect(of('settings.values')?.observed).toBe('profile mock (default), the built-in sandbox')
  expect(readdirSync(env.HOME)).toEqual([])
})

it('the doctor finds nothing on a healthy platform, and names what it checked', async () => {
  const { baseUrl, token, stop } = await startSandbox(freshHome(), '--memory')
  onTestFinished(async () => void (await stop()))
  const { found, of } = succeeded(await doctor(homeAt(baseUrl, { RMA_TOKEN: token })))
  expect(found).toEqual([])
  expect(of('platform.supports')?.observed).toMatch(/^\d+ essential checks hold/)
  expect(of('token.accepted')?.observed).toMatch(/^accepted, \d+ returns$/)
  const other = await doctor(homeAt(baseUrl, { RMA_TOKEN: token, RMA_SHOP: 'NOPE' }))
  expect(other.found).toEqual(['token.accepted'])
  expect(other.of('token.accepted')).toMatchObject({
    observed: 'it does not cover the shop NOPE (RMA_SHOP)',
    remedies: [expect.stringContaining('rma auth status')],
  })
})

it('the doctor reports a dead server once, and exits with 9', async () => {
  const server = await scriptServer(() => ({}))
  await server.close()
  const { found, stderr } = ended(await doctor(on(server.baseUrl), typed`--retries 5`), 9)
  expect(found).toEqual(['platform.address'])
  expect(JSON.parse(stderr).error).toMatchObject({ kind: 'partial', exitCode: 9 })
})

it.each([
  [
    'a page of HTML',
    () => ({ body: '<html>' }),
    '',
    /not as the platform does \(HTTP 200\)/,
    /\/integration\/v1$/,
  ],
  [
    'a wrong prefix',
    () => ({ status: 404, body: { error: 'no' } }),
    '/v1',
    /HTTP 404.*\/integration\/v1/,
    /^RMA_BASE_URL=/,
  ],
  [
    'a login page elsewhere',
    () => ({ status: 302, headers: { location: 'https://login.example/x?token=1' } }),
    '',
    /leads away to https:\/\/login\.example \(HTTP 302\)/,
    /^RMA_BASE_URL=/,
  ],
  ['an error of its own', () => ({ status: 503 }), '', /HTTP 503/, /wait/],
])('names what answers in place of the platform: %s', async (_what, answer, path, observed, remedy) => {
  const server = await scriptServer(answer)
  const { of } = ended(await doctor(on(server.baseUrl + path)), 9)
  expect(of('platform.address')?.observed).toMatch(observed)
  expect(of('platform.address')?.remedies[0]).toMatch(remedy)
})

it('the doctor names the variable, flag or profile that gave a wrong address', async () => {
  const env = on('http://nowhere.invalid/v1')
  const { of } = await doctor(env)
  expect(of('network.dns')?.remedies[0]).toContain('RMA_BASE_URL=URL')
  expect(of('network.tls')?.remedies).toEqual(['RMA_BASE_URL=https://nowhere.invalid/v1'])
  const server = await scriptServer(() => ({ status: 404 }))
  const byFlag = await doctor(env, typed`--base-url ${server.baseUrl}`)
  const prefix = `${new URL(server.baseUrl).origin}/integration/v1`
  expect(byFlag.of('platform.address')?.remedies).toEqual([`--base-url ${prefix}`])
  const home = freshHome()
  const profile = typed`profiles add live --environment production --base-url ${server.baseUrl}`
  succeeded(await runCli(profile, { env: home }))
  const byProfile = await doctor(home, typed`--profile live`)
  expect(byProfile.of('platform.address')?.remedies).toEqual([`rma profiles set live --base-url ${prefix}`])
})

it('the doctor distinguishes a refused token from an expired one', async () => {
  const server = await scriptServer(() => refusal('AU02', 'The token is not valid', 401))
  const refused = await doctor(on(server.baseUrl))
  expect(refused.found).toEqual(['token.accepted'])
  expect(refused.of('token.accepted')?.remedies[0]).toBe('put another into RMA_TOKEN')
  const expired = await doctor(on(server.baseUrl, { RMA_TOKEN: tokenOf(0, Date.now() - HOUR_MS) }))
  expect(expired.found).toEqual(['token.expiry'])
  expect(expired.of('token.expiry')?.observed).toMatch(/^The token expired 60 min ago/)
  // It is not sent: the look is made without it.
  expect(server.requests.at(-1)?.headers.authorization).toBeUndefined()
})

it('the doctor names a token that may not read returns', async () => {
  const server = await scriptServer(() => refusal('AU03', 'Not allowed', 403))
  const { found, of } = await doctor(on(server.baseUrl))
  expect(found).toEqual(['token.accepted'])
  expect(of('token.accepted')?.observed).toBe('the token may not read returns')
})

it.each([-1, 1])('judges clock and token by the time that the server tells (%i h)', async (hours) => {
  const server = await scriptServer(() => ({ body: page }))
  const env = on(server.baseUrl, {
    RMA_TOKEN: tokenOf(Date.now() - HOUR_MS / 2, Date.now() + 400 * 24 * HOUR_MS),
  })
  const { found, of } = await doctor(env, [], { now: Date.now() + hours * HOUR_MS })
  expect(found).toContain('platform.clock')
  expect(of('platform.clock')?.observed).toBe(
    `this machine's clock is 60 min ${hours > 0 ? 'ahead of' : 'behind'} the platform's`,
  )
  expect(of('token.expiry')?.verdict).toBe('ok')
})

it('the doctor skips the clock check if the server’s time is invalid', async () => {
  const server = await scriptServer(() => ({ body: page, headers: { date: 'yesterday' } }))
  expect((await doctor(on(server.baseUrl))).of('platform.clock')?.verdict).toBe('skip')
})

it('the doctor names an untrusted certificate and the reason', async () => {
  const old = await scriptServer(() => ({ body: page }), { tls: tlsPair('expired') })
  const { of } = await doctor(on(old.baseUrl), typed`--ca-file ${caFile}`)
  expect(of('network.tls')?.observed).toMatch('CERT_HAS_EXPIRED')
  const good = await scriptServer(() => ({ body: page }), { tls: leafTls })
  expect((await doctor(on(good.baseUrl))).of('network.tls')?.remedies[0]).toMatch('--ca-file')
  const trusted = await doctor(on(good.baseUrl), typed`--ca-file ${caFile}`)
  expect(trusted.of('network.tls')).toMatchObject({
    verdict: 'ok',
    observed: expect.stringMatching(/^TLSv1\.3, .* days$/),
  })
})

it('the doctor names a server without TLS, and skips TLS for a name that can’t be resolved', async () => {
  const { baseUrl } = await scriptServer(() => ({ body: page }))
  const plain = await doctor(on(baseUrl.replace('http:', 'https:')))
  expect(plain.of('network.tls')?.observed).toMatch(/^No secure connection to 127\.0\.0\.1:\d+: ERR_SSL_\w+$/)
  const { of, found } = await doctor(on(`https://${'a'.repeat(64)}.example`))
  expect(found).toContain('network.dns')
  expect(of('network.tls')).toMatchObject({ verdict: 'skip', observed: 'the name leads nowhere' })
})

it('the doctor distinguishes a refusing proxy from a refusing platform', async () => {
  const proxy = http.createServer().on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
  })
  const port = await listening(proxy)
  onTestFinished(() => void proxy.close())
  const { of } = await doctor(
    on('https://platform.example', { HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}` }),
  )
  expect(of('network.proxy')).toMatchObject({
    verdict: 'found',
    observed: expect.stringMatching(/HTTP 407$/),
  })
  expect(JSON.stringify(of('network.proxy'))).not.toContain('secret')
})

it('the doctor reports unreadable settings, and continues with the rest', async () => {
  const env = freshHome()
  mkdirSync(env.RMA_CONFIG_DIR, { recursive: true })
  const file = join(env.RMA_CONFIG_DIR, 'config.json')
  writeFileSync(file, '{"profiles": [{', { mode: 0o644 })
  chmodSync(file, 0o644)
  const { of, found } = ended(await doctor({ ...env, RMA_PROFLE: 'x' }), 9)
  expect(found).toEqual(['settings.values', 'settings.variables', 'files.settings'])
  expect(of('settings.values')?.remedies).toContain('correct the file by hand')
  expect(of('settings.variables')?.remedies).toEqual(['did you mean RMA_PROFILE?'])
  expect(of('files.settings')?.remedies).toEqual([`chmod 600 ${file}`])
  ended(await doctor(freshHome(), typed`--timeout soon`), 2)
})

it('knows every variable that the help documents', async () => {
  const { stdout } = succeeded(await runCli(typed`help environment`))
  const documented = stdout.match(/\bRMA_[A-Z_]+/g) ?? []
  const { of } = await doctor({ ...Object.fromEntries(documented.map((name) => [name, ''])), ...freshHome() })
  expect(documented).toContain('RMA_PAGER')
  expect(of('settings.variables')?.verdict).toBe('ok')
})

it('names folders that others may look into, or write in', async () => {
  const env = freshHome()
  const [data = '', config = ''] = [env.RMA_DATA_DIR, env.RMA_CONFIG_DIR]
  for (const folder of [data, config]) mkdirSync(folder)
  chmodSync(data, 0o750)
  chmodSync(config, 0o770)
  const { of } = await doctor(env)
  expect(of('files.data')?.remedies).toEqual([`chmod go-rwx ${data}`])
  expect(of('files.config')?.remedies).toEqual([`chmod go-w ${config}`])
})

it('the doctor names traps of shell and locale', async () => {
  const home = freshHome()
  const env = {
    ...home,
    SHELL: '/bin/zsh',
    LC_ALL: 'de_DE.ISO-8859-1',
    NODE_TLS_REJECT_UNAUTHORIZED: '0',
  }
  writeFileSync(join(home.HOME, '.zshrc'), 'setopt EXTENDED_GLOB autocd\n')
  const { found, of } = await doctor(env)
  expect(found).toEqual(['system.shell', 'system.locale'])
  expect(of('system.locale')?.remedies).toEqual(['export LC_ALL=C.UTF-8'])
})

it('the doctor names jobs whose run was killed, and the command to resume them', async () => {
  const env = freshHome()
  const input = { path: 'a.csv', sha256: '0', options: {} }
  const job = { input, options: {}, total: 3 }
  const made = await createJob(join(env.RMA_DATA_DIR, 'jobs'), job, {
    now: new Date(),
    random: () => 0.5,
  })
  const { found, of } = await doctor(env)
  expect(found).toEqual(['jobs.unfinished'])
  expect(of('jobs.unfinished')?.remedies).toEqual([`rma jobs resume ${made.id}`])
})

it('the doctor asks npm for a newer version, and accepts that there is none', async () => {
  const env = freshHome()
  const bin = join(env.HOME, 'bin')
  const npm = (script: string) => writeFileSync(join(bin, 'npm'), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
  mkdirSync(bin)
  npm('[ "$1 $2 $3" = "view rma-cli version" ] && echo \'"99.0.1"\'')
  const newer = (await doctor({ ...env, PATH: `${bin}:/usr/bin:/bin` })).of('system.version')
  expect(newer).toMatchObject({ verdict: 'found', remedies: ['npm install -g rma-cli'] })
  npm('echo "E404 is 9.9.9" >&2; exit 1')
  expect((await doctor({ ...env, PATH: `${bin}:/usr/bin:/bin` })).of('system.version')?.verdict).toBe('skip')
})

it('writes a bundle without tokens, personal data and names, listed before, never over another file', async () => {
  const secret = fresh()
  const home = freshHome()
  const env = {
    ...home,
    USER: 'mariana',
    HTTPS_PROXY: 'http://mariana:pr0xy@127.0.0.1:1',
    ALL_PROXY: 'bob:hunter2@127.0.0.1:2',
    NODE_AUTH_TOKEN: 'npm_S3cret',
    RMA_ADMIN_PASSWORD: 'adm1n',
    NO_PROXY: '127.0.0.1',
  }
  const server = await scriptServer(() =>
    refusal('XX00', `ana@example.com sent ${secret} from ${hostname()}`),
  )
  const add = typed`profiles add live --environment staging --base-url ${server.baseUrl}`
  succeeded(await runCli(add, { env }))
  const login = typed`auth login --profile live --token-file - --no-verify`
  succeeded(await runCli(login, { env, stdin: 'opaque-token-1' }))
  const file = join(home.HOME, 'support.zip')
  const run = (...argv: string[]) =>
    doctor({ ...env, RMA_TOKEN: secret }, typed`--profile live --bundle ${file} ${argv}`)
  const first = await run('--quiet')
  expect(first.stderr).toMatch(/^In .*support\.zip.*:\n {2}checks\.json, \d+ characters\n/)
  expectPrivate(file)
  const files = bundleIn(file)
  expect(files.map(([name]) => name)).toEqual(['checks.json', 'settings.json', 'system.json'])
  const text = files.join('\n')
  for (const hidden of [
    secret,
    'opaque-token-1',
    'mariana',
    'pr0xy',
    'hunter2',
    'npm_S3cret',
    'adm1n',
    'ana@example.com',
    home.HOME,
    hostname(),
  ])
    expect(text).not.toContain(hidden)
  expect(text).toContain('"RMA_TOKEN": "***"')
  expect(text).toMatch(/"ALL_PROXY": "\*{3}/)
  writeFileSync(file, 'mine')
  expectEnd(await run(), 2, ['--force replaces the file', 'choose another place with --bundle'])
  expect(readFileSync(file, 'utf8')).toBe('mine')
  await run('--force')
  expect(readFileSync(file).length).toBeGreaterThan(100)
  ended(await run('--bundle', `${file}.txt`), 2)
  expect(existsSync(`${file}.txt`)).toBe(false)
})

it('tells of settings that can not be read in a bundle, too, without the password in them', async () => {
  const home = freshHome()
  const file = join(home.HOME, 'support.zip')
  const env = {
    ...home,
    RMA_BASE_URL: 'https://me:hunt@er2@x.example/v1',
    HTTPS_PROXY: 'http://me:p@ss2@127.0.0.1:1',
  }
  const { found } = ended(await doctor(env, typed`--bundle ${file}`), 9)
  expect(found).toEqual(['settings.values'])
  const files = bundleIn(file)
  expect(files.map(([name]) => name)).toEqual(['checks.json', 'system.json'])
  expect(files.join()).not.toMatch(/hunt|er2|ss2/)
})

it.each([
  'postgres://u:hun/ter2@h/db',
  'postgres://u@h/db?password=hunter2',
  'host=db user=u password=hunter2',
])('keeps the password of RMA_DATABASE out of messages and a bundle: %s', async (database) => {
  const home = freshHome()
  const file = join(home.HOME, 'support.zip')
  const env = { ...home, RMA_DATABASE: database }
  const run = await runIn(env)`doctor --bundle ${file}`
  const files = bundleIn(file)
  expect([run.stdout, run.stderr, ...files].join()).not.toMatch(/hunter2|ter2/)
})

it('takes the token of a credential process for one, and keeps what the process is given out of a bundle', async () => {
  const env = freshHome()
  const run = runIn(env)
  const server = await scriptServer(() => ({ status: 200, body: page }))
  const file = join(env.HOME, 'support.zip')
  const giving = (token: string) => `'${process.execPath}' -p '"${token}"' pin=4711`
  const set = (token: string) => run`profiles set own --credential-process ${giving(token)}`
  await run`profiles add own --base-url ${server.baseUrl} --use`
  await set(fresh())
  expect((await doctor(env)).of('token.expiry')?.observed).toMatch(/^valid until .*credential process/)
  await set('')
  const without = await doctor(env, typed`--bundle ${file}`)
  expect(without.of('token.expiry')).toMatchObject({
    verdict: 'found',
    observed: expect.stringContaining('printed'),
  })
  const files = bundleIn(file)
  expect(files.join()).not.toContain('4711')
  expect(without.of('settings.values')?.observed).toMatch(/, token by a credential process$/)
})

it('names the profile, its address and shop, and where its token comes from', async () => {
  const env = freshHome()
  const { baseUrl } = await scriptServer(() => ({ status: 200, body: page }))
  const observed = async (more = {}) => (await doctor({ ...env, ...more })).of('settings.values')?.observed
  await runIn(env)`profiles add live --base-url ${baseUrl} --shop LUMBRE-ES --protected --use`
  const values = `profile live (rma profiles use), ${baseUrl}, shop LUMBRE-ES, protected`
  expect(await observed()).toBe(`${values}, no token`)
  expect(await observed({ RMA_TOKEN: fresh() })).toBe(`${values}, token from RMA_TOKEN`)
  await runCli(typed`auth login --token-file - --no-verify`, { env, stdin: fresh() })
  expect(await observed()).toBe(`${values}, token in the settings file`)
})

it('names folders in full on a small terminal', async () => {
  const env = freshHome()
  const { stdout } = await runCli(typed`doctor -q`, { env, columns: 80 })
  expect(stdout).not.toMatch(/…$/m)
  expect(stdout.replaceAll(/\n +/g, '')).toContain(env.RMA_DATA_DIR)
})
