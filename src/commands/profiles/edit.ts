import { BaseCommand } from '../../lib/cli/base-command.ts'
import { optionalArg, textFlag } from '../../lib/cli/global-flags.ts'
import { editProfile } from '../../lib/services/profiles/edit.ts'
import { profileNamed } from '../../lib/services/profiles/fields.ts'
import { profileSchema } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesEdit extends BaseCommand<typeof ProfilesEdit> {
  static override summary = 'Change a profile in your editor'
  static override description =
    'Opens the profile, without its token, in the editor that VISUAL or EDITOR names. It is checked before it is kept; ' +
    'what can not be kept stays in a file, which is named.'
  static override examples = ['rma profiles edit', "EDITOR='code --wait' rma profiles edit staging"]
  static override args = {
    name: optionalArg('name of the profile; by default the one in use'),
  }
  static override flags = {
    from: textFlag('FILE', 'Go on with what was not kept'),
  }
  static override result = { json: profileSchema }

  async run() {
    const { args, context, flags } = this
    await editProfile(context, await profileNamed(context, args.name), flags.from)
  }
}
