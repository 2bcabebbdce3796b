import { AppError } from '../errors.ts'
import { type CredentialSurroundings, forgetProcessToken, processToken } from './credential-process.ts'
import { Keyring } from './keyring.ts'
import { keyringEntryOf } from './platform-settings.ts'
import type { Profile } from './profile.ts'
import type { Sourced } from './setting-values.ts'
import { refuseElsewhere, type Settings } from './settings.ts'
import type { ProgramSurroundings } from './token-program.ts'

/** A token that the settings file does not hold. */
interface AskedToken {
  token: Sourced<string> | undefined
  /** For one that the platform did not accept. */
  forget: (() => Promise<void>) | undefined
}

/**
 * Reads the token from the profile's credential process or the keyring.
 *
 * @throws AppError `auth` without a token, `config` without a keyring or for an address other than the profile's
 */
export async function tokenOfProfile(
  settings: Settings,
  around: CredentialSurroundings,
): Promise<AskedToken> {
  const { credentialProcess, keyring: entry, baseUrl, profileBaseUrl, profile } = settings
  refuseElsewhere(profile?.value, profileBaseUrl, baseUrl)
  const given = (value: string, origin: string) => ({ value, source: 'profile' as const, origin })
  if (credentialProcess !== undefined) {
    const value = await processToken(credentialProcess, around)
    return {
      token: given(value, `credential process of the profile ${credentialProcess.profile}`),
      forget: () => forgetProcessToken(credentialProcess, around.cacheDir),
    }
  }
  if (entry === undefined) return { token: settings.token, forget: undefined }
  const value = await new Keyring(around).find(entry)
  if (value === undefined) {
    throw new AppError(
      'auth',
      `The keyring has no token of the profile ${entry.profile} for ${entry.origin}.`,
      {
        hints: [`rma auth login --profile ${entry.profile}`],
      },
    )
  }
  return { token: given(value, `keyring, for the profile ${entry.profile}`), forget: undefined }
}

/** Does nothing for a token that is not in the keyring. @throws AppError as `Keyring` */
export async function forgetInKeyring(profile: Profile, around: ProgramSurroundings): Promise<void> {
  const entry = keyringEntryOf(profile)
  if (entry !== undefined) await new Keyring(around).remove(entry)
}
