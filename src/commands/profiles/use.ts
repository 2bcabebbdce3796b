import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesUse extends BaseCommand<typeof ProfilesUse> {
  static override summary = 'Choose the profile that commands use'
  static override exits = []
  static override examples = ['rma profiles use staging', 'rma profiles use mock']
  static override args = {
    name: requiredArg('name of the profile'),
  }
  static override result = { json: profileSchema }

  async run() {
    const { args, context } = this
    await context.profiles.use(args.name)
    const profile = await context.profiles.get(args.name)
    await renderProfile(
      context,
      `Commands use the profile ${args.name} (${profile.environment}) from now on.`,
      profile,
    )
  }
}
