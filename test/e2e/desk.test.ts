import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { succeeded } from '../helpers/command-line.ts'
import { KEYS, openDesk } from '../helpers/desk-terminal.ts'
import { newFolder } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { runIn } from '../helpers/run-cli.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'

const platform = usePlatform({ returns: 120 })

/** Environment in which the returns were copied already. */
let shared: Promise<Record<string, string>> | undefined
const sharedEnv = () => {
  const copied = async () => {
    const env = spawnEnv(platform.env({ NO_COLOR: '' }))
    succeeded(await runIn(env)`mirror sync --yes`)
    return env
  }
  shared ??= copied()
  return shared
}

it('the desk returns after a killed editor, and shows an edited reply', async () => {
  const cwd = newFolder()
  const editor = (script: string) => writeFile(join(cwd, 'edit'), script)
  const desk = openDesk({ ...(await sharedEnv()), EDITOR: '. ./edit #' }, { rows: 16, cwd })
  await desk.until('copied just now')
  await desk.pressUntil(KEYS.down + KEYS.enter, 'Customer')
  await editor('kill -9 $$')
  await desk.pressUntil('r', /reply about .*\n\S[\s\S]*\n\S[\s\S]*\n\S[\s\S]*language/)
  expect(await desk.pressUntil('e', 'the reply is as it was')).toMatch(/R#-.*[\s\S]*R#-/)
  await editor('echo Edited > "$0"')
  await desk.pressUntil('e', /^Edited$/m)
  await desk.pressUntil('y', 'Handed to the terminal')
  expect(desk.raw()).toContain(`\x1b]52;c;${Buffer.from('Edited').toString('base64')}\x07`)
})

it.each(['SIGTERM', 'SIGHUP'])('the desk fills the terminal, and restores it after %s', async (signal) => {
  const desk = openDesk(await sharedEnv())
  await desk.until('CREATED')
  desk.resize(120, 30)
  await desk.until(/CREATED {4}SCAN/)
  desk.child.kill(signal)
  const screen = expect.not.stringContaining('CREATED')
  expect(await desk.ended).toMatchObject({ isAlternate: false, screen })
  expect(desk.raw()).toMatch(/\x1b\[\?25h[^l]*$/)
})

it('the desk restores the terminal after a crash, with a message', async () => {
  const crash = join(newFolder(), 'crash.cjs')
  const end = join(newFolder(), 'end')
  await writeFile(
    crash,
    `setInterval(() => { if (require('fs').existsSync('${end}')) throw new Error('a fault') }, 100)`,
  )
  const desk = openDesk({ ...(await sharedEnv()), NODE_OPTIONS: `--require=${crash}` })
  await desk.until('CREATED')
  await writeFile(end, '')
  const { code, isAlternate, screen } = await desk.ended
  expect([code, isAlternate, screen]).toEqual([1, false, expect.stringContaining('Error: ')])
})
