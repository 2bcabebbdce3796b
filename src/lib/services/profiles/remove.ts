import type { Context } from '../../cli/context.ts'
import { forgetInKeyring } from '../../config/keyring.ts'
import type { Profile } from '../../config/profile.ts'

/** With its token, wherever that is kept. @throws AppError as `forgetInKeyring`, before anything is removed */
export async function removeProfile(
  context: Context,
  name: string,
  yes: boolean | undefined,
): Promise<Profile> {
  const { profiles, questions } = context
  const profile = await profiles.get(name)
  await questions.confirmRemoval(`Remove the profile ${name} and its token?`, { yes, profile: name })
  await forgetInKeyring(profile, (text) => context.note(text))
  await profiles.remove(name)
  return profile
}
