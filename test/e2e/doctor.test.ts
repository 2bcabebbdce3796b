import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, typed } from '../helpers/command-line.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { newcomerEnv, spawnCli } from '../helpers/spawn-cli.ts'
import { runInTerminal } from '../helpers/terminal.ts'

/** Environment without npm, which would ask its registry. */
const PATH = '/nonexistent'

it('the doctor ends within seconds if the platform is silent', async () => {
  const server = await scriptServer(() => ({ fault: 'hang' }))
  const env = newcomerEnv({ PATH, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'opaque' })
  const startedAt = performance.now()
  const { stdout } = expectEnd(
    await spawnCli(typed`doctor --retries 9 --timeout 600`, { env }),
    9,
    /^Error: 1 check of 23 found something\.\n {2}No answer .*\nTry: is a firewall/m,
  )
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  expect(stdout).toMatch(/^platform\.address +found +No answer from http:\/\/127\.0\.0\.1:\d+ within 5 s/m)
  expect(server.requests).toHaveLength(1)
})

it('the doctor lists the contents of a support bundle before it asks to write it', async () => {
  const env = newcomerEnv({ PATH })
  const file = join(env.HOME, 'support.zip')
  let isAsked = false
  const { code, screen } = await runInTerminal(typed`doctor --bundle ${file}`, {
    env,
    columns: 200,
    onOutput: (raw, type) => {
      if (!isAsked && raw.includes('[y/N]')) type('n\r')
      isAsked = raw.includes('[y/N]')
    },
  })
  const shown = screen.join('\n')
  expect([code, isAsked, existsSync(file)]).toEqual([2, true, false])
  expect(shown).toMatch(/without tokens and personal data:\n.*Not confirmed: no bundle was written/s)
})

it.runIf(process.getuid?.() === 0)(
  'the doctor finds unwritable folders, and does not change them',
  async () => {
    const env = newcomerEnv({ PATH })
    const { HOME = '', RMA_DATA_DIR = '', RMA_CONFIG_DIR = '' } = env
    chmodSync(HOME, 0o755)
    mkdirSync(RMA_DATA_DIR, { mode: 0o700 })
    mkdirSync(RMA_CONFIG_DIR, { mode: 0o755 })
    const { checks } = jsonOf(ended(await spawnCli(typed`doctor --json`, { env, uid: 12_345 }), 9))
    const found = checks.filter(({ verdict }: { verdict: string }) => verdict === 'found')
    expect(found.map(({ id }: { id: string }) => id)).toEqual(['files.config', 'files.data', 'files.cache'])
    expect(found[1]).toMatchObject({
      observed: `${RMA_DATA_DIR} can't be written (EACCES)`,
      remedies: [`chmod u+rwx ${RMA_DATA_DIR}`, 'RMA_DATA_DIR=DIR keeps it where you may write'],
    })
    expect(readdirSync(RMA_DATA_DIR)).toEqual([])
  },
)
