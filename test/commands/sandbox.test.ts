import { expect, it } from 'vitest'
import { expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, homeAt, runCli } from '../helpers/run-cli.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/sandbox/reset.ts'
import '../../src/commands/sandbox/start.ts'
import '../../src/commands/sandbox/token.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')

it('the built-in sandbox works on a fresh machine, says so once, and stays the same', async () => {
  const env = freshHome()
  const run = () => runCli(typed`returns list --limit 5 -o json --time-zone UTC`, { env, now: NOW })
  const first = succeeded(await run())
  expect(first.stderr.match(/built-in sandbox/g)).toHaveLength(1)
  expect(jsonOf(first).returns).toHaveLength(5)
  const second = await run()
  expect(second.stdout).toBe(first.stdout)
  const elsewhere = await runCli(typed`returns list --limit 5 -o json --time-zone UTC`, {
    env: freshHome(),
    now: NOW,
  })
  expect(elsewhere.stdout).toBe(first.stdout)
})

it('sandbox reset makes other data for another seed, and the same data for the same seed', async () => {
  const env = freshHome()
  const names = async () => {
    const { stdout } = await runCli(
      typed`returns list --limit 20 --jq '.returns[] | [.name, .totalRefund] | tostring'`,
      { env, now: NOW },
    )
    return stdout
  }
  succeeded(await runCli(typed`sandbox reset --seed 1 --returns 50`, { env, now: NOW }))
  const first = await names()
  await runCli(typed`sandbox reset --seed 2 --returns 50`, { env, now: NOW })
  expect(await names()).not.toBe(first)
  await runCli(typed`sandbox reset --seed 1 --returns 50`, { env, now: NOW })
  expect(await names()).toBe(first)
})

it('sandbox token issues tokens for given shops and times', async () => {
  const env = freshHome()
  const { token, shops } = jsonOf(await runCli(typed`sandbox token --json`, { env, now: NOW }))
  expect(shops.length).toBeGreaterThanOrEqual(4)
  const claims = (text: string) => JSON.parse(Buffer.from(text.split('.')[1] ?? '', 'base64url').toString())
  expect(claims(token)).toMatchObject({
    iss: 'rma-sandbox',
    shops,
    iat: NOW / 1000,
    exp: NOW / 1000 + 30 * 86_400,
  })
  const one = await runCli(typed`sandbox token --shops ${shops[0]} --expires-in 10m`, {
    env,
    now: NOW,
  })
  expect(claims(one.stdout.trim())).toMatchObject({ shops: [shops[0]], exp: NOW / 1000 + 600 })
})

it.each([
  [typed`sandbox token --shops NOPE`, 'no shop NOPE'],
  [typed`sandbox token --expires-in soon`, '--expires-in: "soon" is not a duration'],
  [typed`sandbox reset --returns many`, '--returns'],
  [typed`sandbox start --port 70000`, '--port'],
  [typed`sandbox start --memory --data /tmp/x`, /--memory|--data/],
])('rma %j is refused', async (argv, message) => {
  expectEnd(await runCli(argv, { env: freshHome(), now: NOW }), 2, [message])
})

it('sandbox start serves until it is told to stop', async () => {
  const { baseUrl, token, stop } = await startSandbox(freshHome(), '--memory')
  expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/integration\/v1$/)
  const env = homeAt(baseUrl, { RMA_TOKEN: token })
  expect(jsonOf(await runCli(typed`returns list --json`, { env })).returns).toHaveLength(10)
  succeeded(await stop())
})

it('a port that is taken ends sandbox start with 2, said in words', async () => {
  const { baseUrl, stop } = await startSandbox(freshHome(), '--memory')
  const { port } = new URL(baseUrl)
  expectEnd(await runCli(typed`sandbox start --memory --returns 1 --port ${port}`), 2, /port|address/i)
  await stop()
})
