import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/command/base-command.ts'
import { renderProfile } from '../../lib/command/profile-fields.ts'

export default class ProfilesRemove extends BaseCommand<typeof ProfilesRemove> {
  static override summary = 'Remove a profile and its token'
  static override examples = [
    '<%= config.bin %> <%= command.id %> staging',
    '<%= config.bin %> <%= command.id %> staging --quiet',
  ]
  static override args = {
    name: Args.string({ description: 'name of the profile', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, context } = this
    const profile = await context.profiles.get(args.name)
    await context.profiles.remove(args.name)
    await renderProfile(context, `Removed the profile ${args.name}.`, profile)
  }
}
