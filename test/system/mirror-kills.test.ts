import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { readState } from '../../src/lib/mirror/store/state.ts'
import type { MirrorDb } from '../../src/lib/mirror/store/tables.ts'
import { typed } from '../helpers/command-line.ts'
import { eachReturn } from '../helpers/mirror-home.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'

const RETURNS = 6000
const KILLS = 6

const ARGV = typed`mirror sync --yes --with none --keep forever --json`
/** To sort them for an index takes most of a second. */
const MANY_ROWS = 700_000
const FEW = 30

const platform = usePlatform({ returns: RETURNS })
const small = usePlatform({ returns: FEW })

function syncOf(from: typeof platform) {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...from.env() }
  const folder = join(env.RMA_DATA_DIR ?? '', 'mirrors')
  const openCopy = () => {
    const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? ''
    return openMirror({ file: join(folder, name) })
  }
  return { env, folder, openCopy }
}

async function indexesOf(db: MirrorDb) {
  const { rows } = await sql<{
    name: string
  }>`select tbl_name, name, sql from sqlite_schema where type = 'index' order by 1, 2`.execute(db)
  return rows
}

it('a sync killed again and again goes on where it was, and ends with all there is', async () => {
  const { env, folder, openCopy } = syncOf(platform)
  const look = async () => {
    const mirror = await openCopy()
    const ids: string[] = []
    for await (const { record } of eachReturn(mirror)) ids.push(String(record.id))
    const { full } = await readState(mirror.db)
    const indexes = await indexesOf(mirror.db)
    await mirror.db.destroy()
    return { ids, done: full?.done ?? 0, indexes }
  }
  const asked = () => platform.sandbox.requests().at(-1)?.number ?? 0
  let before = 0
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const from = asked()
    // Counted by requests that came, so that a busy machine kills where an idle one does.
    const { signal } = await spawnCli(ARGV, {
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
  const { stdout } = await spawnCli(ARGV, { env })
  expect(JSON.parse(stdout)).toMatchObject({ held: RETURNS, platformTotal: RETURNS, isComplete: true })
  const { ids, indexes } = await look()
  expect(new Set(ids).size).toBe(RETURNS)
  // Some are made at the end of the copy.
  const empty = await openMirror({ file: join(folder, 'empty') })
  expect(indexes).toEqual(await indexesOf(empty.db))
  await empty.db.destroy()
})

it('ends at once on Ctrl-C while an index is made, which the next sync makes', async () => {
  const { env, openCopy } = syncOf(small)
  const isMade = async () => {
    const looked = await openCopy()
    const indexes = await indexesOf(looked.db)
    await looked.db.destroy()
    return indexes.some(({ name }) => name === 'identifiers_by_value')
  }
  expect((await spawnCli(ARGV, { env })).code).toBe(0)
  const copy = await openCopy()
  const { db } = copy
  // The end of a very large first copy looks like this.
  await sql`drop index identifiers_by_value`.execute(db)
  await sql`delete from sync_state`.execute(db)
  await sql`insert into identifiers (return_id, value) with recursive many (n) as
    (select 1 union all select n + 1 from many where n < ${MANY_ROWS})
    select n, hex(randomblob(8)) from many`.execute(db)
  await sql`pragma busy_timeout = 0`.execute(db)
  const isBusy = () =>
    sql`begin immediate`.execute(db).then(
      () => sql`rollback`.execute(db).then(() => false),
      () => true,
    )
  const isBeingMade = async () => (await readState(db)).full?.done === FEW && (await isBusy())
  const { code } = await spawnCli(ARGV, {
    env,
    onStart: async (child) => {
      while (child.exitCode === null && !(await isBeingMade())) await delay(5)
      child.kill('SIGINT')
    },
  })
  await copy.db.destroy()
  expect(code).toBe(130)
  expect(await isMade()).toBe(false)
  const again = await spawnCli(ARGV, { env })
  expect(JSON.parse(again.stdout)).toMatchObject({ held: FEW, isComplete: true })
  expect(await isMade()).toBe(true)
})
