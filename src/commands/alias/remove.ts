import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { aliasSchema, removeAlias } from '../../lib/services/alias/aliases.ts'

export default class AliasRemove extends BaseCommand<typeof AliasRemove> {
  static override summary = 'Remove an alias'
  static override examples = ['rma alias remove late', 'rma alias remove mine --json']
  static override args = {
    name: requiredArg('name of the alias'),
  }
  static override result = { json: aliasSchema }

  async run() {
    await removeAlias(this.context, this.args.name)
  }
}
