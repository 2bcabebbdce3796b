import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { mappedRowSchema, mappedRowView } from '../../lib/services/tracking/check-mapping.result.ts'
import { checkMapping } from '../../lib/services/tracking/check-mapping.ts'

export default class MappingsCheck extends BaseCommand<typeof MappingsCheck> {
  static override summary = 'See what every row of an export becomes, and send nothing'
  static override description = 'Ends with 9 where a row can not be sent, and says by kind why.'
  static override exits: readonly ErrorKind[] = ['not-found', 'partial']
  static override examples = [
    '<%= config.bin %> <%= command.id %> dpd export.csv',
    '<%= config.bin %> <%= command.id %> dpd export.csv -o ndjson',
  ]
  static override endsOnInterrupt = true
  static override args = {
    name: Args.string({ description: 'name of the mapping', required: true, ignoreStdin: true }),
    file: Args.string({ description: 'an export; - for standard input', required: true, ignoreStdin: true }),
  }

  static override get result() {
    return { view: mappedRowView, json: listOf(mappedRowSchema) }
  }

  async run(): Promise<void> {
    await checkMapping(this.context, this.args.name, this.args.file)
  }
}
