import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { profileWithToken } from '../../lib/services/auth/sign-in.ts'
import { renderProfile } from '../../lib/services/profiles/fields.ts'

export default class AuthLogout extends BaseCommand<typeof AuthLogout> {
  static override summary = 'Forget the token of a profile'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %> --profile staging',
    '<%= config.bin %> <%= command.id %> --profile live',
  ]

  async run(): Promise<void> {
    const { context } = this
    const { name, token } = await profileWithToken(context)
    const profile = await context.profiles.set(name, { token: undefined })
    const text =
      token === undefined
        ? `The profile ${name} had no token.`
        : `Signed out of ${name}: its token is forgotten.`
    await renderProfile(context, text, profile)
  }
}
