import type { AsyncEntry } from '@napi-rs/keyring'
import { appError, causedBy, errorCode } from '../errors.ts'
import type { Profile } from './profile.ts'
import type { Sourced } from './setting-values.ts'

const NOTE_AFTER_MS = 3000

/** Each origin has its own entry. */
interface KeyringEntry {
  profile: string
  origin: string
}

export function keyringEntryOf({ name: profile, baseUrl, keyring }: Profile): KeyringEntry | undefined {
  return baseUrl && keyring ? { profile, origin: new URL(baseUrl).origin } : undefined
}

type OnNote = (text: string) => unknown

/** @throws AppError `config` without a keyring, `auth` if it is locked */
export async function keepInKeyring(profile: Profile, token: string, onNote: OnNote) {
  const entry = keyringEntryOf({ ...profile, keyring: true })
  if (entry) await useKeyring(entry, onNote, (opened) => opened.setPassword(token))
}

export async function forgetInKeyring(profile: Profile, onNote: OnNote) {
  const entry = keyringEntryOf(profile)
  if (entry) await useKeyring(entry, onNote, (opened) => opened.deleteCredential())
}

export async function tokenInKeyring(entry: KeyringEntry, onNote: OnNote): Promise<Sourced<string>> {
  const { profile, origin } = entry
  const value = await useKeyring(entry, onNote, (opened) => opened.getPassword())
  if (value) return { value, source: 'profile', origin: `keyring, for the profile ${profile}` }
  throw appError(
    'auth',
    `The keyring has no token of the profile ${profile} for ${origin}.`,
    `rma auth login --profile ${profile}`,
  )
}

async function useKeyring<T>(
  { profile, origin }: KeyringEntry,
  onNote: OnNote,
  use: (opened: AsyncEntry) => Promise<T>,
) {
  const waiting = setTimeout(
    () => onNote('Waiting for the keyring, which may ask for its password'),
    NOTE_AFTER_MS,
  )
  try {
    const keyring = await import('@napi-rs/keyring')
    // The kernel's keyring would forget the token at the next start of the machine.
    const options = { linux: { store: 'secret-service' as const } }
    return await use(new keyring.AsyncEntry('rma-cli', `${profile}@${origin}`, options))
  } catch (cause) {
    throw keyringError(profile, cause)
  } finally {
    clearTimeout(waiting)
  }
}

export function keyringError(profile: string, cause: unknown) {
  const [message = ''] = String((cause as Error).message).split('\n')
  const isMissing = /MODULE_NOT_FOUND$/.test(errorCode(cause) ?? '')
  // The library has the same code for all errors.
  const [, locked] = /^Couldn't access platform storage: (.*)/.exec(message) ?? []
  const ways = [
    'give the token in RMA_TOKEN, or with --token-file FILE',
    `or keep it in the settings file: rma auth login --profile ${profile} --no-keyring`,
  ]
  if (locked !== undefined) {
    return causedBy(
      cause,
      'auth',
      `The keyring does not give access: ${locked}.`,
      'unlock it (sign in to the desktop), then run this again',
      ...ways,
    )
  }
  const why = isMissing ? 'its library is not installed' : message
  return causedBy(
    cause,
    'config',
    `There is no keyring to be used: ${why}.`,
    ...(isMissing ? ['npm install --global @napi-rs/keyring'] : []),
    ...ways,
  )
}
