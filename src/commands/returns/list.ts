import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { listReturns } from '../../lib/services/returns/list.ts'
import { returnsFilterFlags } from '../../lib/services/returns/list-flags.ts'
import { returnsView } from '../../lib/services/returns/returns.result.ts'

export default class ReturnsList extends BaseCommand<typeof ReturnsList> {
  static override summary = 'List returns, newest first'
  static override description =
    'Without a filter: the last 100. Dates are days or times in the zone of --time-zone: 2026-03-01, ' +
    '2026-03-01T10:30, with an offset or without, today, yesterday, or how long ago: 7d, 12h.'
  static override examples = [
    'rma returns list --status PENDING --created-from 7d',
    'rma returns list --all -o ndjson > returns.ndjson',
    'rma returns list --columns name,customer.email,totalRefund -o csv',
  ]
  static override flags = {
    ...returnsFilterFlags,
    limit: textFlag('N', 'Number of returns, 100 by default; with --page, the page size'),
    page: textFlag('P', 'Only this page; the first is 1'),
    all: switchFlag('All that match', { exclusive: ['limit', 'page'] }),
  }
  static override result = {
    view: returnsView,
    json: async () => (await import('../../lib/wire/returns.ts')).returnListSchema,
  }

  async run() {
    await listReturns(this.flags, this.context)
  }
}
