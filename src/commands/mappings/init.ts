import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { initFlags, initMapping } from '../../lib/services/mappings/init.ts'
import { mappingView } from '../../lib/services/mappings/mappings.result.ts'

export default class MappingsInit extends BaseCommand<typeof MappingsInit> {
  static override summary = "Find out how a carrier's export is read, and keep it by name"
  static override description =
    'Finds the header row, the columns by their names in six languages or by what is in them, what the words of the ' +
    'status column stand for, how dates are written, and which rows are totals. If it can not tell, it ' +
    'names the flag to give. rma tracking push --mapping NAME then reads such exports.'
  static override exits = []
  static override examples = [
    'rma mappings init export.csv --name dpd --time-zone Europe/Berlin',
    "rma mappings init export.csv --status 'Exception=SHIPPING_FAILED' --set carrierName=DHL",
  ]
  static override args = {
    file: requiredArg('an export: CSV, TSV or XLSX'),
  }
  static override flags = initFlags
  static override result = { view: mappingView }

  async run() {
    await initMapping(this.context, this.args.file, this.flags)
  }
}
