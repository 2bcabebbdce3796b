import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { freshHome, runCli } from '../helpers/run-cli.ts'

let env: Record<string, string>
const run = (...argv: string[]) => runCli(argv, { env })
const settingsFile = () => join(env.RMA_CONFIG_DIR ?? '', 'config.json')

const URL = 'https://returns.example/integration/v1'
const add = (name: string, ...flags: string[]) => run('profiles', 'add', name, '--base-url', URL, ...flags)

beforeEach(() => {
  env = freshHome()
})

describe('profiles', () => {
  it('mock is there, and in use, from the start', async () => {
    const { code, stdout } = await run('profiles', 'list')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^ +NAME.*\n\* +mock +mock +built-in sandbox +not needed\n$/)
  })

  it('are added, chosen, changed, shown and removed', async () => {
    expect((await add('staging', '--environment', 'staging', '--shop', 'MODA', '--use')).stdout).toMatch(
      /Added the profile staging \(staging\)\. It is in use now\./,
    )
    const shown = JSON.parse((await run('profiles', 'show', '--json')).stdout)
    expect(shown).toEqual({
      name: 'staging',
      environment: 'staging',
      baseUrl: URL,
      shop: 'MODA',
      isCurrent: true,
      protected: false,
      hasToken: false,
    })
    expect((await run('profiles', 'show')).stdout).toMatch(/^CURRENT +\*\nNAME +staging\n/)
    await run('profiles', 'set', 'staging', '--unset', 'shop', '--time-zone', 'Europe/Madrid', '--protected')
    expect(JSON.parse((await run('profiles', 'show', 'staging', '--json')).stdout)).toMatchObject({
      timeZone: 'Europe/Madrid',
      protected: true,
    })
    expect(JSON.parse((await run('profiles', 'show', 'staging', '--json')).stdout)).not.toHaveProperty('shop')
    expect((await run('profiles', 'use', 'mock')).stdout).toMatch(/Commands use the profile mock/)
    const refused = await run('profiles', 'remove', 'staging')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/protected.*\nTry: --yes/)])
    expect((await run('profiles', 'remove', 'staging', '--yes')).code).toBe(0)
    expect(
      JSON.parse((await run('profiles', 'list', '--json')).stdout).map((one: { name: string }) => one.name),
    ).toEqual(['mock'])
  })

  it('take the database of a mirror without a password, and show none', async () => {
    const refused = await add('team', '--database', 'postgres://ops:secret@db.example.com/returns')
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/takes no password/)])
    await add('team', '--database', 'postgres://ops@db.example.com/returns')
    const edited = readFileSync(settingsFile(), 'utf8').replace('ops@', 'ops:secret@')
    writeFileSync(settingsFile(), edited)
    const { stdout } = await run('profiles', 'show', 'team', '--json')
    expect(JSON.parse(stdout).database).toBe('postgres://ops@db.example.com/returns')
  })

  it('the file is for its owner alone', async () => {
    await add('staging')
    expect(statSync(settingsFile()).mode & 0o777).toBe(0o600)
  })

  it('production is protected unless told otherwise', async () => {
    await add('live', '--environment', 'production')
    await add('open', '--environment', 'production', '--no-protected')
    const rows: { name: string; protected: boolean }[] = JSON.parse(
      (await run('profiles', 'list', '--json')).stdout,
    )
    expect(rows.map((row) => [row.name, row.protected])).toEqual([
      ['mock', false],
      ['live', true],
      ['open', false],
    ])
  })

  it('what a command is told about a profile is no setting of that call', async () => {
    await add('staging')
    const { code, stderr } = await run(
      'profiles',
      'set',
      'staging',
      '--base-url',
      'https://other.example/integration/v1',
    )
    expect([code, stderr]).toEqual([0, ''])
  })

  it.each([
    [['profiles', 'use', 'stagin'], 3, /no profile "stagin".*did you mean staging.*mock, staging/s],
    [typed`profiles add staging --base-url ${URL}`, 3, /exists already/],
    [typed`profiles add a/b --base-url ${URL}`, 2, /name/],
    [typed`profiles add dev --base-url ftp://x`, 2, /ftp|http/],
    [['profiles', 'add', 'dev'], 2, /baseUrl is missing\nTry: set it with --base-url/],
    [
      typed`profiles add dev --base-url ${URL} --environment prod`,
      2,
      /--environment: "prod" is not one of mock, development/,
    ],
    [typed`profiles set staging --time-zone Mars/Olympus`, 2, /timeZone|time-zone/],
    [['profiles', 'set', 'staging'], 2, /Nothing to change/],
    [typed`profiles set mock --base-url ${URL}`, 2, /mock/],
    [['profiles', 'remove', 'mock'], 3, /always there/],
    [typed`returns list --profile nope`, 3, /no profile "nope"/],
  ])('%j is refused', async (argv, exitCode, message) => {
    await add('staging')
    const before = readFileSync(settingsFile())
    const { code, stderr } = await run(...argv)
    expect(stderr).toMatch(message)
    expect(code).toBe(exitCode)
    expect(readFileSync(settingsFile())).toEqual(before)
  })

  it('a broken settings file: exit 3, its path, what to do, and not a byte of it changed', async () => {
    mkdirSync(env.RMA_CONFIG_DIR ?? '', { recursive: true })
    const broken = '{"profiles": [{"name": "live", "tok'
    writeFileSync(settingsFile(), broken)
    for (const argv of [
      ['returns', 'list'],
      ['profiles', 'list'],
      typed`profiles add x --base-url ${URL}`,
      ['auth', 'status'],
    ]) {
      const { code, stderr } = await run(...argv)
      expect(code).toBe(3)
      expect(stderr).toContain(settingsFile())
      expect(stderr).toMatch(/Try: /)
      expect(readFileSync(settingsFile(), 'utf8')).toBe(broken)
    }
  })
})
