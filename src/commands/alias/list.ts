import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { aliasesView, aliasSchema, listAliases } from '../../lib/services/alias/aliases.ts'

export default class AliasList extends BaseCommand<typeof AliasList> {
  static override summary = 'List the aliases'
  static override examples = ['rma alias list', "rma alias list --jq '.[].name'"]
  static override result = { view: aliasesView, json: listOf(aliasSchema) }

  async run() {
    await listAliases(this.context)
  }
}
