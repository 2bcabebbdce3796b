import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { initFlags } from '../../lib/services/mappings/flags.ts'
import { initMapping } from '../../lib/services/mappings/init.ts'
import { mappingView } from '../../lib/services/mappings/mappings.result.ts'

export default class MappingsInit extends BaseCommand<typeof MappingsInit> {
  static override summary = "Find out how a carrier's export is read, and keep it by name"
  static override description =
    'Finds the header row, the columns by their names in six languages and by what is in them, what the words of the ' +
    'status column stand for, how dates are written, and which rows are totals. What it can not tell is said, with ' +
    'the flag that tells it. rma tracking push --mapping NAME reads exports so.'
  static override exits: readonly ErrorKind[] = []
  static override examples = [
    '<%= config.bin %> <%= command.id %> export.csv --name dpd --time-zone Europe/Berlin',
    "<%= config.bin %> <%= command.id %> export.csv --status 'Exception=SHIPPING_FAILED' --set carrierName=DHL",
  ]
  static override args = {
    file: Args.string({ description: 'an export: CSV, TSV or XLSX', required: true, ignoreStdin: true }),
  }
  static override flags = initFlags

  static override get result() {
    return { view: mappingView }
  }

  async run(): Promise<void> {
    await initMapping(this.context, this.args.file, this.flags)
  }
}
