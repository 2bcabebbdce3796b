import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { profileRow, profileSchema, profilesView } from '../../lib/services/profiles/profiles.result.ts'

export default class ProfilesList extends BaseCommand<typeof ProfilesList> {
  static override summary = 'List the profiles'
  static override exits = []
  static override examples = ['rma profiles list', 'rma profiles list --jq ".[].name"']
  static override result = { view: profilesView, json: listOf(profileSchema) }

  async run() {
    const { profiles } = this.context
    const current = await profiles.current()
    const items = (await profiles.list()).map((profile) => profileRow(profile, current))
    await this.context.renderList(items, profilesView)
  }
}
