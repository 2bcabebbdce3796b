import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags } from '../../lib/cli/global-flags.ts'
import { statsSchema, statsView } from '../../lib/services/returns/stats/stats.result.ts'
import { showStats, statsFlags } from '../../lib/services/returns/stats/stats.ts'

export default class ReturnsStats extends BaseCommand<typeof ReturnsStats> {
  static override summary = 'Count returns, and tell how long they take'
  static override description =
    'By status, reason, method, carrier, country, shop, and day or week of the request; with the time from request to ' +
    'refund and from drop-off to arrival, by percentile. Reads the mirror, brought up to date first.'
  static override examples = [
    'rma returns stats --created-from 30d',
    'rma returns stats --html returns.html',
    'rma returns stats --by carrier,week -o csv --columns by,key,returns,arrival-p95',
  ]
  static override flags = { ...databaseFlags, ...statsFlags }
  static override result = { view: statsView, json: statsSchema }

  async run() {
    await showStats(this.flags, this.context)
  }
}
