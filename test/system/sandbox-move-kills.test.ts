import { copyFileSync, mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { openSandbox } from '../../src/lib/sandbox/index.ts'
import { connect, type Database, Statements } from '../../src/lib/sandbox/store/database.ts'
import type { ClockMove } from '../../src/lib/sandbox/store/rows.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const RETURNS = 12_000
const PART = 2000
const FIRST = 100_000_001

/** The clock's last move as it is on the disk. */
function moveIn(db: Database): ClockMove | undefined {
  const row = new Statements(db).get<{ move: string | null }>('SELECT move FROM meta')
  return JSON.parse(row?.move ?? 'null') ?? undefined
}

/** Kills a command that moves returns when it has done so many parts, in the middle of the next one. */
async function killAfter(parts: number, argv: readonly string[], env: Record<string, string>, db: Database) {
  const next = FIRST + parts * PART
  // The transaction of the next part does not come to its end.
  db.exec(`CREATE VIEW forever AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n;
    CREATE TRIGGER hold AFTER UPDATE OF move ON meta WHEN json_extract(new.move, '$.next') > ${next}
    BEGIN SELECT count(*) FROM forever; END`)
  let isOver = false
  const { signal, stderr } = await spawnCli(argv, {
    env,
    onStart: async (child) => {
      child.on('exit', () => {
        isOver = true
      })
      while (!isOver && moveIn(db)?.next !== next) await delay(20)
      child.kill('SIGKILL')
    },
  })
  expect(signal, stderr).toBe('SIGKILL')
  db.exec('DROP TRIGGER hold; DROP VIEW forever')
  expect(moveIn(db)).toMatchObject({ next, last: FIRST + RETURNS - 1 })
}

it('a move of the clock, killed over and over, ends where one ends that is killed once', async () => {
  const env = spawnEnv()
  const dir = env.RMA_DATA_DIR ?? ''
  const twin = { ...env, RMA_DATA_DIR: join(mkdtempSync(join(tmpdir(), 'rma-move-')), 'twin') }
  const file = join(dir, 'sandbox.db')
  ;(await openSandbox({ file, returns: RETURNS })).close()
  const db = await connect(file)

  await killAfter(1, ['sandbox', 'advance', '30d'], env, db)
  mkdirSync(twin.RMA_DATA_DIR, { mode: 0o700 })
  for (const end of ['', '-wal']) {
    copyFileSync(join(dir, `sandbox.db${end}`), join(twin.RMA_DATA_DIR, `sandbox.db${end}`))
  }
  // Whatever uses the data next goes on with it.
  for (const parts of [3, 4]) await killAfter(parts, ['returns', 'list', '--limit', '1'], env, db)

  for (const one of [env, twin]) {
    const { code, stderr } = await spawnCli(['returns', 'list', '--limit', '1'], { env: one })
    expect([code, stderr]).toEqual([0, expect.stringContaining('Going on with the move of the clock')])
  }
  const whole = await connect(join(twin.RMA_DATA_DIR, 'sandbox.db'))
  const rows = (of: Database) => JSON.stringify(new Statements(of).all('SELECT * FROM returns ORDER BY no'))
  expect(rows(db) === rows(whole)).toBe(true)
  expect(moveIn(db)).toEqual(moveIn(whole))
  expect(moveIn(db)).toMatchObject({ next: FIRST + RETURNS, last: FIRST + RETURNS - 1 })
  expect(moveIn(db)?.events).toBeGreaterThan(100)
  db.close()
  whole.close()
})
