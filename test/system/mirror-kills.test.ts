import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { readState } from '../../src/lib/mirror/store/state.ts'
import { jsonOf, typed } from '../helpers/command-line.ts'
import { eachReturn } from '../helpers/mirror-home.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'

const RETURNS = 2600
const KILLS = 3

const ARGV = typed`mirror sync --yes --with none --keep forever --json`

const platform = usePlatform({ returns: RETURNS })

it('a sync that is killed again and again continues, and ends complete', async () => {
  const env = { PATH: process.env.PATH ?? '', ...platform.env() }
  const folder = join(env.RMA_DATA_DIR, 'mirrors')
  const look = async () => {
    const name = readdirSync(folder).find((one) => one.endsWith('.db')) ?? ''
    const mirror = await openMirror({ file: join(folder, name) })
    const ids: string[] = []
    for await (const { record } of eachReturn(mirror)) ids.push(String(record.id))
    const { full } = await readState(mirror.db)
    await mirror.db.destroy()
    return { ids, done: full?.done ?? 0 }
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
  expect(jsonOf(await spawnCli(ARGV, { env }))).toMatchObject({
    held: RETURNS,
    platformTotal: RETURNS,
    isComplete: true,
  })
  const { ids } = await look()
  expect(new Set(ids).size).toBe(RETURNS)
})
