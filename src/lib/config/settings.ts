import { AppError, errorCode, rewordError } from '../errors.ts'
import { systemTimeZone } from '../wire/time.ts'
import { baseUrlProblem, labelHostProblem } from './base-url.ts'
import { databaseUrlProblem, withoutPassword } from './database-url.ts'
import type { Env } from './paths.ts'
import {
  API_REVISIONS,
  type ApiRevision,
  type Environment,
  isProtected,
  MOCK,
  type Profile,
} from './profile.ts'
import type { ProfileStore } from './profiles.ts'
import {
  byDefault,
  checkSetting,
  emptyProblem,
  fromEnvironment,
  fromFlag,
  fromProfile,
  oneOf,
  readCount,
  readSeconds,
  readSwitch,
  type Sourced,
  zoneProblem,
} from './setting-values.ts'
import { expiryWarning, readToken, type Token } from './token.ts'

const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'yaml'] as const
export type ExtraFormat = 'geojson'
type OutputFormat = (typeof OUTPUT_FORMATS)[number] | ExtraFormat

export interface SettingFlags {
  profile?: string | undefined
  shop?: string | undefined
  'base-url'?: string | undefined
  'token-file'?: string | undefined
  output?: string | undefined
  extraFormats?: readonly ExtraFormat[] | undefined
  json?: boolean | undefined
  jq?: string | undefined
  'time-zone'?: string | undefined
  timeout?: string | undefined
  retries?: string | undefined
  'ca-file'?: string | undefined
  'api-revision'?: string | undefined
  'label-host'?: string[] | undefined
  database?: string | undefined
  verbose?: boolean | undefined
  strict?: boolean | undefined
}

export interface Settings {
  /** Undefined when flags or environment give address and token, and no profile was asked for. */
  profile: Sourced<string> | undefined
  environment: Environment | undefined
  /** The command runs the platform itself: profile `mock`, and no other address. */
  isSandbox: boolean
  isProtected: boolean
  registersLabels: boolean
  /** Undefined for the sandbox. */
  baseUrl: Sourced<string> | undefined
  /** Origin that the profile's token is bound to. */
  profileBaseUrl: string | undefined
  /** Unchecked: see `requireToken`. */
  token: Sourced<string> | undefined
  shop: Sourced<string> | undefined
  output: Sourced<OutputFormat>
  timeZone: Sourced<string>
  /** An attempt's. */
  timeoutMs: Sourced<number>
  retries: Sourced<number>
  caFile: Sourced<string> | undefined
  apiRevision: Sourced<ApiRevision>
  /** Hosts of label URLs inside the network, of the profile and this call. */
  labelHosts: string[]
  /** Address of the PostgreSQL database that holds the mirror; undefined: it is a file. */
  database: Sourced<string> | undefined
  verbose: Sourced<boolean>
  strict: Sourced<boolean>
  /** One sentence each, for standard error. */
  warnings: string[]
}

export interface SettingSources {
  flags: SettingFlags
  env: Env
  store: Pick<ProfileStore, 'get' | 'current'>
  /** `-` is standard input. */
  readFile: (path: string) => Promise<string>
}

/**
 * Precedence: flag, environment, profile, default.
 * @throws AppError `usage` for a bad value, `config` for an unknown profile or an unusable settings file
 */
export async function resolveSettings(sources: SettingSources): Promise<Settings> {
  const { flags, env } = sources
  const given = (flag: string | undefined, flagName: string, variable: string) =>
    fromFlag(flag, flagName) ?? fromEnvironment(env, variable)

  const givenUrl = checkSetting(given(flags['base-url'], '--base-url', 'RMA_BASE_URL'), baseUrlProblem)
  const givenToken = (await readTokenFile(sources)) ?? fromEnvironment(env, 'RMA_TOKEN')
  const name = await chooseProfile(sources, givenUrl !== undefined && givenToken !== undefined)
  const profile = name === undefined ? undefined : await sources.store.get(name.value)
  const ofProfile = <K extends keyof Profile>(key: K) => fromProfile(profile, key)

  const baseUrl = givenUrl ?? ofProfile('baseUrl')
  const token = givenToken ?? ofProfile('token')
  return {
    profile: name,
    environment: profile?.environment,
    isSandbox: profile !== undefined && baseUrl === undefined,
    isProtected: isProtected(profile),
    registersLabels: profile?.registerLabels ?? false,
    baseUrl,
    profileBaseUrl: profile?.baseUrl,
    token,
    shop: checkSetting(given(flags.shop, '--shop', 'RMA_SHOP'), emptyProblem) ?? ofProfile('shop'),
    output: chooseOutput(flags, env),
    timeZone:
      checkSetting(given(flags['time-zone'], '--time-zone', 'RMA_TIME_ZONE'), zoneProblem) ??
      ofProfile('timeZone') ??
      byDefault(systemTimeZone(), 'system'),
    timeoutMs: readSeconds(given(flags.timeout, '--timeout', 'RMA_TIMEOUT')) ?? byDefault(30_000),
    retries: readCount(given(flags.retries, '--retries', 'RMA_RETRIES')) ?? byDefault(3),
    caFile: fromFlag(flags['ca-file'], '--ca-file'),
    apiRevision:
      oneOf(fromFlag(flags['api-revision'], '--api-revision'), API_REVISIONS) ??
      ofProfile('apiRevision') ??
      byDefault('1.4'),
    labelHosts: [...(profile?.labelHosts ?? []), ...checkedLabelHosts(flags['label-host'])],
    database:
      checkSetting(
        given(flags.database && withoutPassword(flags.database), '--database', 'RMA_DATABASE'),
        databaseUrlProblem,
      ) ?? ofProfile('database'),
    verbose:
      fromFlag(flags.verbose || undefined, '--verbose') ??
      readSwitch(fromEnvironment(env, 'RMA_DEBUG')) ??
      byDefault(false),
    strict: fromFlag(flags.strict || undefined, '--strict') ?? byDefault(false),
    warnings: addressWarnings(name, profile, givenUrl, token),
  }
}

/**
 * Not for the sandbox, which makes its own.
 * @throws AppError `auth` if it is missing, unreadable or expired, `config` if it is the profile's and the address is
 * not
 */
export function requireToken(settings: Settings, now: number): { token: Token; warnings: string[] } {
  const { token: given, profile } = settings
  const login = loginCommand(profile?.value)
  if (given === undefined) {
    const what =
      login === undefined
        ? `There is no token for ${settings.baseUrl?.value}.`
        : `The profile ${profile?.value} has no token.`
    const byHand = 'give a token in RMA_TOKEN, or with --token-file FILE'
    throw new AppError('auth', what, { hints: login === undefined ? [byHand] : [login, byHand] })
  }
  if (given.source === 'profile') refuseElsewhere(profile?.value, settings.profileBaseUrl, settings.baseUrl)
  const remedy =
    given.source === 'profile' && login !== undefined ? login : `put a new token into ${given.origin}`
  const token = readTokenFrom(given)
  const warning = expiryWarning(token, now, remedy)
  return { token, warnings: warning === undefined ? [] : [warning] }
}

/** A profile's token goes to its origin only. @throws AppError `config` that names both */
export function refuseElsewhere(
  profile: string | undefined,
  profileBaseUrl: string | undefined,
  baseUrl: Sourced<string> | undefined,
): void {
  if (profileBaseUrl === undefined || baseUrl === undefined) return
  const [own, asked] = [new URL(profileBaseUrl).origin, new URL(baseUrl.value).origin]
  if (own === asked) return
  throw new AppError(
    'config',
    `The token of the profile ${profile} is for ${own}; it is not sent to ${asked} (${baseUrl.origin}).`,
    {
      hints: [
        `give the token for ${asked} in RMA_TOKEN, or with --token-file FILE`,
        baseUrl.source === 'flag'
          ? 'or leave out --base-url'
          : `or take the address away: unset ${baseUrl.origin}`,
      ],
    },
  )
}

/** No token is kept without a profile, nor in `mock`. */
function loginCommand(profile: string | undefined): string | undefined {
  return profile === undefined || profile === MOCK ? undefined : `rma auth login --profile ${profile}`
}

function readTokenFrom({ value, origin }: Sourced<string>): Token {
  try {
    return readToken(value)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw rewordError(error, `${error.message} (from ${origin})`)
  }
}

/** The one asked for, else the current one; none where it could give nothing. */
async function chooseProfile({ flags, env, store }: SettingSources, isComplete: boolean) {
  const asked = fromFlag(flags.profile, '--profile') ?? fromEnvironment(env, 'RMA_PROFILE')
  // Complete without it: another environment's shop or protection must not slip in.
  if (asked !== undefined || isComplete) return asked
  const current = await store.current()
  return current === MOCK
    ? byDefault(current)
    : { value: current, source: 'profile' as const, origin: 'rma profiles use' }
}

async function readTokenFile({ flags, readFile }: SettingSources): Promise<Sourced<string> | undefined> {
  const file = flags['token-file']
  if (file === undefined) return undefined
  const place = file === '-' ? 'standard input' : file
  let text: string
  try {
    text = await readFile(file)
  } catch (error) {
    const why =
      errorCode(error) === 'ENOENT'
        ? 'there is no such file'
        : `it can't be read (${errorCode(error) ?? 'unknown'})`
    throw new AppError('usage', `--token-file ${place}: ${why}.`, { cause: error })
  }
  if (text.trim() === '') throw new AppError('auth', `--token-file ${place}: there is no token in it.`)
  return { value: text.trim(), source: 'flag', origin: file === '-' ? place : `--token-file ${file}` }
}

function checkedLabelHosts(hosts: readonly string[] = []): readonly string[] {
  for (const host of hosts) checkSetting(fromFlag(host, '--label-host'), labelHostProblem)
  return hosts
}

function chooseOutput(
  { output, json, jq, extraFormats = [] }: SettingFlags,
  env: Env,
): Sourced<OutputFormat> {
  const formats = [...OUTPUT_FORMATS, ...extraFormats]
  const asked = oneOf(fromFlag(output, '--output'), formats)
  const jsonBy = json ? '--json' : jq === undefined ? undefined : '--jq'
  if (jsonBy === undefined)
    return asked ?? oneOf(fromEnvironment(env, 'RMA_OUTPUT'), formats) ?? byDefault('table')
  if (asked !== undefined && asked.value !== 'json') {
    throw new AppError('usage', `${jsonBy} does not go with --output ${asked.value}.`, {
      hints: ['leave out one of the two'],
    })
  }
  return { value: 'json', source: 'flag', origin: jsonBy }
}

function addressWarnings(
  name: Sourced<string> | undefined,
  profile: Profile | undefined,
  baseUrl: Sourced<string> | undefined,
  token: Sourced<string> | undefined,
): string[] {
  if (name === undefined || profile === undefined || baseUrl === undefined) return []
  const { origin } = new URL(baseUrl.value)
  if (profile.baseUrl !== undefined && new URL(profile.baseUrl).origin === origin) return []
  // Refused where the token is asked for.
  if (token?.source === 'profile') return []
  // A leftover variable would turn a try on the sandbox into a real write.
  if (name.source === 'flag' && baseUrl.source === 'environment') {
    return [`${baseUrl.origin} takes precedence over the profile ${profile.name}: requests go to ${origin}.`]
  }
  return []
}
