import { expect, it } from 'vitest'
import type { Profile } from '../../../src/lib/config/profile.ts'
import { requireToken, resolveSettings, type SettingFlags } from '../../../src/lib/config/settings.ts'
import { systemTimeZone } from '../../../src/lib/wire/time.ts'
import { type Env, jwt } from '../../helpers/command-line.ts'
import { expectRejection } from '../../helpers/rejections.ts'

const MOCK: Profile = { name: 'mock', environment: 'mock' }
const STAGING: Profile = {
  name: 'staging',
  environment: 'staging',
  baseUrl: 'https://staging.example.com/api',
  shop: 'ES01',
  timeZone: 'Europe/Madrid',
  apiRevision: '1.2.10',
  token: 'profile-token',
}

interface Given {
  flags?: SettingFlags
  env?: Env
  profiles?: Profile[]
  current?: string
  files?: Record<string, string | Error>
}

/** Fails the test at every use of the settings file, unless `profiles` is given. */
function resolve({ flags = {}, env = {}, profiles, current = 'mock', files = {} }: Given) {
  const unused = () => Promise.reject(new Error('the settings file was read'))
  const get = async (name: string) => {
    const profile = profiles?.find((candidate) => candidate.name === name)
    if (!profile) throw new Error(`no profile ${name}`)
    return profile
  }
  return resolveSettings({
    flags,
    env,
    store: profiles ? { get, current: async () => current } : { get: unused, current: unused },
    readFile: async (path) => {
      const content = files[path] ?? Object.assign(new Error('ENOENT'), { code: 'ENOENT' })
      if (content instanceof Error) throw content
      return content
    },
  })
}

const profiles = [MOCK, STAGING]

it('settings fall back to the sandbox and the defaults', async () => {
  const byDefault = (value: unknown, origin = 'default') => ({ value, source: 'default', origin })
  expect(await resolve({ profiles })).toEqual({
    profile: byDefault('mock'),
    environment: 'mock',
    isSandbox: true,
    isProtected: false,
    baseUrl: undefined,
    token: undefined,
    shop: undefined,
    output: byDefault('table'),
    timeZone: byDefault(systemTimeZone(), 'system'),
    timeoutMs: byDefault(30_000),
    retries: byDefault(3),
    caFile: undefined,
    apiRevision: byDefault('1.4'),
    labelHosts: [],
    profileBaseUrl: undefined,
    registersLabels: false,
    verbose: byDefault(false),
    strict: byDefault(false),
    warnings: [],
  })
})

it('settings of the current profile apply', async () => {
  const settings = await resolve({ profiles, current: 'staging' })
  const ofProfile = (value: unknown) => ({ value, source: 'profile', origin: 'profile staging' })
  expect(settings).toMatchObject({
    profile: { value: 'staging', source: 'profile' },
    isSandbox: false,
    baseUrl: ofProfile('https://staging.example.com/api'),
    token: ofProfile('profile-token'),
    shop: ofProfile('ES01'),
    timeZone: ofProfile('Europe/Madrid'),
    apiRevision: ofProfile('1.2.10'),
    warnings: [],
  })
})

// setting, flag, its typed value, variable, its value, expected from the flag, expected from the variable
it.each([
  ['shop', 'shop', 'A', 'RMA_SHOP', 'B', 'A', 'B'],
  [
    'baseUrl',
    'base-url',
    'https://a.example',
    'RMA_BASE_URL',
    'https://b.example',
    'https://a.example',
    'https://b.example',
  ],
  ['output', 'output', 'csv', 'RMA_OUTPUT', 'yaml', 'csv', 'yaml'],
  ['timeZone', 'time-zone', 'Asia/Tokyo', 'RMA_TIME_ZONE', 'UTC', 'Asia/Tokyo', 'UTC'],
  ['timeoutMs', 'timeout', '2.5', 'RMA_TIMEOUT', '5', 2500, 5000],
  ['retries', 'retries', '0', 'RMA_RETRIES', '9', 0, 9],
  ['profile', 'profile', 'staging', 'RMA_PROFILE', 'mock', 'staging', 'mock'],
  ['verbose', 'verbose', true, 'RMA_DEBUG', '0', true, false],
  ['verbose', 'verbose', true, 'RMA_DEBUG', '1', true, true],
] as const)(
  '%s comes from the flag, then the variable, then the profile',
  async (setting, flag, typed, variable, value, first, second) => {
    const base = { profiles, current: 'staging' }
    const both = await resolve({ ...base, flags: { [flag]: typed }, env: { [variable]: value } })
    expect(both[setting]).toEqual({ value: first, source: 'flag', origin: `--${flag}` })
    const one = await resolve({ ...base, env: { [variable]: value } })
    expect(one[setting]).toEqual({ value: second, source: 'environment', origin: variable })
    const empty = await resolve({ ...base, env: { [variable]: '' } })
    expect(empty[setting]).toEqual((await resolve(base))[setting])
  },
)

it('flags without a variable apply', async () => {
  const settings = await resolve({
    profiles,
    current: 'staging',
    flags: { strict: true, 'ca-file': 'ca.pem', 'api-revision': '1.4' },
  })
  expect([settings.strict.value, settings.caFile?.value, settings.apiRevision.value]).toEqual([
    true,
    'ca.pem',
    '1.4',
  ])
  expect(
    (await resolve({ profiles, flags: { verbose: false }, env: { RMA_DEBUG: '1' } })).verbose.value,
  ).toBe(true)
})

it('the token comes from the file, then the variable, then the profile', async () => {
  const files = { 't.txt': ' file-token\n', '-': 'piped-token\n' }
  const env = { RMA_TOKEN: 'env-token' }
  const base = { profiles, current: 'staging', files }
  const token = async (given: Given) => (await resolve({ ...base, ...given })).token
  expect(await token({ flags: { 'token-file': 't.txt' }, env })).toEqual({
    value: 'file-token',
    source: 'flag',
    origin: '--token-file t.txt',
  })
  expect(await token({ flags: { 'token-file': '-' }, env })).toMatchObject({
    value: 'piped-token',
    origin: 'standard input',
  })
  expect(await token({ env })).toEqual({ value: 'env-token', source: 'environment', origin: 'RMA_TOKEN' })
  expect(await token({})).toMatchObject({ value: 'profile-token', source: 'profile' })
})

it('address and token are enough without a profile or a settings file', async () => {
  const settings = await resolve({ env: { RMA_BASE_URL: 'http://127.0.0.1:4010', RMA_TOKEN: 't' } })
  expect(settings).toMatchObject({
    profile: undefined,
    environment: undefined,
    isSandbox: false,
    isProtected: false,
    shop: undefined,
  })
  const asked = await resolve({
    profiles,
    flags: { profile: 'staging' },
    env: { RMA_BASE_URL: 'http://127.0.0.1:4010', RMA_TOKEN: 't' },
  })
  expect(asked).toMatchObject({ profile: { value: 'staging' }, shop: { value: 'ES01' } })
})

it.each([
  [{ json: true }, {}, 'json', '--json'],
  [{ jq: '.returns' }, { RMA_OUTPUT: 'csv' }, 'json', '--jq'],
  [{ json: true, output: 'json' }, {}, 'json', '--json'],
])('the output format is taken from %j', async (flags, env, value, origin) => {
  expect((await resolve({ profiles, flags, env })).output).toEqual({ value, source: 'flag', origin })
})

it.each([
  [{ output: 'xml' }, {}, '--output: "xml" must be one of table, json, ndjson, csv, yaml.'],
  [{}, { RMA_OUTPUT: 'jsno' }, 'RMA_OUTPUT: "jsno" must be one of table, json, ndjson, csv, yaml.'],
  [{ json: true, output: 'csv' }, {}, '--json does not go with --output csv.'],
  [{ jq: '.', output: 'table' }, {}, '--jq does not go with --output table.'],
  [{ timeout: '0' }, {}, '--timeout: "0" must be a number of seconds from 0.001 to 86400.'],
  [{ timeout: '1e3' }, {}, '--timeout: "1e3" must be a number of seconds from 0.001 to 86400.'],
  [{}, { RMA_TIMEOUT: '86401' }, 'RMA_TIMEOUT: "86401" must be a number of seconds from 0.001 to 86400.'],
  [{ retries: '-1' }, {}, '--retries: "-1" must be a whole number from 0 to 100.'],
  [{}, { RMA_RETRIES: '1.5' }, 'RMA_RETRIES: "1.5" must be a whole number from 0 to 100.'],
  [{ retries: '' }, {}, '--retries: "" must be a whole number from 0 to 100.'],
  [
    { 'time-zone': 'CEST' },
    {},
    '--time-zone: "CEST" is not an IANA time zone, such as Europe/Madrid or UTC.',
  ],
  [{ 'time-zone': 'BST' }, {}, '--time-zone: "BST" is not an IANA time zone, such as Europe/Madrid or UTC.'],
  [
    {},
    { RMA_TIME_ZONE: 'Europe/Madird' },
    'RMA_TIME_ZONE: "Europe/Madird" is not an IANA time zone, such as Europe/Madrid or UTC.',
  ],
  [{ 'api-revision': '1.3' }, {}, '--api-revision: "1.3" must be one of 1.4, 1.2.10.'],
  [{ shop: '' }, {}, '--shop: "" must not be empty.'],
  [
    { 'base-url': 'example.com' },
    {},
    '--base-url: "example.com" is not a URL; it looks like https://api.example.com.',
  ],
  [
    {},
    { RMA_BASE_URL: 'ftp://example.com' },
    'RMA_BASE_URL: "ftp://example.com" must start with https:// or http://.',
  ],
  [
    { 'base-url': 'https://u:secret@example.com' },
    {},
    '--base-url: "https://…@example.com" must not hold a user name or password; the token is given on its own.',
  ],
  [
    { 'base-url': 'https://example.com/?a=1' },
    {},
    '--base-url: must not have a query (?) or a fragment (#).',
  ],
  [
    {},
    { RMA_BASE_URL: 'eyJhbGciOi.eyJzdWIiOi.c2VjcmV0' },
    'RMA_BASE_URL: is not a URL; it looks like https://api.example.com.',
  ],
  [{ 'token-file': 'none' }, {}, '--token-file none: there is no such file.'],
  [{ 'token-file': 'dir' }, {}, "--token-file dir: it can't be read (EISDIR)."],
])('resolveSettings refuses %j %j', async (flags, env, message) => {
  const files = { dir: Object.assign(new Error('x'), { code: 'EISDIR' }) }
  await expectRejection(resolve({ profiles, flags, env, files }), 'usage', message)
})

it('resolveSettings suggests the format that was meant', async () => {
  await expect(resolve({ profiles, flags: { output: 'jsno' } })).rejects.toMatchObject({
    hints: ['did you mean json?'],
  })
})

it('a token file without a token is an auth error', async () => {
  const given = { profiles, flags: { 'token-file': 't.txt' }, files: { 't.txt': ' \n' } }
  await expectRejection(resolve(given), 'auth', expect.stringContaining('t.txt'))
})

it.each([
  [
    'the same origin',
    { env: { RMA_BASE_URL: 'https://staging.example.com/v2' }, current: 'staging' },
    undefined,
  ],
  [
    'a token of its own',
    { flags: { 'base-url': 'https://other.example.com' }, env: { RMA_TOKEN: 't' }, current: 'staging' },
    undefined,
  ],
  [
    'a variable against --profile',
    { flags: { profile: 'mock' }, env: { RMA_BASE_URL: 'https://live.example.com', RMA_TOKEN: 't' } },
    /RMA_BASE_URL takes precedence over the profile mock/,
  ],
])('resolveSettings warns about the address: %s', async (_, given, warning) => {
  const { warnings } = await resolve({ profiles, ...given })
  expect(warnings).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)])
})

const NOW = Date.parse('2026-03-01T00:00:00Z')
const expiring = (leftSeconds: number) => jwt({ exp: NOW / 1000 + leftSeconds })
const settingsWith = (given: Given) => resolve({ profiles, ...given })

it('requireToken returns the token, with a warning when it expires soon', async () => {
  const fresh = requireToken(
    await settingsWith({ env: { RMA_TOKEN: expiring(90_000), RMA_BASE_URL: 'https://x.example' } }),
    NOW,
  )
  expect(fresh).toMatchObject({ token: { wellFormed: true }, warnings: [] })
  const old = requireToken(
    await settingsWith({ profiles: [{ ...STAGING, token: expiring(3600) }], current: 'staging' }),
    NOW,
  )
  expect(old.warnings).toEqual([expect.stringMatching(/60 min, .* rma auth login --profile staging$/)])
})

it.each([
  [
    'a profile without',
    { profiles: [{ ...STAGING, token: undefined }], current: 'staging' },
    'The profile staging has no token.',
    'rma auth login --profile staging',
  ],
  [
    'an address alone',
    { env: { RMA_BASE_URL: 'https://x.example' } },
    'There is no token for https://x.example.',
    'give a token in RMA_TOKEN, or with --token-file FILE',
  ],
  [
    'one that expired',
    { env: { RMA_BASE_URL: 'https://x.example', RMA_TOKEN: expiring(-60) } },
    'The token expired 1 min ago, at 2026-02-28 23:59:00Z.',
    'put a new token into RMA_TOKEN',
  ],
  [
    'one in two lines',
    { env: { RMA_BASE_URL: 'https://x.example', RMA_TOKEN: 'a\nb' } },
    'The token holds a space or a line break. (from RMA_TOKEN)',
    'copy it again, whole and on one line',
  ],
])('requireToken gives an auth error with a remedy for %s', async (_, given, message, hint) => {
  const settings = await settingsWith(given)
  expect(() => requireToken(settings, NOW)).toThrow(
    expect.objectContaining({ kind: 'auth', message, hints: expect.arrayContaining([hint]) }),
  )
})
