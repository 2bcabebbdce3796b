import { BaseCommand } from '../../lib/cli/base-command.ts'
import { removalFlags, requiredArg } from '../../lib/cli/global-flags.ts'
import { removeProfile } from '../../lib/services/profiles/fields.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesRemove extends BaseCommand<typeof ProfilesRemove> {
  static override summary = 'Remove a profile and its token'
  static override description = 'Asks first on a terminal; a script needs --yes only for a protected profile.'
  static override exits = ['auth'] as const
  static override examples = ['rma profiles remove staging', 'rma profiles remove live --yes']
  static override args = {
    name: requiredArg('name of the profile'),
  }
  static override flags = removalFlags
  static override result = { json: profileSchema }

  async run() {
    const { args, context, flags } = this
    const profile = await removeProfile(context, args.name, flags.yes)
    await renderProfile(context, `Removed the profile ${args.name}.`, profile)
  }
}
