import { AppError, causedBy, errorCode } from '../errors.ts'
import { databaseUrlProblem, withoutPassword } from './database-url.ts'
import { keyringEntryOf } from './keyring.ts'
import type { Env } from './paths.ts'
import { credentialProcessOf, MOCK, type Profile } from './profile.ts'
import type { ProfileStore } from './profiles.ts'
import {
  baseUrlProblem,
  byDefault,
  checkSetting,
  fromEnvironment,
  fromFlag,
  fromProfile,
  givenSetting,
  type Sourced,
} from './setting-values.ts'

export type PlatformSettings = Omit<Awaited<ReturnType<typeof resolvePlatform>>, 'record'>

export interface PlatformFlags {
  profile?: string
  shop?: string
  'base-url'?: string
  'token-file'?: string
  database?: string
}

export interface PlatformSources {
  flags: PlatformFlags
  env: Env
  store: Pick<ProfileStore, 'get' | 'current'>
  readFile: (path: string) => Promise<string>
}

export async function resolvePlatform(sources: PlatformSources) {
  const { flags, env } = sources
  const given = givenSetting(env)
  const givenUrl = checkSetting(given(flags['base-url'], '--base-url', 'RMA_BASE_URL'), baseUrlProblem)
  const givenToken = (await readTokenFile(sources)) ?? fromEnvironment(env, 'RMA_TOKEN')
  const name = await chooseProfile(sources, givenUrl !== undefined && givenToken !== undefined)
  const record = name === undefined ? undefined : await sources.store.get(name.value)
  const address = givenUrl ?? fromProfile(record, 'baseUrl')
  const baseUrl = address && { ...address, value: address.value.replace(/\/+$/, '') }
  const token = givenToken ?? fromProfile(record, 'token')
  const tokenSource = token === undefined && record?.baseUrl !== undefined ? record : undefined
  const shop = checkSetting(given(flags.shop, '--shop', 'RMA_SHOP'), (text) =>
    text.trim() === '' ? 'must not be empty' : undefined,
  )
  const database = given(flags.database && withoutPassword(flags.database), '--database', 'RMA_DATABASE')
  return {
    record,
    /** Absent if flags or environment give address and token and name no profile. */
    profile: name,
    /** True without an address, which only the profile `mock` lacks. */
    isSandbox: baseUrl === undefined,
    baseUrl,
    profileBaseUrl: record?.baseUrl,
    profileShop: record?.shop,
    /** Unchecked: see `requireToken`. */
    token,
    credentialProcess: tokenSource && credentialProcessOf(tokenSource),
    keyring: tokenSource && keyringEntryOf(tokenSource),
    shop: shop ?? fromProfile(record, 'shop'),
    /** Address of the PostgreSQL mirror; undefined for a file. */
    database: checkSetting(database, databaseUrlProblem) ?? fromProfile(record, 'database'),
    warnings: addressWarnings(name, record, givenUrl, token),
  }
}

/** Returns the named profile, else the current one; undefined where none is needed. */
async function chooseProfile({ flags, env, store }: PlatformSources, isComplete: boolean) {
  const explicit = fromFlag(flags.profile, '--profile') ?? fromEnvironment(env, 'RMA_PROFILE')
  // The current profile's shop and protection may be for another platform.
  if (explicit !== undefined || isComplete) return explicit
  const current = await store.current()
  return current === MOCK
    ? byDefault(current)
    : { value: current, source: 'profile' as const, origin: 'rma profiles use' }
}

async function readTokenFile({ flags, readFile }: PlatformSources): Promise<Sourced<string> | undefined> {
  const file = flags['token-file']
  if (file === undefined) return undefined
  const name = file === '-' ? 'standard input' : file
  let text: string
  try {
    text = await readFile(file)
  } catch (error) {
    const why =
      errorCode(error) === 'ENOENT'
        ? 'there is no such file'
        : `it can't be read (${errorCode(error) ?? 'unknown'})`
    throw causedBy(error, 'usage', `--token-file ${name}: ${why}.`)
  }
  if (text.trim() === '') throw new AppError('auth', `--token-file ${name}: there is no token in it.`)
  return { value: text.trim(), source: 'flag', origin: file === '-' ? name : `--token-file ${file}` }
}

function addressWarnings(
  name: Sourced<string> | undefined,
  profile: Profile | undefined,
  baseUrl: Sourced<string> | undefined,
  token: Sourced<string> | undefined,
) {
  if (name === undefined || profile === undefined || baseUrl === undefined) return []
  const { origin } = new URL(baseUrl.value)
  if (profile.baseUrl !== undefined && new URL(profile.baseUrl).origin === origin) return []
  // `requireToken` refuses this combination.
  if (token?.source === 'profile') return []
  // A leftover variable would turn a try on the sandbox into a real write.
  if (name.source === 'flag' && baseUrl.source === 'environment') {
    return [`${baseUrl.origin} takes precedence over the profile ${profile.name}: requests go to ${origin}.`]
  }
  return []
}
