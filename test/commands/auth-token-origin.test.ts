import { networkInterfaces } from 'node:os'
import { expect, it } from 'vitest'
import { asTyped, type Env, ended, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, runCli, runIn } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'
import '../../src/commands/auth/login.ts'
import '../../src/commands/auth/logout.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/profiles/show.ts'
import '../../src/commands/returns/list.ts'

const LIST = typed`returns list --limit 1 -o json`
const addProfile = (env: Env, baseUrl: string) =>
  runIn(env)`profiles add live --environment staging --base-url ${baseUrl} --use`

it("a profile's token goes to the profile's origin only: exit 3 names both, and nothing is sent", async () => {
  const env = freshHome()
  const run = runIn(env)
  const home = await scriptServer(() => ({ body: pageOf([]) }))
  const other = await scriptServer(() => ({ body: pageOf([]) }))
  await addProfile(env, home.baseUrl)
  const login = (...argv: string[]) =>
    runCli(typed`auth login --token-file - ${argv}`, { env, stdin: 'secret-of-live' })
  succeeded(await login())

  const byVariable = { ...env, RMA_BASE_URL: `${other.baseUrl}/v2` }
  const runs = [
    await runCli(LIST, { env: byVariable }),
    await run`${LIST} --base-url ${other.baseUrl}`,
    // The token that is checked here would be kept as the profile's.
    await login('--base-url', other.baseUrl),
  ]
  for (const { code, stderr } of runs) {
    expect(code).toBe(3)
    expect(stderr).toContain(home.baseUrl)
    expect(stderr).toContain(other.baseUrl)
    expect(stderr).not.toContain('secret-of-live')
  }
  expect(other.requests).toEqual([])

  // Another path of the same origin, and a token from where the address comes from.
  succeeded(await run`${LIST} --base-url ${home.baseUrl}/v2`)
  succeeded(await runCli(LIST, { env: { ...byVariable, RMA_TOKEN: 'other' } }))
  expect(other.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer other'])
})

it('a profile with a token keeps its origin: another address is refused', async () => {
  const env = freshHome()
  await addProfile(env, 'https://returns.example/v1')
  const run = asTyped((argv) => runCli(argv, { env, stdin: 'secret-of-live' }))
  const baseUrl = async () => (await run`profiles show live --jq .baseUrl`).stdout.trim()
  await run`auth login --no-verify --token-file -`
  const moved = ended(await run`profiles set live --base-url https://elsewhere.example/v1`, 2)
  expect(moved.stderr).toMatch('is for https://returns.example, not for https://elsewhere.example')
  expect(moved.stderr).toContain('rma auth logout --profile live')
  succeeded(await run`profiles set live --base-url https://returns.example/v2`)
  expect(await baseUrl()).toBe('https://returns.example/v2')
  succeeded(await run`auth logout`)
  succeeded(await run`profiles set live --base-url https://elsewhere.example/v1`)
})

it('the command printed by sandbox start works unchanged, under another profile too', async () => {
  const env = freshHome()
  await addProfile(env, 'https://live.example.com')
  const sandbox = await startSandbox(env)
  const { stderr } = await sandbox.stop()
  const [, baseUrl, token] = /export RMA_BASE_URL=(\S+) RMA_TOKEN=(\S+)\n/.exec(stderr) ?? []
  expect([baseUrl, token]).toEqual([sandbox.baseUrl, sandbox.token])
})

it("a sandbox's token may go over plain http to an address given by hand, with one warning", async () => {
  const [address] = Object.values(networkInterfaces())
    .flat()
    .filter((one) => one?.family === 'IPv4' && !one.internal)
    .map((one) => one?.address)
  // A machine without a network has no address but loopback; there the refusal alone is shown.
  const host = address ?? '192.0.2.1'
  const env = freshHome()
  const sandbox = await startSandbox(env, '--memory', '--host', address ?? '127.0.0.1', '--allow-remote')
  try {
    const baseUrl = sandbox.baseUrl.replace('127.0.0.1', host)
    const given = { ...env, RMA_BASE_URL: baseUrl, RMA_TOKEN: sandbox.token }
    if (address !== undefined) {
      const taken = succeeded(await runCli(LIST, { env: given }))
      expect(taken.stderr.match(/Warning: .*readable to everyone/g)).toHaveLength(1)
    }
    const foreign = await runCli(LIST, { env: { ...given, RMA_TOKEN: 'eyJh.eyJzdWIiOiJ4In0.x' } })
    expectEnd(foreign, 3, ['nothing was sent'])
    await addProfile(env, baseUrl)
    ended(await runCli(LIST, { env: { ...env, RMA_TOKEN: sandbox.token } }), 3)
  } finally {
    await sandbox.stop()
  }
})

it('a token that was tried out at one address is not kept for another that the profile got meanwhile', async () => {
  const env = freshHome()
  const other = await scriptServer(() => ({ body: pageOf([]) }))
  const home = await scriptServer(async () => {
    succeeded(await runIn(env)`profiles set live --base-url ${other.baseUrl}`)
    return { body: pageOf([]) }
  })
  await addProfile(env, home.baseUrl)
  const login = await runCli(typed`auth login --token-file -`, { env, stdin: 'secret-of-live' })
  expectEnd(login, 3, ['base URL of the profile live has changed meanwhile'])
  expect((await runCli(LIST, { env })).stderr).toContain('has no token')
  expect(other.requests).toEqual([])
})
