import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'
import { rolldown } from 'rolldown'
import { beforeEach, expect, it } from 'vitest'
import type { Profile } from '../../../src/lib/config/profile.ts'
import { createProfileStore } from '../../../src/lib/config/profiles.ts'
import { typed } from '../../helpers/command-line.ts'
import { jsonFile, newFolder } from '../../helpers/files.ts'
import { expectRejection } from '../../helpers/rejections.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

let home: string
let directory: string
let file: string

beforeEach(() => {
  home = newFolder()
  directory = path.join(home, 'deep', 'rma')
  file = path.join(directory, 'config.json')
})

const STAGING: Profile = { name: 'staging', environment: 'staging', baseUrl: 'https://staging.example.com' }
const modeOf = (place: string) => statSync(place).mode & 0o777
const writeSettings = (content: string | object) => {
  mkdirSync(directory, { recursive: true })
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
}

it('the only initial profile is mock, and reading creates no file', async () => {
  const store = createProfileStore(directory)
  expect(await store.list()).toEqual([{ name: 'mock', environment: 'mock' }])
  expect(await store.current()).toBe('mock')
  expect(await store.get('mock')).toEqual({ name: 'mock', environment: 'mock' })
  expect(existsSync(directory)).toBe(false)
  expect(store.path).toBe(file)
})

it('removing another profile keeps the current one', async () => {
  const store = createProfileStore(directory)
  await store.add(STAGING)
  await store.add({ ...STAGING, name: 'other' })
  await store.use('staging')
  await store.remove('other')
  expect(await store.current()).toBe('staging')
})

it('profiles are private: file 0600 in a directory 0700, a wider file is tightened', async () => {
  const store = createProfileStore(directory)
  await store.add(STAGING)
  expect([modeOf(file), modeOf(directory)]).toEqual([0o600, 0o700])
  chmodSync(file, 0o644)
  await store.use('staging')
  expect(modeOf(file)).toBe(0o600)
})

it('mock may have a shop and a zone, but no address and no token', async () => {
  const store = createProfileStore(directory)
  expect(await store.set('mock', { shop: 'ES01', timeZone: 'UTC' })).toEqual({
    name: 'mock',
    environment: 'mock',
    shop: 'ES01',
    timeZone: 'UTC',
  })
  expect(await store.list()).toHaveLength(1)
  for (const change of [
    { baseUrl: 'https://x.example' },
    { token: 't' },
    { environment: 'staging' as const },
  ]) {
    await expectRejection(store.set('mock', change), 'usage')
  }
  await expectRejection(store.add({ name: 'mock', environment: 'mock' }), 'config')
  await expectRejection(store.remove('mock'), 'config')
})

it.each([
  ['cut in the middle', '{"profiles":[{"name":"a","token":"s3cr', 'is not valid JSON', []],
  ['empty', '', 'is not valid JSON', []],
  ['a list', [], 'is not what it should be', [{ path: '', message: 'must be of type object' }]],
  ['null', 'null', 'is not what it should be', [{ path: '', message: 'must be of type object' }]],
  [
    'profiles in an object',
    { profiles: {} },
    'is not',
    [{ path: 'profiles', message: 'must be of type array' }],
  ],
  [
    'a wrong zone',
    { profiles: [{ ...STAGING, timeZone: 's3cr' }] },
    'is not',
    [{ path: 'profiles[0].timeZone', message: expect.stringContaining('IANA') }],
  ],
  [
    'a wrong environment',
    { profiles: [STAGING, { ...STAGING, name: 'b', environment: 's3cr' }] },
    'is not',
    [{ path: 'profiles[1].environment', message: 'must be one of mock, development, staging, production' }],
  ],
  [
    'a number for a token',
    { profiles: [{ ...STAGING, token: 5 }] },
    'is not',
    [{ path: 'profiles[0].token', message: 'must be of type string' }],
  ],
  [
    'a name twice',
    { profiles: [STAGING, STAGING] },
    'is not',
    [{ path: 'profiles[1].name', message: 'staging is there twice' }],
  ],
  [
    'a current that is not there',
    { current: 's3cr' },
    'is not',
    [{ path: 'current', message: 'names a profile that is not there' }],
  ],
  [
    'a token in two lines',
    { profiles: [{ ...STAGING, token: 's3cr\nt' }] },
    'is not',
    [{ path: 'profiles[0].token', message: 'must be one word in ASCII' }],
  ],
  [
    'a current that is not a text',
    { current: 5 },
    'is not',
    [{ path: 'current', message: 'must be of type string' }],
  ],
])(
  'an unusable settings file (%s) is an error with a remedy, and stays unchanged',
  async (_, content, what, details) => {
    writeSettings(content)
    const before = readFileSync(file)
    const store = createProfileStore(directory)
    for (const attempt of [
      () => store.list(),
      () => store.add({ ...STAGING, name: 'new' }),
      () => store.use('mock'),
    ]) {
      const error = await attempt().then(
        () => undefined,
        (reason) => reason,
      )
      expect(error).toMatchObject({
        kind: 'config',
        message: expect.stringContaining(`${file} ${what}`),
        details,
      })
      expect(error).toMatchObject({
        hints: ['correct the file by hand', expect.stringContaining(`: mv ${file} ${file}.broken`)],
      })
      expect(JSON.stringify(error)).not.toContain('s3cr')
    }
    expect(readFileSync(file)).toEqual(before)
    expect(readdirSync(directory)).toEqual(['config.json'])
  },
)

it('a change of settings keeps fields that a newer version wrote', async () => {
  writeSettings({ future: { a: 1 }, profiles: [{ ...STAGING, colour: 'red' }] })
  await createProfileStore(directory).set('staging', { shop: 'ES01' })
  expect(jsonFile(file)).toMatchObject({
    future: { a: 1 },
    profiles: [{ name: 'mock' }, { name: 'staging', colour: 'red', shop: 'ES01' }],
  })
})

it('a settings file that can’t be read or written is a config error with its path', async () => {
  mkdirSync(file, { recursive: true })
  const store = createProfileStore(directory)
  await expectRejection(store.list(), 'config', `Can't read the settings file ${file} (EISDIR).`)
  writeFileSync(path.join(home, 'occupied'), '')
  const blocked = createProfileStore(path.join(home, 'occupied', 'rma'))
  await expectRejection(blocked.add(STAGING), 'config', /^Can't write .*ENOTDIR/)
})

it('simultaneous writers in one process lose nothing', async () => {
  const names = times(12, (index) => `p${index}`)
  await Promise.all(names.map((name) => createProfileStore(directory).add({ ...STAGING, name })))
  expect(valuesOf(await createProfileStore(directory).list(), 'name').sort()).toEqual(
    ['mock', ...names].sort(),
  )
})

it('simultaneous processes lose nothing, despite the lock of a dead one', async () => {
  const bundle = await rolldown({
    input: 'src/lib/config/profiles.ts',
    platform: 'node',
    logLevel: 'silent',
  })
  await bundle.write({
    dir: home,
    format: 'cjs',
    entryFileNames: 'profiles.cjs',
    chunkFileNames: '[name]-[hash].cjs',
  })
  await bundle.close()
  mkdirSync(directory, { recursive: true })
  writeFileSync(
    `${file}.lock`,
    JSON.stringify({ pid: 7, host: hostname(), id: 'dead', alive: '.rma-none-0.alive' }),
  )

  const script = `
      const { createProfileStore } = require(${JSON.stringify(path.join(home, 'profiles.cjs'))})
      const store = createProfileStore(${JSON.stringify(directory)})
      ;(async () => {
        for (let i = 0; i < 5; i++) {
          await store.add({ name: process.argv[1] + i, environment: 'staging', baseUrl: 'https://x.example' })
        }
      })()`
  const exits = ['a', 'b', 'c', 'd'].map((name) => {
    const child = spawn(process.execPath, typed`-e ${script} ${name}`, {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    return new Promise((resolve) => child.once('exit', resolve))
  })
  expect(await Promise.all(exits)).toEqual([0, 0, 0, 0])
  expect(await createProfileStore(directory).list()).toHaveLength(1 + 4 * 5)
  expect(readdirSync(directory)).toEqual(['config.json'])
})
