import { BaseCommand } from '../../lib/cli/base-command.ts'
import { forgetToken, profileWithToken } from '../../lib/services/auth/sign-in.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class AuthLogout extends BaseCommand<typeof AuthLogout> {
  static override summary = 'Forget the token of a profile'
  static override description =
    'A credential process is left to the profile, and run again by the next command: rma profiles set NAME --unset ' +
    'credential-process takes it away.'
  static override exits = ['auth'] as const
  static override examples = ['rma auth logout --profile staging', 'rma auth logout --profile live']
  static override result = { json: profileSchema }

  async run() {
    const { context } = this
    const { profile, hadToken } = await forgetToken(context, await profileWithToken(context))
    const { name } = profile
    const text = hadToken
      ? `Signed out of ${name}: its token is forgotten.`
      : `The profile ${name} had no token.`
    await renderProfile(context, text, profile)
  }
}
