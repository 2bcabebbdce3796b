import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { asTyped, expectEnd, type Home, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, runCli } from '../helpers/run-cli.ts'
import '../../src/commands/auth/status.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/list.ts'
import '../../src/commands/profiles/remove.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/profiles/show.ts'
import '../../src/commands/profiles/use.ts'
import '../../src/commands/returns/list.ts'

let env: Home
const run = asTyped((argv) => runCli(argv, { env }))
const settingsFile = () => join(env.RMA_CONFIG_DIR, 'config.json')

const URL = 'https://returns.example/integration/v1'
const add = asTyped(([name, ...flags]) => run`profiles add ${name} --base-url ${URL} ${flags}`)

beforeEach(() => {
  env = freshHome()
})

it('mock is the current profile from the start', async () => {
  const { stdout } = succeeded(await run`profiles list`)
  expect(stdout).toMatch(/^ +NAME.*\n\* +mock +mock +built-in sandbox +not needed\n$/)
})

it('profiles are added, chosen, changed, shown and removed', async () => {
  expect((await add`staging --environment staging --shop MODA --use`).stdout).toMatch(
    'Added the profile staging (staging). It is in use now.',
  )
  const shown = jsonOf(await run`profiles show --json`)
  expect(shown).toEqual({
    name: 'staging',
    environment: 'staging',
    baseUrl: URL,
    shop: 'MODA',
    isCurrent: true,
    protected: false,
    hasToken: false,
  })
  expect((await run`profiles show`).stdout).toMatch(/^CURRENT +\*\nNAME +staging\n/)
  await run`profiles set staging --unset shop --time-zone Europe/Madrid --protected`
  expect(jsonOf(await run`profiles show staging --json`)).toMatchObject({
    timeZone: 'Europe/Madrid',
    protected: true,
  })
  expect(jsonOf(await run`profiles show staging --json`)).not.toHaveProperty('shop')
  expect((await run`profiles use mock`).stdout).toMatch('Commands use the profile mock')
  const refused = await run`profiles remove staging`
  expectEnd(refused, 2, /protected.*\nTry: --yes/)
  await run`profiles use staging`
  succeeded(await run`profiles remove staging --yes`)
  expect(jsonOf(await run`profiles show --json`)).toMatchObject({ name: 'mock', isCurrent: true })
  expect(jsonOf(await run`profiles list --json`).map((one: { name: string }) => one.name)).toEqual(['mock'])
})

it('profiles accept a database without a password, and show none', async () => {
  const refused = await add`team --database postgres://ops:secret@db.example.com/returns`
  expectEnd(refused, 2, ['takes no password'])
  await add`team --database postgres://ops@db.example.com/returns`
  const edited = readFileSync(settingsFile(), 'utf8').replace('ops@', 'ops:secret@')
  writeFileSync(settingsFile(), edited)
  expect(jsonOf(await run`profiles show team --json`).database).toBe('postgres://ops@db.example.com/returns')
})

it('profiles accept lists with blanks, and \\n as a line end', async () => {
  const several = typed`--label-hosts 'a.example, b.example' --signature 'Ana\\nReturns'`
  await add`staging ${several} --default-columns 'rma returns list = name, status'`
  expect(jsonOf(await run`profiles show staging --json`)).toMatchObject({
    labelHosts: ['a.example', 'b.example'],
    signature: 'Ana\nReturns',
    defaultColumns: { 'returns list': ['name', 'status'] },
  })
})

it('profiles show has the signature and the reply templates in its table and in CSV', async () => {
  await add`staging --signature 'Ana\\nReturns' --reply-templates /tmp/replies`
  const { stdout } = succeeded(await run`profiles show staging`)
  expect(stdout).toMatch(/^SIGNATURE +Ana.*Returns$/m)
  expect(stdout).toMatch(/^REPLY TEMPLATES +\/tmp\/replies$/m)
  const csv = await run`profiles show staging -o csv --columns signature,reply-templates --no-headers`
  expect(csv.stdout).toBe('"Ana\nReturns",/tmp/replies\r\n')
})

it('profiles show that the token is in the keyring, and keep its address', async () => {
  const kept = { name: 'kept', environment: 'staging', baseUrl: URL, keyring: true }
  mkdirSync(env.RMA_CONFIG_DIR)
  writeFileSync(settingsFile(), JSON.stringify({ profiles: [kept] }))
  expect(jsonOf(await run`profiles show kept --json`)).toMatchObject({ hasToken: true, tokenIn: 'keyring' })
  expectEnd(await run`profiles set kept --base-url https://other.example`, 2, ['rma auth logout'])
})

it('production is protected unless the profile says otherwise', async () => {
  await add`live --environment production`
  await add`open --environment production --no-protected`
  await add`later`
  await run`profiles set later --environment production`
  const rows: { name: string; protected: boolean }[] = jsonOf(await run`profiles list --json`)
  expect(rows.map((row) => [row.name, row.protected])).toEqual([
    ['mock', false],
    ['live', true],
    ['open', false],
    ['later', true],
  ])
})

it('profile values given to a command do not apply to that call', async () => {
  await add`staging`
  expectEnd(await run`profiles set staging --base-url https://other.example/integration/v1`, 0, '')
})

it.each([
  [['profiles', 'use', 'stagin'], 3, /no profile "stagin".*did you mean staging.*mock, staging/s],
  [['profiles', 'remove', 'stagin'], 3, 'no profile "stagin"'],
  [typed`profiles set stagin --shop ES01`, 3, 'no profile "stagin"'],
  [['profiles', 'show', '__proto__'], 3, 'no profile "__proto__"'],
  [typed`profiles set staging --shop ${''}`, 2, /--shop: "" must not be empty|shop must not be empty/],
  [typed`profiles add staging --base-url ${URL}`, 3, 'exists already'],
  [typed`profiles add a/b --base-url ${URL}`, 2, 'name'],
  [typed`profiles add dev --base-url ftp://x`, 2, /ftp|http/],
  [['profiles', 'add', 'dev'], 2, 'baseUrl is missing\nTry: set it with --base-url'],
  [
    typed`profiles add dev --base-url ${URL} --environment prod`,
    2,
    '--environment: "prod" is not one of mock, development',
  ],
  [typed`profiles set staging --time-zone Mars/Olympus`, 2, /timeZone|time-zone/],
  [['profiles', 'set', 'staging'], 2, 'Nothing to change'],
  [typed`profiles set mock --base-url ${URL}`, 2, 'mock'],
  [['profiles', 'remove', 'mock'], 3, 'always there'],
  [typed`returns list --profile nope`, 3, 'no profile "nope"'],
])('rma %j is refused', async (argv, exitCode, message) => {
  await add`staging`
  const before = readFileSync(settingsFile())
  const { code, stderr } = await run`${argv}`
  expect(stderr).toMatch(message)
  expect(code).toBe(exitCode)
  expect(readFileSync(settingsFile())).toEqual(before)
})

it('a broken settings file: exit 3, its path, what to do, and not a byte of it changed', async () => {
  mkdirSync(env.RMA_CONFIG_DIR, { recursive: true })
  const broken = '{"profiles": [{"name": "live", "tok'
  writeFileSync(settingsFile(), broken)
  for (const argv of [
    ['returns', 'list'],
    ['profiles', 'list'],
    typed`profiles add x --base-url ${URL}`,
    ['auth', 'status'],
  ]) {
    expectEnd(await run`${argv}`, 3, [settingsFile(), 'Try: '])
    expect(readFileSync(settingsFile(), 'utf8')).toBe(broken)
  }
})
