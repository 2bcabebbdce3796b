import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, typed } from '../helpers/command-line.ts'
import { usePlatform } from '../helpers/platform.ts'
import { runInTerminal } from '../helpers/terminal.ts'

const platform = usePlatform({ returns: 20 })

it('asks on a terminal before people’s data are copied the first time, and copies nothing after a no', async () => {
  const env: Record<string, string> = { PATH: process.env.PATH ?? '', ...platform.env() }
  const sync = (answer: string) => {
    let isAnswered = false
    return runInTerminal(typed`mirror sync --with none --keep forever`, {
      env,
      columns: 200,
      onOutput: (raw, type) => {
        if (isAnswered || !raw.includes('[y/N]')) return
        isAnswered = true
        type(`${answer}\r`)
      },
    })
  }
  const no = ended(await sync('n'), 2)
  expect(no.screen.join('\n')).toMatch(
    /Copy names, addresses and e-mails of the customers of 20 returns from http:\S+ to/,
  )
  expect(no.screen.join('\n')).toMatch(/Not confirmed: nothing was copied/)
  const yes = await sync('y')
  expect([yes.code, yes.screen.join('\n')]).toEqual([0, expect.stringMatching(/Returns +20 of 20, complete/)])
  const again = await sync('never asked')
  expect([again.code, again.raw.includes('[y/N]')]).toEqual([0, false])
  expect(existsSync(join(env.RMA_DATA_DIR ?? '', 'mirrors'))).toBe(true)
})
