import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, runCli, runIn } from '../helpers/run-cli.ts'
import '../../src/commands/auth/login.ts'
import '../../src/commands/auth/status.ts'
import '../../src/commands/profiles/add.ts'
import '../../src/commands/profiles/edit.ts'
import '../../src/commands/profiles/list.ts'
import '../../src/commands/profiles/set.ts'

/** A home with a profile that has a token, and an editor that does what `program` says with the `text` of its file. */
async function editorHome(program: string) {
  const env = freshHome()
  const script = join(env.HOME, 'an editor.mjs')
  writeFileSync(
    script,
    `import { readFileSync, statSync, writeFileSync } from 'node:fs'
     const [file] = process.argv.slice(3)
     const text = readFileSync(file, 'utf8')
     const write = (value) => writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value))
     ${program}`,
  )
  env.RMA_TOKEN = 'hidden'
  env.EDITOR = `'${process.execPath}' '${script}' --wait`
  await runIn(env)`profiles add own --base-url https://x.example/v1 --shop MODA`
  await runCli(typed`auth login -p own --no-verify --token-file -`, { env, stdin: 'secret' })
  const settings = () => readFileSync(join(env.RMA_CONFIG_DIR, 'config.json'), 'utf8')
  expect(settings()).toContain('secret')
  return { env, settings, run: (...argv: string[]) => runIn(env)`profiles edit own ${argv}` }
}

it('profiles edit keeps what the editor wrote, and the token, which it does not show', async () => {
  const own = await editorHome(`
      if (text.includes('secret') || process.env.RMA_TOKEN || (statSync(file).mode & 0o777) !== 0o600) process.exit(9)
      const { shop, ...rest } = JSON.parse(text)
      write({ ...rest, timeZone: 'Europe/Madrid' })`)
  const { code, stdout, stderr } = await own.run('--json')
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(JSON.parse(stdout)).toMatchObject({ name: 'own', timeZone: 'Europe/Madrid', hasToken: true })
  expect(JSON.parse(stdout)).not.toHaveProperty('shop')
  expect(own.settings()).toContain('secret')
})

it.each([
  ['write("{ not json")', 'not valid JSON: Expected'],
  ['write({ environment: "staging", baseUrl: "x" })', 'baseUrl is not a URL'],
  ['write({ ...JSON.parse(text), environment: "live" })', 'staging, production. The profile is as it was'],
  ['write({ ...JSON.parse(text), timezone: "UTC" })', 'Did you mean timeZone?'],
  ['write({ ...JSON.parse(text), token: "t" })', '"token" is not a field to be edited'],
  ['process.exit(3)', 'ended with exit code 3'],
])('profiles edit keeps the profile, and the text in a file: %s', async (program, message) => {
  const own = await editorHome(program)
  const before = own.settings()
  const idle = await runCli(typed`profiles edit own`, { env: { ...own.env, EDITOR: 'true' } })
  expect(idle.stderr + idle.stdout).toContain('The profile own is as it was.')
  const { stderr } = expectEnd(await own.run(), 2, [message])
  expect(own.settings()).toBe(before)
  const [, file = ''] = /rma profiles edit own --from (\S+)/.exec(stderr) ?? []
  expect(existsSync(file)).toBe(true)
  const again = await runCli(typed`profiles edit own --from ${file}`, {
    env: { ...own.env, EDITOR: 'cat' },
  })
  expect(again.code).toBe(message.includes('exit code') ? 0 : 2)
})

it.each([
  ['"', /EDITOR is not a command: "/],
  [undefined, /no terminal for an editor/],
])('profiles edit with the editor %s is exit 2, and leaves no file', async (editor, message) => {
  const { env } = await editorHome('')
  const { EDITOR: _, ...others } = env
  const given = editor === undefined ? others : { ...others, EDITOR: editor }
  const { stderr } = ended(await runIn(given)`profiles edit own`, 2)
  expect(stderr).toEqual(expect.stringMatching(message))
  expect(stderr).not.toContain('your text')
})

it('output settings of a profile rank after flag and environment, before the default', async () => {
  const env = freshHome()
  const run = runIn(env)
  const set = asTyped((argv) => run`profiles set mock ${argv}`)
  const list = async (argv: string[] = [], more = {}) =>
    (await runCli(typed`profiles list --no-headers ${argv}`, { env: { ...env, ...more } })).stdout
  succeeded(await set`--default-output csv --default-columns 'profiles list=name,environment'`)
  expect(await list()).toBe('mock,mock\r\n')
  expect(await list(typed`--columns name`)).toBe('mock\r\n')
  expect(JSON.parse(await list([], { RMA_OUTPUT: 'json' }))).toHaveLength(1)
  expect(await list(typed`-o table`, { RMA_OUTPUT: 'json' })).toMatch(/^mock +mock\n$/)
  expect((await run`auth status --no-headers`).stdout).toContain('built-in sandbox')
  succeeded(await set`--unset default-output --unset default-columns`)
  expect(await list()).toContain('built-in sandbox')
  ended(await set`--default-columns nothing`, 2)
  ended(await set`--default-output xml`, 2)
})
