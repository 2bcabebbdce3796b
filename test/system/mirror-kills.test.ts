import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openMirror } from '../../src/lib/mirror/open.ts'
import { readState } from '../../src/lib/mirror/state.ts'
import type { MirrorDb } from '../../src/lib/mirror/tables.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'

const RETURNS = 6000
const KILLS = 6

const platform = usePlatform({ returns: RETURNS })

async function indexesOf(db: MirrorDb) {
  const { rows } =
    await sql`select tbl_name, name, sql from sqlite_schema where type = 'index' order by 1, 2`.execute(db)
  return rows
}

it('a sync killed again and again goes on where it was, and ends with all there is', async () => {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...platform.env() }
  const argv = ['mirror', 'sync', '--yes', '--with', 'none', '--keep', 'forever', '--json']
  const folder = join(env.RMA_DATA_DIR ?? '', 'mirrors')
  const look = async () => {
    const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? ''
    const mirror = await openMirror({ file: join(folder, name) })
    const ids: string[] = []
    for await (const { record } of mirror.each()) ids.push(String(record.id))
    const { full } = await readState(mirror.db)
    const indexes = await indexesOf(mirror.db)
    await mirror.close()
    return { ids, done: full?.done ?? 0, indexes }
  }
  const asked = () => platform.sandbox.requests().at(-1)?.number ?? 0
  let before = 0
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const from = asked()
    // Counted by requests that came, so that a busy machine kills where an idle one does.
    const { signal } = await spawnCli(argv, {
      env,
      onStart: (child) => {
        const watch = setInterval(() => {
          if (asked() - from >= 3) child.kill('SIGKILL')
        }, 1)
        child.on('exit', () => clearInterval(watch))
      },
    })
    expect(signal).toBe('SIGKILL')
    const { ids, done } = await look()
    expect(new Set(ids).size).toBe(ids.length)
    // Rows and position are kept together, or neither is.
    expect(done).toBeGreaterThanOrEqual(ids.length)
    expect(ids.length).toBeGreaterThanOrEqual(before)
    before = ids.length
  }
  const { stdout } = await spawnCli(argv, { env })
  expect(JSON.parse(stdout)).toMatchObject({ held: RETURNS, platformTotal: RETURNS, isComplete: true })
  const { ids, indexes } = await look()
  expect(new Set(ids).size).toBe(RETURNS)
  // Some are made at the end of the copy.
  const empty = await openMirror({ file: join(folder, 'empty') })
  expect(indexes).toEqual(await indexesOf(empty.db))
  await empty.close()
})
