import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { auditRowSchema, auditView } from '../../lib/services/audit/audit.result.ts'
import { listAudit } from '../../lib/services/audit/list.ts'

export default class AuditList extends BaseCommand<typeof AuditList> {
  static override summary = 'List the writes that left this machine, newest first'
  static override description =
    'A job is one entry: its journal records its rows. A write whose outcome is unknown and that has no exit code is ' +
    'under way, or its process was killed. Writes to the built-in sandbox are not recorded.'
  static override exits = []
  static override examples = ['rma audit list --since 7d', 'rma audit list --shipment LU105189 --json']
  static override flags = {
    since: textFlag('DATE', 'Sent at this time or later: 2026-03-01, today, 7d, 12h'),
    shipment: textFlag('ID', 'Of this shipment, or of all of a return'),
    profile: textFlag('NAME', 'Sent with this profile', { char: 'p' }),
    limit: Flags.integer({ helpValue: 'N', min: 1, summary: 'How many in all, 100 by default' }),
    all: switchFlag('All that match', { exclusive: ['limit'] }),
  }

  static override get result() {
    return { view: auditView, json: listOf(auditRowSchema) }
  }

  async run() {
    await listAudit(this.context, this.flags)
  }
}
