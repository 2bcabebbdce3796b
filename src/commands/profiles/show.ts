import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg } from '../../lib/cli/global-flags.ts'
import { profileNamed } from '../../lib/services/profiles/fields.ts'
import { profileRow, profilesView } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesShow extends BaseCommand<typeof ProfilesShow> {
  static override summary = 'Show a profile, without its token'
  static override exits = []
  static override examples = ['rma profiles show', 'rma profiles show staging -o json']
  static override args = {
    name: optionalArg('name of the profile; by default the one in use'),
  }
  static override result = { view: profilesView }

  async run() {
    const { args, context } = this
    const profile = await profileNamed(context, args.name)
    const record = profileRow(profile, await context.profiles.current())
    await context.render({ kind: 'record', record, view: profilesView })
  }
}
