import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSandbox } from '../../src/lib/sandbox/index.ts'
import { connect } from '../../src/lib/sandbox/store/open.ts'
import { Statements } from '../../src/lib/sandbox/store/snapshot.ts'
import { jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

it('a clock move that is killed half-way changes nothing, and the next one moves everything', async () => {
  const env = spawnEnv()
  const file = join(env.RMA_DATA_DIR, 'sandbox.db')
  ;(await openSandbox({ file, returns: 12_000 })).close()
  const db = await connect(file)
  const sql = new Statements(db)
  const state = () => [
    sql.all('SELECT clock_offset FROM meta'),
    sql.all('SELECT no, updated, doc FROM returns ORDER BY no'),
  ]
  const before = state()
  // The move does not get beyond its last return.
  db.exec(`CREATE VIEW forever AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
    CREATE TRIGGER hold AFTER UPDATE ON returns WHEN new.no > 100011000
    BEGIN SELECT count(*) FROM forever; END`)
  const isBeingWritten = () => {
    try {
      db.exec('BEGIN IMMEDIATE; ROLLBACK')
      return false
    } catch {
      return true
    }
  }
  const killed = await spawnCli(typed`sandbox advance 30d`, {
    env,
    onStart: async (child) => {
      while (!isBeingWritten()) await delay(20)
      child.kill('SIGKILL')
    },
  })
  expect([killed.signal, killed.stdout]).toEqual(['SIGKILL', ''])
  expect(state()).toEqual(before)
  db.exec('DROP TRIGGER hold; DROP VIEW forever')

  expect(
    jsonOf(succeeded(await spawnCli(typed`sandbox advance 30d -o json`, { env }))).events,
  ).toBeGreaterThan(100)
  expect(state()).not.toEqual(before)
  db.close()
})
