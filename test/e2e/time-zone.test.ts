import { beforeAll, expect, it } from 'vitest'
import { expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { runIn } from '../helpers/run-cli.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import '../../src/commands/returns/list.ts'
import '../../src/commands/tracking/push.ts'

/* Commands under TZ; test/unit/wire/time.test.ts has the zones that it names. */

const env = spawnEnv()
const LIST = typed`returns list --limit 1`
const run = (TZ: string, argv: readonly string[]) => spawnCli([...argv], { env: { ...env, TZ } })

beforeAll(async () => {
  succeeded(await runIn(env)`sandbox reset --returns 2 --yes`)
})

it.each([
  [typed`${LIST} --created-from 2020-01-01 --created-to 2030-01-01 -o csv`],
  [typed`tracking push R#-X1 --status REQUESTED --date '2026-11-01 10:00' -n`],
])('an unknown TZ is reported once: %j', async (argv) => {
  const { stderr } = await run('Mars/Olympus', argv)
  expect(stderr.match(/^Warning: TZ=.*$/gm)).toEqual([
    'Warning: TZ=Mars/Olympus names no time zone known here: times are in UTC. Give --time-zone ZONE, or rma ' +
      'profiles set mock --time-zone ZONE',
  ])
})

it.each([
  [typed`${LIST} --json`],
  [typed`${LIST} --time-zone UTC`],
  [['profiles', 'list']],
  [typed`tracking push R#-X1 --status REQUESTED -n`],
])('an unknown TZ is not reported where no times are shown: %j', async (argv) => {
  expectEnd(await run('Mars/Olympus', argv), 0, expect.not.stringContaining('TZ='))
})

it('doctor reports TZ in the same words as all commands', async () => {
  // npm would ask its registry.
  const given = { ...env, PATH: '/nonexistent', TZ: 'CET-1CEST' }
  const { stdout } = await spawnCli(typed`doctor --json`, { env: given })
  expect(stdout.match(/TZ=[^";]*/g)).toEqual(['TZ=CET-1CEST names no time zone known here: times are in UTC'])
})

it('times are shown in the zone of TZ', async () => {
  const { stdout, stderr } = await run('asia/tokyo', LIST)
  const inTokyo = await runIn(env)`${LIST} --time-zone Asia/Tokyo`
  expect([stdout, stderr]).toEqual([inTokyo.stdout, expect.not.stringContaining('TZ=')])
  const inUtc = await runIn(env)`${LIST} --time-zone UTC`
  expect(stdout).not.toBe(inUtc.stdout)
})
