import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { profileNamed, profileRow } from '../../lib/services/profiles/fields.ts'
import { profilesView } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesShow extends BaseCommand<typeof ProfilesShow> {
  static override summary = 'Show a profile, without its token'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> staging -o json',
  ]
  static override args = {
    name: Args.string({ description: 'name of the profile; by default the one in use', ignoreStdin: true }),
  }

  static override get result() {
    return { view: profilesView }
  }

  async run(): Promise<void> {
    const { args, context } = this
    const profile = await profileNamed(context, args.name)
    const record = profileRow(profile, await context.profiles.current())
    await context.render({ kind: 'record', record, view: profilesView })
  }
}
