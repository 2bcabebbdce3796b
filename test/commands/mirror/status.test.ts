import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { listDated } from '../../helpers/dated-returns.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import { freshHome, homeAt, runCli } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/mirror/forget.ts'
import '../../../src/commands/mirror/status.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/search.ts'

it('status without a mirror says how to get one, and makes none', async () => {
  expectEnd(
    await runCli(typed`mirror status`, { env: freshHome() }),
    5,
    /no mirror .*\nTry: rma mirror sync\n/,
  )
})

it('status tells how fresh, complete and large the mirror is, even with a wrong clock', async () => {
  const { run } = await mirrorHome()
  const now = Date.now()
  await run(typed`mirror sync --yes`, { now })
  const { stdout, stderr } = await run(typed`mirror status`, { now: now + 3 * 3_600_000 })
  expect(stdout).toMatch(/^Returns +60 of 60, complete at the last sync\nSynced +3 h ago\n/)
  expect(stdout).toMatch(/\nSize +\d+\.\d MB\nRetention +400 days\nLeft out +bank details\n/)
  expect(stderr).toBe('')
  const early = await run(typed`mirror status --json`, { now: now - 60_000 })
  expect(early.stderr).toMatch('Warning: The last sync lies in the future')
  expect(jsonOf(early)).toMatchObject({ returns: 60, ageSeconds: -60, unfinished: null })
  // A clock that is years off takes nothing away, and adds nothing.
  const late = await run(typed`mirror sync --json`, { now: now - 2000 * 86_400_000 })
  expect(jsonOf(late)).toMatchObject({ kind: 'changes', held: 60, removed: 0, isComplete: true })
})

it('status announces once that it checks a large file', async () => {
  const { run, file } = await mirrorHome()
  await run`mirror sync --yes --with none`
  const db = new Libsql(file())
  db.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(101000000))')
  db.close()
  expect((await run`mirror status`).stderr).toBe('Checking the mirror\n')
  expect((await run`mirror status`).stderr).toBe('')
})

it('status tells when the copy was last complete, and what was forgotten', async () => {
  const now = Date.now()
  const dayBefore = (days: number) => new Date(now + 620_000 - days * 86_400_000).toISOString().slice(0, 10)
  const dated = (id: string, createdAt: string) => ({
    id,
    name: `R#-${id}`,
    shopCode: 'S',
    createdAt,
    updatedAt: createdAt,
  })
  const returns = [dated('1', `${dayBefore(100)} 10:00:00Z`), dated('2', `${dayBefore(2)} 10:00:00Z`)]
  const server = await scriptServer((request) => listDated(returns, request))
  const env = homeAt(server.baseUrl)
  const run = (argv: string[], seconds: number) => runCli(argv, { env, now: now + seconds * 1000 })
  const status = async (seconds: number) => (await run(typed`mirror status`, seconds)).stdout
  await run(typed`mirror sync --yes --with none --keep forever`, 0)
  expect(await status(0)).toMatch(
    /^Returns +2 of 2, complete at the last sync\nSynced .*\nRetention +forever\n/s,
  )
  returns.push(dated('3', '2030-01-01 00:00:00Z'))
  await run(typed`search 3`, 600)
  expect(await status(620)).toMatch(/^Returns +3, complete 10 min ago\nSynced +20 s ago\n/)
  await run(typed`mirror forget --older-than 30d --yes`, 620)
  expect(await status(620)).toMatch(`\nRetention        forever, if created since ${dayBefore(30)}\n`)
  await run(typed`mirror sync`, 700)
  expect(await status(700)).toMatch(`\nNot kept         1 return created before ${dayBefore(30)}\n`)
})
