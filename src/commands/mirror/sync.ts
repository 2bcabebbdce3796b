import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags, switchFlag } from '../../lib/cli/global-flags.ts'
import { syncView } from '../../lib/services/mirror/mirror.result.ts'
import { choiceFlags, runSync } from '../../lib/services/mirror/sync.ts'

export default class MirrorSync extends BaseCommand<typeof MirrorSync> {
  static override summary = 'Copy returns, or what changed of them, into the mirror'
  static override description =
    'Copies personal data to this machine or a PostgreSQL database, so the first sync asks. After a stop, ' +
    'the next sync goes on. "Complete" means that the platform counts as many returns as the mirror.'
  static override examples = [
    'rma mirror sync',
    'rma mirror sync --with transports,refunds --without customer.phone --keep 90d',
    'rma mirror sync --database postgres://ops@db.example.com/returns --yes',
  ]
  static override interruptHints = ['what was copied is kept: the same command goes on']
  static override flags = {
    ...databaseFlags,
    ...choiceFlags,
    full: switchFlag('Copy everything again, not only what changed'),
    yes: switchFlag('Answer the question that the first copy asks', { char: 'y' }),
  }
  static override result = { view: syncView }

  async run() {
    await runSync(this.context, this.flags)
  }
}
