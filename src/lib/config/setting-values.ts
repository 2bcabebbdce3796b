import { nearHints, usageError } from '../errors.ts'
import { type Env, readEnv } from './paths.ts'
import type { Profile } from './profile.ts'

export interface Sourced<T> {
  value: T
  source: 'flag' | 'environment' | 'profile' | 'default'
  /** `--shop`, `RMA_SHOP`, `profile staging`, `default`. */
  origin: string
}

export function fromFlag<T>(value: T | undefined, origin: string): Sourced<T> | undefined {
  return value === undefined ? undefined : { value, source: 'flag', origin }
}

export function fromEnvironment(env: Env, variable: string): Sourced<string> | undefined {
  const value = readEnv(env, variable)
  return value === undefined ? undefined : { value, source: 'environment', origin: variable }
}

/** Returns a function that reads a flag, else a variable. */
export function givenSetting(env: Env) {
  return (flag: string | undefined, flagName: string, variable: string) =>
    fromFlag(flag, flagName) ?? fromEnvironment(env, variable)
}

export function fromProfile<K extends keyof Profile>(
  profile: Profile | undefined,
  key: K,
): Sourced<NonNullable<Profile[K]>> | undefined {
  const value = profile?.[key]
  if (profile === undefined || value === undefined || value === null) return undefined
  return { value, source: 'profile', origin: `profile ${profile.name}` }
}

export function byDefault<T>(value: T, origin = 'default'): Sourced<T> {
  return { value, source: 'default', origin }
}

export function checkSetting(
  given: Sourced<string> | undefined,
  problem: (value: string) => string | undefined,
): Sourced<string> | undefined {
  const what = given && problem(given.value)
  if (given && what !== undefined) throw badValue(given, what)
  return given
}

export function oneOf<T extends string>(
  given: Sourced<string> | undefined,
  allowed: readonly T[],
): Sourced<T> | undefined {
  if (given === undefined) return undefined
  const value = allowed.find((candidate) => candidate === given.value)
  if (value === undefined) {
    throw badValue(given, `must be one of ${allowed.join(', ')}`, nearHints(given.value, allowed))
  }
  return { ...given, value }
}

function badValue(given: Sourced<string>, problem: string, hints: string[] = []) {
  // An address may hold a password, and a token may stand in its place.
  const value = URL.canParse(given.value) ? given.value.replace(/\/\/[^/]*@/, '//…@') : given.value
  const shown = /[@=?]|eyJ/.test(value.replace('//…@', '')) ? '' : ` ${JSON.stringify(value)}`
  return usageError(`${given.origin}:${shown} ${problem}.`, ...hints)
}

export function baseUrlProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return 'is not a URL; it looks like https://api.example.com'
  const url = new URL(text)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'must start with https:// or http://'
  if (url.username || url.password)
    return 'must not hold a user name or password; the token is given on its own'
  if (url.search || url.hash) return 'must not have a query (?) or a fragment (#)'
  return undefined
}

export function labelHostProblem(text: string): string | undefined {
  const isHost = /^[^\s/?#@\\]+$/.test(text) && URL.canParse(`https://${text}`)
  return isHost ? undefined : 'is not a host, such as labels.example.com or 10.0.0.5:8443'
}

/** Returns the base URL; empty for the built-in sandbox. */
export function requestBase({ baseUrl }: { baseUrl?: { value: string } }): string {
  return baseUrl?.value ?? ''
}
