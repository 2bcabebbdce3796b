import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { mappingView, oneMappingView } from '../../lib/services/mappings/mappings.result.ts'
import { showMapping } from '../../lib/services/mappings/mappings.ts'

export default class MappingsShow extends BaseCommand<typeof MappingsShow> {
  static override summary = 'See how a mapping reads an export'
  static override exits = ['not-found'] as const
  static override examples = ['rma mappings show dpd', 'rma mappings show dpd --jq .statuses']
  static override args = {
    name: requiredArg('name of the mapping'),
  }
  static override result = { view: mappingView }

  protected override get checkedView() {
    return oneMappingView
  }

  async run() {
    await showMapping(this.context, this.args.name)
  }
}
