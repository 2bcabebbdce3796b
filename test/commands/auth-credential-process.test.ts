import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { TEST_NOW, usePlatform } from '../helpers/platform.ts'
import { freshHome, type RunOptions, runCli } from '../helpers/run-cli.ts'
import '../../src/commands/auth/login.ts'
import '../../src/commands/auth/logout.ts'
import '../../src/commands/auth/status.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/list.ts'
import '../../src/commands/profiles/remove.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/returns/list.ts'
import { expectPrivate, textFile } from '../helpers/files.ts'

const platform = usePlatform({ returns: 5 })

/** A profile whose token a shell script prints; each run of it leaves a letter in `runs`. */
async function processHome(program: string) {
  const env = freshHome()
  const home = env.HOME
  const script = join(home, 'give token.sh')
  const change = (text: string) => writeFileSync(script, `printf x >> '${join(home, 'runs')}'\n${text}\n`)
  change(program)
  const command = `/bin/sh '${script}' "$HOME"`
  const add = typed`profiles add own --base-url ${platform.baseUrl} --credential-process ${command} --use`
  succeeded(await runCli(add, { env }))
  return {
    env,
    change,
    run: asTyped((argv, { env: more, now = TEST_NOW }: RunOptions = {}) =>
      runCli(argv, { env: { ...env, ...more }, now }),
    ),
    runs: () => (existsSync(join(home, 'runs')) ? textFile(join(home, 'runs')).length : 0),
    tokens: join(env.RMA_CACHE_DIR, 'tokens'),
  }
}

const list = typed`returns list --limit 1 -o ndjson -q`
const printing = (value: unknown) => `printf %s '${JSON.stringify(value)}'`

it('a credential process runs without a shell, and its token is kept until it expires', async () => {
  const token = platform.token
  const expiresAt = new Date(TEST_NOW + 3_600_000).toISOString()
  const own = await processHome(`[ "$1" = '$HOME' ] || exit 3\n${printing({ token, expiresAt })}`)
  expect((await own.run`profiles list`).stdout).toContain('credential process')
  expect(own.runs()).toBe(0)
  expectEnd(await own.run(list), 0, '')
  succeeded(await own.run(list))
  expect(own.runs()).toBe(1)
  const [name = ''] = readdirSync(own.tokens)
  expectPrivate(join(own.tokens, name))
  expect(statSync(own.tokens).mode & 0o777).toBe(0o700)
  const status = jsonOf(await own.run`auth status --json`)
  expect(status).toMatchObject({
    tokenFrom: 'credential process of the profile own',
    tokenIn: join(own.tokens, name),
  })
  // A minute before, it may expire on its way.
  succeeded(await own.run(list, { now: TEST_NOW + 3_550_000 }))
  expect(own.runs()).toBe(2)
})

it('a credential process may print a bare token, which is kept only with an expiry', async () => {
  const own = await processHome("echo 'Touch the key' >&2; echo opaque")
  const { code, stderr } = await own.run`auth status --jq .tokenIn`
  expect({ code, stderr }).toEqual({ code: 0, stderr: 'Touch the key\n' })
  expect(existsSync(own.tokens)).toBe(false)
})

it('a credential process that prints without end is refused by name', async () => {
  // Ends by itself far beyond the limit, so that a broken limit fills no memory.
  const endless = 'head -c 12000000 /dev/zero'
  for (const program of [`exec ${endless}`, `${endless}; exit 0`]) {
    expectEnd(await (await processHome(program)).run(list), 4, [
      'of the profile own printed more than 1048576',
    ])
  }
})

it('a credential process runs again after its token was refused', async () => {
  const expiresAt = new Date(TEST_NOW + 3_600_000).toISOString()
  const own = await processHome(printing({ token: 'revoked', expiresAt }))
  expectEnd(await own.run(list), 4, ['the token comes from credential process of the profile own: renew it'])
  own.change(printing({ token: platform.token, expiresAt }))
  succeeded(await own.run(list))
})

it('a credential process runs for its profile’s origin only, and not if a token is given', async () => {
  const own = await processHome(printing({ token: 'secret-of-own' }))
  const elsewhere = ended(await own.run`${list} --base-url https://elsewhere.example/v1`, 3)
  expect(elsewhere.stderr).toContain('is not sent to https://elsewhere.example')
  succeeded(await own.run(list, { env: { RMA_TOKEN: platform.token } }))
  expect(own.runs()).toBe(0)
})

it.each([
  ['exit 7', 'ended with exit code 7'],
  ['', 'printed nothing'],
  ['echo "{broken secret"', 'not valid JSON'],
  ['echo {}', 'printed JSON without a text'],
  [printing({ token: 'secret', expiresAt: 'soon' }), 'not a time in ISO 8601'],
  ['echo two secrets', 'profile own printed no token: there is a space or a line break'],
])('a failing credential process is exit 4 and shows none of its output: %s', async (program, message) => {
  const own = await processHome(program)
  const { stdout, stderr } = expectEnd(await own.run(list), 4, [message])
  expect(stdout + stderr).not.toContain('secret')
})

it.each([
  [typed`auth logout`, 'Signed out of own: its token is forgotten.'],
  [typed`profiles set own --credential-process 'other program'`, 'Changed'],
  [typed`profiles set own --base-url https://elsewhere.example/v1`, 'Changed'],
  [typed`profiles remove own --yes`, 'Removed'],
])('%j leaves no token of a credential process behind', async (argv, said) => {
  const expiresAt = new Date(TEST_NOW + 3_600_000).toISOString()
  const own = await processHome(printing({ token: platform.token, expiresAt }))
  succeeded(await own.run(list))
  expect(readdirSync(own.tokens)).toHaveLength(1)
  expect(succeeded(await own.run(argv)).stdout).toContain(said)
  expect(readdirSync(own.tokens)).toEqual([])
})

it('a credential process replaces a stored token', async () => {
  const own = await processHome('')
  const login = ended(await own.run`auth login`, 2)
  expect(login.stderr).toContain('rma profiles set own --unset credential-process')
  succeeded(await own.run`profiles set own --unset credential-process`)
  expect((await own.run(list)).stderr).toContain('has no token')
  const open = ended(await own.run`profiles set own --credential-process "a 'b"`, 2)
  expect(open.stderr).toContain('has a quote that is not closed')
})
