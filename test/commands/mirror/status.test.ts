import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import { freshHome, runCli } from '../../helpers/run-cli.ts'
import '../../../src/commands/mirror/status.ts'
import '../../../src/commands/mirror/sync.ts'

it('status without a mirror says how to get one, and makes none', async () => {
  expectEnd(
    await runCli(typed`mirror status`, { env: freshHome() }),
    5,
    /no mirror .*\nTry: rma mirror sync\n/,
  )
})

it('says how fresh, how complete and how large it is, and what a wrong clock makes of that', async () => {
  const { run } = await mirrorHome()
  const now = Date.now()
  await run(typed`mirror sync --yes`, { now })
  const { stdout, stderr } = await run(typed`mirror status`, { now: now + 3 * 3_600_000 })
  expect(stdout).toMatch(/^Returns +60 of 60, complete at the last sync\nSynced +3 h ago\n/)
  expect(stdout).toMatch(/\nSize +\d+\.\d MB\nKept for +400 days\nLeft out +bank details\n/)
  expect(stderr).toBe('')
  const early = await run(typed`mirror status --json`, { now: now - 60_000 })
  expect(early.stderr).toMatch('Warning: The last sync lies in the future')
  expect(jsonOf(early)).toMatchObject({ returns: 60, ageSeconds: -60, unfinished: null })
  // A clock that is years off takes nothing away, and adds nothing.
  const late = await run(typed`mirror sync --json`, { now: now - 2000 * 86_400_000 })
  expect(jsonOf(late)).toMatchObject({ kind: 'changes', held: 60, removed: 0, isComplete: true })
})

it('says that it looks through a large file, once', async () => {
  const { run, file } = await mirrorHome()
  await run(typed`mirror sync --yes --with none`)
  const db = new Libsql(file())
  db.exec('CREATE TABLE filler (bytes BLOB); INSERT INTO filler VALUES (zeroblob(101000000))')
  db.close()
  expect((await run(typed`mirror status`)).stderr).toBe('Checking the mirror\n')
  expect((await run(typed`mirror status`)).stderr).toBe('')
})
