import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { listMappings } from '../../lib/services/mappings/mappings.ts'

export default class MappingsList extends BaseCommand<typeof MappingsList> {
  static override summary = 'List the mappings'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    "<%= config.bin %> <%= command.id %> --jq '.[].name'",
  ]

  async run(): Promise<void> {
    await listMappings(this.context)
  }
}
