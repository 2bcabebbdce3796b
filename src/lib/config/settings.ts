import { appError, nearHints, rethrowBug, rewordError, usageError } from '../errors.ts'
import { firstOf } from '../wire/counted.ts'
import { isTimeZone, systemTimeZone } from '../wire/time.ts'
import type { Env } from './paths.ts'
import { type PlatformFlags, type PlatformSources, resolvePlatform } from './platform-settings.ts'
import { API_REVISIONS, isProtected, MOCK, OUTPUT_FORMATS, type Profile } from './profile.ts'
import {
  byDefault,
  checkSetting,
  fromEnvironment,
  fromFlag,
  fromProfile,
  givenSetting,
  labelHostProblem,
  oneOf,
  type Sourced,
} from './setting-values.ts'
import { expiryWarning, readToken, type Token } from './token.ts'

const MAX_SHOPS = 5

export type ExtraFormat = 'geojson'
type OutputFormat = (typeof OUTPUT_FORMATS)[number] | ExtraFormat

export interface SettingFlags extends PlatformFlags {
  output?: string
  extraFormats?: readonly ExtraFormat[]
  json?: boolean
  jq?: string
  'time-zone'?: string
  timeout?: string
  retries?: string
  'ca-file'?: string
  'api-revision'?: string
  'label-host'?: string[]
  verbose?: boolean
  strict?: boolean
}

export type Settings = Awaited<ReturnType<typeof resolveSettings>>

interface SettingSources extends PlatformSources {
  flags: SettingFlags
}

/** Precedence: flag, environment, profile, default. @throws AppError `usage`, `config` */
export async function resolveSettings(sources: SettingSources) {
  const { flags, env } = sources
  const given = givenSetting(env)
  const { record: profile, ...platform } = await resolvePlatform(sources)
  const debug = fromEnvironment(env, 'RMA_DEBUG')
  const ofProfile = <K extends keyof Profile>(key: K) => fromProfile(profile, key)
  return {
    ...platform,
    environment: profile?.environment,
    isProtected: isProtected(profile),
    registersLabels: profile?.registerLabels ?? false,
    goodsFile: profile?.goods,
    signature: profile?.signature,
    replyTemplates: profile?.replyTemplates,
    output: chooseOutput(flags, env, ofProfile('defaultOutput')),
    defaultColumns: profile?.defaultColumns,
    timeZone:
      checkSetting(given(flags['time-zone'], '--time-zone', 'RMA_TIME_ZONE'), (zone) =>
        isTimeZone(zone) ? undefined : 'is not an IANA time zone, such as Europe/Madrid or UTC',
      ) ??
      ofProfile('timeZone') ??
      byDefault(systemTimeZone(), 'system'),
    timeoutMs:
      asNumber(given(flags.timeout, '--timeout', 'RMA_TIMEOUT'), secondsProblem, 1000) ?? byDefault(30_000),
    retries: asNumber(given(flags.retries, '--retries', 'RMA_RETRIES'), countProblem, 1) ?? byDefault(3),
    caFile: fromFlag(flags['ca-file'], '--ca-file'),
    apiRevision:
      oneOf(fromFlag(flags['api-revision'], '--api-revision'), API_REVISIONS) ??
      ofProfile('apiRevision') ??
      byDefault('1.4'),
    labelHosts: [...(profile?.labelHosts ?? []), ...checkedLabelHosts(flags['label-host'])],
    verbose:
      fromFlag(flags.verbose || undefined, '--verbose') ??
      (debug && { ...debug, value: !/^(0|false|no|off)$/i.test(debug.value) }) ??
      byDefault(false),
    strict: fromFlag(flags.strict || undefined, '--strict') ?? byDefault(false),
  }
}

/**
 * Returns the token for a platform other than the sandbox. @throws AppError `auth` if it is missing or
 * expired, `config` if only the token is from the profile, not the address
 */
export function requireToken(settings: Settings, now: number) {
  const { token: given, profile } = settings
  const name = profile?.value
  const login = name === undefined || name === MOCK ? undefined : `rma auth login --profile ${name}`
  if (given === undefined) {
    const what =
      login === undefined
        ? `There is no token for ${settings.baseUrl?.value}.`
        : `The profile ${profile?.value} has no token.`
    const byHand = 'give a token in RMA_TOKEN, or with --token-file FILE'
    throw appError('auth', what, ...(login === undefined ? [byHand] : [login, byHand]))
  }
  if (given.source === 'profile') refuseElsewhere(profile?.value, settings.profileBaseUrl, settings.baseUrl)
  const isKept = given.source === 'profile' && settings.credentialProcess === undefined
  const remedy = isKept && login !== undefined ? login : `put a new token into ${given.origin}`
  const token = readTokenFrom(given)
  const warnings = [expiryWarning(token, now, remedy), shopWarning(settings.shop, token)]
  return { token, warnings: warnings.filter((text) => text !== undefined) }
}

function shopWarning(shop: Sourced<string> | undefined, { shops = [] }: Token) {
  if (shop === undefined || shops.length === 0 || shops.includes(shop.value)) return undefined
  const [near = ''] = nearHints(shop.value, shops, (one) => `; did you mean ${one}?`)
  return `The token covers ${firstOf(shops, MAX_SHOPS)}, and not the shop ${shop.value} (${shop.origin})${near}`
}

export function refuseElsewhere(
  profile: string | undefined,
  profileBaseUrl: string | undefined,
  baseUrl: Sourced<string> | undefined,
) {
  if (profileBaseUrl === undefined || baseUrl === undefined) return
  const [own, target] = [new URL(profileBaseUrl).origin, new URL(baseUrl.value).origin]
  if (own === target) return
  throw appError(
    'config',
    `The token of the profile ${profile} is for ${own}; it is not sent to ${target} (${baseUrl.origin}).`,
    `give the token for ${target} in RMA_TOKEN, or with --token-file FILE`,
    baseUrl.source === 'flag'
      ? 'or leave out --base-url'
      : `or take the address away: unset ${baseUrl.origin}`,
  )
}

function readTokenFrom({ value, origin }: Sourced<string>) {
  try {
    return readToken(value)
  } catch (error) {
    rethrowBug(error)
    throw rewordError(error, `${error.message} (from ${origin})`)
  }
}

function secondsProblem(text: string) {
  const isGood = /^\d{1,5}(\.\d{1,3})?$/.test(text) && Number(text) > 0 && Number(text) <= 86_400
  return isGood ? undefined : 'must be a number of seconds from 0.001 to 86400'
}

function countProblem(text: string) {
  const isGood = /^\d{1,3}$/.test(text) && Number(text) <= 100
  return isGood ? undefined : 'must be a whole number from 0 to 100'
}

function asNumber(
  given: Sourced<string> | undefined,
  problem: (text: string) => string | undefined,
  factor: number,
): Sourced<number> | undefined {
  const checked = checkSetting(given, problem)
  return checked && { ...checked, value: Math.round(Number(checked.value) * factor) }
}

function checkedLabelHosts(hosts: readonly string[] = []) {
  for (const host of hosts) checkSetting(fromFlag(host, '--label-host'), labelHostProblem)
  return hosts
}

function chooseOutput(
  { output, json, jq, extraFormats = [] }: SettingFlags,
  env: Env,
  ofProfile: Sourced<OutputFormat> | undefined,
): Sourced<OutputFormat> {
  const formats = [...OUTPUT_FORMATS, ...extraFormats]
  const explicit = oneOf(fromFlag(output, '--output'), formats)
  const jsonBy = json ? '--json' : jq === undefined ? undefined : '--jq'
  if (jsonBy === undefined)
    return explicit ?? oneOf(fromEnvironment(env, 'RMA_OUTPUT'), formats) ?? ofProfile ?? byDefault('table')
  if (explicit?.value === 'ndjson' && !json) return explicit
  if (explicit !== undefined && explicit.value !== 'json') {
    throw usageError(`${jsonBy} does not go with --output ${explicit.value}.`, 'leave out one of the two')
  }
  return { value: 'json', source: 'flag', origin: jsonBy }
}
