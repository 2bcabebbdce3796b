import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listFlag, requiredArg } from '../../lib/cli/global-flags.ts'
import { changedFields, profileFlags, UNSETTABLE } from '../../lib/services/profiles/fields.ts'
import { profileSchema, renderProfile } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesSet extends BaseCommand<typeof ProfilesSet> {
  static override summary = 'Change a profile'
  static override exits = []
  static override examples = [
    'rma profiles set mock --time-zone Europe/Madrid',
    'rma profiles set staging --shop MODA --no-protected',
    'rma profiles set staging --unset shop',
  ]
  static override args = {
    name: requiredArg('name of the profile'),
  }
  static override flags = {
    ...profileFlags,
    unset: listFlag('FIELD', 'Take a field away', { multipleNonGreedy: true, options: [...UNSETTABLE] }),
  }
  static override result = { json: profileSchema }

  async run() {
    const { args, context, flags } = this
    const profile = await context.profiles.set(args.name, changedFields(flags))
    await renderProfile(context, `Changed the profile ${args.name}.`, profile)
  }
}
