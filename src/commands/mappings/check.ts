import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { listOf } from '../../lib/output/view.ts'
import { checkMapping } from '../../lib/services/tracking/check-mapping.ts'
import { mappedRowSchema, mappedRowView } from '../../lib/services/tracking/tracking.result.ts'

export default class MappingsCheck extends BaseCommand<typeof MappingsCheck> {
  static override summary = 'See what every row of an export becomes, and send nothing'
  static override description = 'Ends with 9 where a row can not be sent, and says by kind why.'
  static override exits = ['not-found', 'partial'] as const
  static override examples = [
    'rma mappings check dpd export.csv',
    'rma mappings check dpd export.csv -o ndjson',
  ]
  static override endsOnInterrupt = true
  static override args = {
    name: requiredArg('name of the mapping'),
    file: requiredArg('an export; - for standard input'),
  }
  static override result = { view: mappedRowView, json: listOf(mappedRowSchema) }

  async run() {
    const { args, context } = this
    await checkMapping(context, args.name, args.file)
  }
}
