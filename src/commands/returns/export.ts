import { BaseCommand } from '../../lib/cli/base-command.ts'
import { exportView } from '../../lib/services/returns/export/export.result.ts'
import { exportReturns, returnsExportFlags } from '../../lib/services/returns/export/export.ts'

export default class ReturnsExport extends BaseCommand<typeof ReturnsExport> {
  static override summary = 'Write all returns that match to a file, proven complete'
  static override description =
    'The format goes by the extension: .csv, .ndjson, .xlsx or .parquet. Dates are in UTC. A run that was cut off goes ' +
    'on when the same command is given again. FILE.manifest.json says how many returns are in the file, how many the ' +
    'platform counts, and the SHA-256; where the two numbers do not agree in the end, the exit code is 9.'
  static override exits = BaseCommand.partialExits
  static override examples = [
    'rma returns export --out returns.parquet',
    'rma returns export --created-from 2026-01-01 --created-to 2026-03-31 --out q1.xlsx',
    'rma returns export --status RECEIVED --out received.csv',
  ]
  static override endsOnInterrupt = true
  static override flags = returnsExportFlags
  static override result = { view: exportView }

  async run() {
    await exportReturns(this.context, this.flags)
  }
}
