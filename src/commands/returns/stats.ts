import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags, switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { returnsFilterFlags } from '../../lib/services/returns/list-flags.ts'
import { mirroredFlags } from '../../lib/services/returns/mirrored.ts'
import { statsSchema, statsView } from '../../lib/services/returns/stats/stats.result.ts'
import { showStats } from '../../lib/services/returns/stats/stats.ts'

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
  static override flags = {
    ...returnsFilterFlags,
    ...databaseFlags,
    ...mirroredFlags,
    by: Flags.string({
      helpValue: 'WHAT',
      summary: 'Only by these: status, reason, method, carrier, country, shop, day, week',
      multiple: true,
      multipleNonGreedy: true,
    }),
    html: textFlag('FILE', 'Also write a page with charts, which works offline'),
    force: switchFlag('Replace the page if it has other content', { dependsOn: ['html'] }),
  }

  static override get result() {
    return { view: statsView, json: statsSchema }
  }

  async run() {
    await showStats(this.flags, this.context, this.connection)
  }
}
