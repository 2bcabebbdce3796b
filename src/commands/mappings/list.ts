import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { mappingRecordSchema, mappingView } from '../../lib/services/mappings/mappings.result.ts'
import { listMappings } from '../../lib/services/mappings/mappings.ts'

export default class MappingsList extends BaseCommand<typeof MappingsList> {
  static override summary = 'List the mappings'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[].name'",
  ]

  static override get result() {
    return { view: mappingView, json: listOf(mappingRecordSchema) }
  }

  async run(): Promise<void> {
    await listMappings(this.context)
  }
}
