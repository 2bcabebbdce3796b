import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { profilesView } from '../../lib/output/views/profiles.ts'
import { profileRow } from '../../lib/services/profiles/fields.ts'

export default class ProfilesList extends BaseCommand<typeof ProfilesList> {
  static override summary = 'List the profiles'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --jq ".[].name"',
  ]

  async run(): Promise<void> {
    const { profiles } = this.context
    const current = await profiles.current()
    const items = (await profiles.list()).map((profile) => profileRow(profile, current))
    await this.context.render({ kind: 'list', items, view: profilesView })
  }
}
