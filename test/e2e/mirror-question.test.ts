import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { openMirror } from '../../src/lib/mirror/store/open.ts'
import { ended, expectEnd, typed } from '../helpers/command-line.ts'
import { mirrorHome } from '../helpers/mirror-home.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../helpers/terminal.ts'

const platform = usePlatform({ returns: 20 })

it('asks on a terminal before people’s data are copied the first time, and copies nothing after a no', async () => {
  const env = { PATH: process.env.PATH ?? '', ...platform.env() }
  const sync = (answer: string) =>
    runInTerminal(typed`mirror sync --with none --keep forever`, {
      env,
      columns: 200,
      onOutput: answering('[y/N]', `${answer}\r`),
    })
  const no = ended(await sync('n'), 2)
  expect(no.screen.join('\n')).toMatch(
    /Copy names, addresses and e-mails of the customers of 20 returns from http:\S+ to/,
  )
  expect(no.screen.join('\n')).toMatch('Not confirmed: nothing was copied')
  const yes = await sync('y')
  expect([yes.code, yes.screen.join('\n')]).toEqual([0, expect.stringMatching(/Returns +20 of 20, complete/)])
  const again = await sync('never asked')
  expect([again.code, again.raw.includes('[y/N]')]).toEqual([0, false])
  expect(existsSync(join(env.RMA_DATA_DIR, 'mirrors'))).toBe(true)
})

it('a sync that waits for another one says so, and goes on when it is over', async () => {
  const { env, run, file } = await mirrorHome()
  await run`mirror sync --yes`
  const { db, exclusively } = await openMirror({ file: file() })
  let release = () => {}
  const over = new Promise<void>((resolve) => {
    release = resolve
  })
  const held = exclusively({ waitMs: 0 }, () => over)
  const onOutput = (_stdout: string, stderr: string) => {
    if (stderr.includes('waiting for it')) release()
  }
  expectEnd(await spawnCli(typed`mirror sync`, { env: spawnEnv(env), onOutput }), 0, [
    'Another process works on this mirror: waiting for it\n',
  ])
  await held
  await db.destroy()
})
