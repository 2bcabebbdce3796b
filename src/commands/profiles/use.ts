import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { renderProfile } from '../../lib/services/profiles/fields.ts'
import { profileSchema } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesUse extends BaseCommand<typeof ProfilesUse> {
  static override summary = 'Choose the profile that commands use'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %> staging',
    '<%= config.bin %> <%= command.id %> mock',
  ]
  static override args = {
    name: Args.string({ description: 'name of the profile', required: true, ignoreStdin: true }),
  }

  static override get result() {
    return { json: profileSchema }
  }

  async run(): Promise<void> {
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
