import { mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { measuredCli } from '../helpers/measured-cli.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'

const MIB = 2 ** 20

it('sandbox data of 300 MB are checked for damage in the memory of a few rows', async () => {
  const env = spawnEnv()
  const folder = env.RMA_DATA_DIR
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'sandbox.db')
  const db = new Database(file)
  // The invalid text comes last, so that all is looked through.
  db.exec(`PRAGMA synchronous = OFF; CREATE TABLE texts (doc TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 200000)
    INSERT INTO texts SELECT i || replace(hex(zeroblob(700)), '00', 'xy') FROM n;
    INSERT INTO texts VALUES (CAST(x'ff' AS TEXT))`)
  db.close()
  expect(statSync(file).size).toBeGreaterThan(270 * MIB)
  const { code, stderr, peakMib } = await measuredCli(['returns', 'list'], { ...env, RMA_PROFILE: 'mock' })
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining('the table texts holds text that is not valid UTF-8'),
  ])
  expect(peakMib).toBeLessThan(170)
})
