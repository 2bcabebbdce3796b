import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listMappings } from '../../lib/services/mappings/mappings.ts'

export default class MappingsList extends BaseCommand<typeof MappingsList> {
  static override summary = 'List the mappings'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[].name'",
  ]

  async run(): Promise<void> {
    await listMappings(this.context)
  }
}
