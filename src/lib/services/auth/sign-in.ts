import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.ts'
import { credentialCacheFile } from '../../config/credential-process.ts'
import { forgetInKeyring, keepInKeyring } from '../../config/keyring.ts'
import { MOCK, type Profile } from '../../config/profile.ts'
import { refuseElsewhere, requireToken, type Settings } from '../../config/settings.ts'
import { expiryWarning, readToken, type Token } from '../../config/token.ts'
import { AppError, rethrowBug, usageError } from '../../errors.ts'
import type { AuthStatus } from './status.result.ts'

export async function profileWithToken(context: Context): Promise<Profile> {
  const { profile } = await context.settings()
  const name = profile?.value ?? (await context.profiles.current())
  if (name === MOCK) {
    throw usageError(
      'The profile mock, the built-in sandbox, needs no token.',
      'name another profile: --profile NAME',
      'add one: rma profiles add NAME --environment production --base-url URL',
    )
  }
  return context.profiles.get(name)
}

/** A token in the environment is not meant to be stored. */
export async function newToken(context: Context, profile: Profile): Promise<Token> {
  const { name, credentialProcess } = profile
  if (credentialProcess !== undefined) {
    throw usageError(
      `The profile ${name} has a credential process, and keeps no token.`,
      `take it away: rma profiles set ${name} --unset credential-process`,
    )
  }
  const { token: given } = await context.settings()
  const token = readToken(given?.source === 'flag' ? given.value : await askForToken(context))
  const warning = expiryWarning(token, context.io.now(), 'get a newer one')
  if (warning !== undefined) await context.warn(warning)
  if (token.note !== undefined) await context.warn(`The token is ${token.note}`)
  return token
}

export async function tryToken(context: Context, profile: Profile, token: Token) {
  const { baseUrl } = await context.settings()
  refuseElsewhere(profile.name, profile.baseUrl, baseUrl)
  context.progress.start('Trying the token out')
  await (await context.connection.returns({ token: token.value })).listPage({}, 1)
}

/** `inKeyring` undefined: where the profile keeps its token. */
export async function keepToken(
  context: Context,
  profile: Profile,
  { value }: Token,
  inKeyring: boolean | undefined,
): Promise<Profile> {
  const { name } = profile
  const onNote = (text: string) => context.note(text)
  if (inKeyring ?? profile.keyring) {
    await keepInKeyring(profile, value, onNote)
    return context.profiles.set(name, { token: undefined, keyring: true }, profile)
  }
  const changed = await context.profiles.set(name, { token: value, keyring: undefined }, profile)
  // The keyring may be what does not work.
  await forgetInKeyring(profile, onNote).catch((error: unknown) => {
    rethrowBug(error)
    return context.warn(`The keyring may still hold the former token: ${error.message}`)
  })
  return changed
}

export async function forgetToken(
  context: Context,
  profile: Profile,
): Promise<{ hadToken: boolean; profile: Profile }> {
  await forgetInKeyring(profile, (text) => context.note(text))
  const changed = await context.profiles.set(profile.name, { token: undefined, keyring: undefined })
  const { keyring, token, credentialProcess } = profile
  return { hadToken: Boolean(keyring || token || credentialProcess), profile: changed }
}

async function askForToken({ io, questions }: Context) {
  if (!questions.canAsk) {
    throw usageError(
      'There is no terminal to ask for the token on.',
      'give it in a file: --token-file FILE',
      'or on standard input: --token-file -',
    )
  }
  const { default: password } = await import('@inquirer/password')
  // The library waits for ever after Ctrl-D.
  const ended = new AbortController()
  io.stdin.once('pause', () => ended.abort())
  const signal = AbortSignal.any([io.interrupt, ended.signal])
  try {
    const output = Object.assign(io.stderr, { mute: () => {}, unmute: () => {} })
    return await password({ message: 'Token', mask: true }, { input: io.stdin, output, signal })
  } catch {
    throw new AppError('interrupted', 'Interrupted, nothing was changed.')
  }
}

export async function authStatus(context: Context): Promise<AuthStatus> {
  const settings = await context.settingsWithToken()
  const where = {
    profile: settings.profile?.value,
    environment: settings.environment,
    baseUrl: settings.baseUrl?.value,
  }
  if (settings.isSandbox) return { ...where, tokenFrom: undefined }
  const { token, warnings } = requireToken(settings, context.io.now())
  for (const warning of warnings) await context.warn(warning)
  const { subject, shops, issuedAt, expiresAt } = token
  const iso = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms).toISOString())
  return {
    ...where,
    tokenFrom: settings.token?.origin,
    tokenIn: keptIn(context, settings),
    subject,
    shops,
    issuedAt: iso(issuedAt),
    expiresAt: iso(expiresAt),
  }
}

const KEYRING_PLACE = "the operating system's keyring"

function keptIn({ paths, profiles }: Context, settings: Settings) {
  const { credentialProcess, keyring, token } = settings
  if (keyring !== undefined) return KEYRING_PLACE
  if (credentialProcess !== undefined) {
    const file = credentialCacheFile(credentialProcess, paths.cacheDir)
    return existsSync(file) ? file : 'no file: the process is asked by each command'
  }
  if (token?.source === 'profile') return profiles.path
  return token?.source === 'flag'
    ? token.origin.replace(/^--token-file /, '')
    : 'the environment, no file of rma'
}
