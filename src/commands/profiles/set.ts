import { Args, Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { changedFields, profileFlags, renderProfile, UNSETTABLE } from '../../lib/services/profiles/fields.ts'
import { profileSchema } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesSet extends BaseCommand<typeof ProfilesSet> {
  static override summary = 'Change a profile'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %> mock --time-zone Europe/Madrid',
    '<%= config.bin %> <%= command.id %> staging --shop MODA --no-protected',
    '<%= config.bin %> <%= command.id %> staging --unset shop',
  ]
  static override args = {
    name: Args.string({ description: 'name of the profile', required: true, ignoreStdin: true }),
  }
  static override flags = {
    ...profileFlags,
    unset: Flags.string({
      helpValue: 'FIELD',
      multiple: true,
      multipleNonGreedy: true,
      options: [...UNSETTABLE],
      summary: 'Take a field away',
    }),
  }

  static override get result() {
    return { json: profileSchema }
  }

  async run(): Promise<void> {
    const { args, context, flags } = this
    const profile = await context.profiles.set(args.name, changedFields(flags))
    await renderProfile(context, `Changed the profile ${args.name}.`, profile)
  }
}
