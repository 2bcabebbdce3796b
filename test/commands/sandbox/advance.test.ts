import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openSandbox } from '../../../src/lib/sandbox/index.ts'
import { asTyped, expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { freshHome, runCli, runIn } from '../../helpers/run-cli.ts'
import { startSandbox } from '../../helpers/start-sandbox.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/sandbox/advance.ts'
import '../../../src/commands/sandbox/reset.ts'
import '../../../src/commands/sandbox/token.ts'

const NOW = Date.parse('2026-11-20T12:00:00Z')
const DAY = 86_400_000

const env = { ...freshHome(), RMA_TIME_ZONE: 'UTC' }
const run = asTyped((argv) => runCli(argv, { env, now: NOW }))
const list = asTyped(async (argv) => jsonOf(await run`returns list --json ${argv}`))

it('sandbox advance moves the data of the profile mock, and the list shows it', async () => {
  await run`sandbox reset --returns 200`
  const before = await list`--status PENDING --limit 500`
  const happened = jsonOf(
    expectEnd(
      await run`sandbox advance 2w --json`,
      0,
      `Moved the clock of the sandbox in ${env.RMA_DATA_DIR}\n`,
    ),
  )
  expect(Object.keys(happened)).toEqual(['now', 'returns', 'events', 'refunds', 'expired'])
  expect(happened.now).toBe('2026-12-04T12:00:00.000Z')
  for (const count of ['returns', 'events', 'refunds']) expect(happened[count]).toBeGreaterThan(0)
  const after = await list`--status PENDING --limit 500`
  expect(after.pageInfo.totalRecords).toBeLessThan(before.pageInfo.totalRecords)
  // Dates that are relative are so to the clock of this machine; what came about since is later than its now.
  const moved = await list`--updated-from 0h --limit 500`
  expect(moved.pageInfo.totalRecords).toBe(happened.returns)
  expect((await list`--created-from 7d`).pageInfo.totalRecords).toBeGreaterThan(0)
})

it('sandbox advance prints a table, or CSV', async () => {
  const { stdout } = await run`sandbox advance 30m`
  expect(stdout).toMatch(/^NOW +2026-12-04 12:30\nRETURNS +\d+\n/)
  expect((await run`sandbox advance 1h -o csv`).stdout).toMatch(
    /^now,returns,events,refunds,expired\r\n2026-12-04T13:30/,
  )
})

it('tokens are issued at the moved time', async () => {
  const token = async () => jsonOf(await run`sandbox token --expires-in 1d --json`).token
  const { exp } = JSON.parse(Buffer.from((await token()).split('.')[1], 'base64url').toString())
  expect(exp * 1000).toBeGreaterThan(NOW + 15 * DAY)
})

it('sandbox advance --data moves other data', async () => {
  const dir = newFolder()
  const file = join(dir, 'sandbox.db')
  ;(await openSandbox({ file, returns: 5, clock: { now: () => NOW } })).close()
  const { stdout } = await run`sandbox advance 3d --data ${dir} --jq .now`
  expect(stdout).toBe('2026-11-23T12:00:00.000Z\n')
})

it.each([
  [['0d'], '"0d" is not a duration'],
  [['--', '-3d'], '"-3d" is not a duration'],
  [['-3d'], '-3'],
  [['3 days'], '30m, 12h, 3d, 2w'],
  [['1.5h'], 'is not a duration'],
  [['600w'], "can't be moved by 362880000 seconds"],
  [[], 'DURATION is missing'],
  [typed`1d --columns when`, '"when" is not a column'],
  [typed`1d --base-url http://127.0.0.1:1`, 'No sandbox of this machine is running at'],
])('sandbox advance %j is refused', async (argv, message) => {
  const result = await run`sandbox advance ${argv}`
  expect(result.code).toBe(argv.includes('--base-url') ? 7 : 2)
  expect(result.stderr).toMatch(message)
  expect(result.stdout).toBe('')
})

it('sandbox advance moves a running sandbox, and its data for all other processes', async () => {
  const env = freshHome()
  const run = runIn(env)
  const { baseUrl, token, stop } = await startSandbox(env)
  onTestFinished(async () => void (await stop()))
  const { now } = jsonOf(
    expectEnd(await run`sandbox advance 60d --json`, 0, 'Moved the clock of the sandbox that runs\n'),
  )
  expect(Date.parse(now)).toBeGreaterThan(Date.now() + 59 * DAY)
  // The token that it was started with has expired meanwhile; another one is of that time.
  const status = async (bearer: string) =>
    (await fetch(`${baseUrl}/returns`, { headers: { authorization: `Bearer ${bearer}` } })).status
  expect(await status(token)).toBe(401)
  const fresh = await run`sandbox token`
  expect(await status(fresh.stdout.trim())).toBe(200)
  const tooFar = await run`sandbox advance 600w`
  expectEnd(tooFar, 2, ["can't be moved by"])
})
