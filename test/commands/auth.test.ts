import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { asTyped, ended, expectEnd, type Home, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { TEST_NOW, usePlatform } from '../helpers/platform.ts'
import { freshHome, type RunOptions, runCli } from '../helpers/run-cli.ts'
import '../../src/commands/auth/login.ts'
import '../../src/commands/auth/logout.ts'
import '../../src/commands/auth/status.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/list.ts'
import '../../src/commands/profiles/show.ts'
import '../../src/commands/returns/list.ts'

const platform = usePlatform({ returns: 20 })
let env: Home
const run = asTyped((argv, options: RunOptions = {}) => runCli(argv, { env, now: TEST_NOW, ...options }))
const settings = () => readFileSync(join(env.RMA_CONFIG_DIR, 'config.json'), 'utf8')

beforeEach(async () => {
  env = freshHome()
  await run`profiles add local --base-url ${platform.baseUrl} --use`
})

it('a command without a token ends with 4 and says how to get one', async () => {
  for (const argv of [
    ['returns', 'list'],
    ['auth', 'status'],
  ]) {
    expectEnd(await run(argv), 4, ['The profile local has no token.\nTry: rma auth login --profile local'])
  }
})

it('a profile goes through login from a file, status, use and logout', async () => {
  const file = join(env.HOME, 'token')
  const token = platform.sandbox.issueToken()
  writeFileSync(file, `${token}\n`)
  const login = succeeded(await run`auth login --token-file ${file}`)
  expect(login.stdout).toMatch(/^Signed in to local\. Shops: /)
  expect(login.stdout + login.stderr).not.toContain(token)

  const status = jsonOf(await run`auth status --json`)
  expect(status).toMatchObject({
    profile: 'local',
    baseUrl: platform.baseUrl,
    tokenFrom: 'profile local',
    shops: platform.sandbox.shops().map((shop) => shop.code),
    expiresAt: new Date(TEST_NOW + 30 * 86_400_000).toISOString(),
  })
  succeeded(await run`returns list --limit 1`)
  for (const argv of [
    ['profiles', 'show'],
    ['profiles', 'list'],
    ['auth', 'status'],
    typed`auth status -v`,
  ]) {
    const { stdout, stderr } = await run(argv)
    expect(stdout + stderr).not.toContain(token)
  }
  expect((await run`auth logout`).stdout).toMatch('Signed out of local')
  expect(settings()).not.toContain(token)
  ended(await run`returns list`, 4)
})

it('login from standard input, where "-" says so', async () => {
  const token = platform.token
  succeeded(await run(typed`auth login --token-file -`, { stdin: token }))
  expect(settings()).toContain(token)
})

it('a token that the service refuses is not stored', async () => {
  const refused = await run(typed`auth login --token-file -`, { stdin: 'aaa.bbb.ccc' })
  const { stderr } = expectEnd(refused, 4, /AU02/)
  // No later command sees a token of standard input.
  expect(stderr).not.toContain('auth status')
  expect(settings()).not.toContain('aaa.bbb.ccc')
})

it('--no-verify stores without asking the service', async () => {
  expectEnd(
    await run(typed`auth login --no-verify --token-file -`, {
      stdin: 'opaque-token',
    }),
    0,
    ['not a JWT'],
  )
  expect(settings()).toContain('opaque-token')
})

it.each([
  ['expired', () => platform.sandbox.issueToken({ lifetimeSeconds: -60 }), 4, 'expired'],
  ['empty', () => '\n', undefined, 'no token in it'],
  ['with a line break in it', () => 'abc\ndef', 4, 'line break'],
  ['with its header word', () => 'Bearer abc', 4, 'Bearer'],
])('a token that is %s is refused', async (_what, token, exitCode, message) => {
  const { code, stderr } = await run(typed`auth login --no-verify --token-file -`, {
    stdin: token(),
  })
  expect(stderr).toMatch(message)
  if (exitCode !== undefined) expect(code).toBe(exitCode)
  expect(code).not.toBe(0)
  expect(settings()).not.toContain('token')
})

it('login without a terminal and without a file ends with 2 and names the other ways', async () => {
  expectEnd(await run`auth login`, 2, ['--token-file -'])
})

it('the profile mock needs no token', async () => {
  expect((await run`auth login --profile mock`).stderr).toMatch('needs no token')
  const status = succeeded(await run`auth status --profile mock`)
  expect(status.stdout).toMatch(/Token from +not needed/)
})

it('a long-lived token with less than a day left causes a warning', async () => {
  const token = platform.sandbox.issueToken({ lifetimeSeconds: 30 * 86_400 })
  expectEnd(
    await run(typed`auth status`, {
      env: { ...env, RMA_TOKEN: token },
      now: TEST_NOW + 29.5 * 86_400_000,
    }),
    0,
    /Warning: The token expires in 12 h.*RMA_TOKEN/,
  )
})
