import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Env, ended, errorOf, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { shell, spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

/* Containers run as any number, without a home or with one that is not theirs. */

const PATH = process.env.PATH ?? ''

it.each([
  ['returns', 'list'],
  ['sandbox', 'token'],
  typed`sandbox start --port 0`,
  typed`tracking push --file -`,
])('%s %s without a place for data is exit 3, and names where to keep them', async (...argv) => {
  const { HOME = '' } = spawnEnv()
  const file = join(HOME, 'file')
  writeFileSync(file, 'not a folder')
  const { stdout } = expectEnd(
    await spawnCli(argv, { env: { PATH, HOME: file }, stdin: 'a,b\n' }),
    3,
    /^Error: Data can't be kept in .*file.* \(ENOTDIR\)\.\nTry: .*RMA_DATA_DIR/,
  )
  expect(stdout).toBe('')
})

it.runIf(process.platform === 'linux')(
  'a home where no folder can be made does not fail a command at its end',
  async () => {
    expect(
      succeeded(await spawnCli(typed`profiles list`, { env: { PATH, HOME: '/proc/none' } })).stdout,
    ).toEqual(expect.stringContaining('mock'))
  },
)

it.runIf(process.getuid?.() === 0)('an existing folder of another user is refused', async () => {
  const { RMA_DATA_DIR = '', HOME = '' } = spawnEnv()
  mkdirSync(RMA_DATA_DIR, { mode: 0o755 })
  const env = { PATH, HOME, RMA_DATA_DIR }
  mkdirSync(join(HOME, 'own'))
  expect(errorOf(ended(await spawnCli(typed`returns list --json`, { env, uid: 12_345 }), 3))).toMatchObject({
    kind: 'config',
    hints: [expect.stringMatching('RMA_DATA_DIR')],
  })
})

it.each(['', 'home'])('a HOME of "%s" takes no settings from the current folder', async (HOME) => {
  const folder = newFolder()
  const owner = { env: { PATH, HOME: join(folder, HOME) } }
  succeeded(
    await spawnCli(typed`profiles add found --environment staging --base-url https://x.example`, owner),
  )
  const list = await shell(`cd '${folder}' && rma profiles list`, { env: { PATH, HOME } })
  expect(succeeded(list).stdout).not.toContain('found')
})

describe.runIf(process.getuid?.() === 0)('a user whom the system does not know, without a home', () => {
  const asNobody = (argv: string[], env: Env = {}) => spawnCli(argv, { env: { PATH, ...env }, uid: 54_321 })

  it('a user without a home can use help, default settings and a named platform', async () => {
    for (const argv of [['--version'], ['--help'], typed`returns list --help`, ['profiles', 'list']]) {
      const { code, stdout, stderr } = await asNobody(argv)
      expect([argv, code, stderr]).toEqual([argv, 0, ''])
      expect(stdout).not.toBe('')
    }
    const server = await scriptServer([{ body: pageOf([]) }])
    const { stdout } = succeeded(
      await asNobody(typed`returns list -o csv`, {
        RMA_BASE_URL: server.baseUrl,
        RMA_TOKEN: 't',
      }),
    )
    expect(stdout.split(',')[0]).toBe('name')
  })

  it('a user without a home gets exit 3 and a hint where to keep data and settings', async () => {
    const listed = await asNobody(['returns', 'list'])
    expect([listed.code, listed.stdout]).toEqual([3, ''])
    expect(listed.stderr).toMatch(/^Error: Data can't be kept in .*\nTry: .*RMA_DATA_DIR=DIR\n$/)
    const added = ended(await asNobody(typed`profiles add x --base-url https://returns.example`), 3)
    expect(added.stderr).toMatch(/^Error: .*\n(Try: .*\n)*Try: .*RMA_CONFIG_DIR\n$/)
  })
})
