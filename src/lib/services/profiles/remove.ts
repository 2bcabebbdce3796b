import type { Context } from '../../cli/context.ts'
import type { Profile } from '../../config/profile.ts'
import { forgetInKeyring } from '../../config/profile-token.ts'

/** With its token, wherever that is kept. @throws AppError as `Keyring`, before anything is removed */
export async function removeProfile(
  { profiles, questions, tokenSurroundings }: Context,
  name: string,
  yes: boolean | undefined,
): Promise<Profile> {
  const profile = await profiles.get(name)
  await questions.confirmRemoval(`Remove the profile ${name} and its token?`, { yes, profile: name })
  await forgetInKeyring(profile, tokenSurroundings)
  await profiles.remove(name)
  return profile
}
