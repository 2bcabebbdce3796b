import { existsSync } from 'node:fs'
import { beforeAll, expect, it } from 'vitest'
import { expectEnd, typed } from '../helpers/command-line.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const env = spawnEnv()
const LIST = typed`returns list --limit 1`
const run = (TZ: string, argv: readonly string[]) => spawnCli([...argv], { env: { ...env, TZ } })

let inUtc: string
beforeAll(async () => {
  inUtc = (await run('UTC', LIST)).stdout
})

it.each([
  [LIST],
  [[...LIST, '--created-from', '2020-01-01', '--created-to', '2030-01-01', '-o', 'csv']],
  [typed`tracking push R#-X1 --status REQUESTED --date '2026-11-01 10:00' -n`],
])('says once that TZ is no time zone: %j', async (argv) => {
  const { stderr } = await run('Mars/Olympus', argv)
  expect(stderr.match(/^Warning: TZ=.*$/gm)).toEqual([
    'Warning: TZ=Mars/Olympus names no time zone known here: times are in UTC. Give --time-zone ZONE, or rma ' +
      'profiles set mock --time-zone ZONE',
  ])
})

it.each([
  [[...LIST, '--json']],
  [[...LIST, '--time-zone', 'UTC']],
  [['profiles', 'list']],
  [typed`tracking push R#-X1 --status REQUESTED -n`],
])('and not where no time is in it: %j', async (argv) => {
  expectEnd(await run('Mars/Olympus', argv), 0, expect.not.stringContaining('TZ='))
})

it.each([
  ['Mars/Olympus', ['TZ=Mars/Olympus names no time zone known here: times are in UTC']],
  // The engine knows no rules of POSIX but those for UTC.
  ['CET-1CEST', ['TZ=CET-1CEST names no time zone known here: times are in UTC']],
  ['UTC0', []],
  ['EST5EDT', []],
])('doctor says of TZ=%s what all commands say', async (TZ, expected) => {
  const { stdout } = await run(TZ, typed`doctor --json`)
  expect(stdout.match(/TZ=[^";]*/g) ?? []).toEqual(expected)
})

const FILE = '/usr/share/zoneinfo/Etc/UTC'

it.each(['', 'UTC0', ':Etc/UTC', ...(existsSync(FILE) ? [FILE] : [])])('takes TZ=%s for UTC', async (TZ) => {
  const { stdout, stderr } = await run(TZ, LIST)
  expect([stdout, stderr]).toEqual([inUtc, expect.not.stringContaining('TZ=')])
})

it.each([':Asia/Tokyo', 'asia/tokyo'])('knows the zone that TZ=%s names', async (TZ) => {
  const { stdout, stderr } = await run(TZ, LIST)
  const inTokyo = (await run('UTC', [...LIST, '--time-zone', 'Asia/Tokyo'])).stdout
  expect([stdout, stderr]).toEqual([inTokyo, expect.not.stringContaining('TZ=')])
})
