import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { mappingRecordSchema, mappingView } from '../../lib/services/mappings/mappings.result.ts'
import { listMappings } from '../../lib/services/mappings/mappings.ts'

export default class MappingsList extends BaseCommand<typeof MappingsList> {
  static override summary = 'List the mappings'
  static override exits = []
  static override examples = ['rma mappings list', "rma mappings list --jq '.[].name'"]
  static override result = { view: mappingView, json: listOf(mappingRecordSchema) }

  async run() {
    await listMappings(this.context)
  }
}
