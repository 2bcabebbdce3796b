import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { auditRowSchema, auditView } from '../../lib/services/audit/audit.result.ts'
import { auditFlags, listAudit } from '../../lib/services/audit/list.ts'

export default class AuditList extends BaseCommand<typeof AuditList> {
  static override summary = 'List the writes that left this machine, newest first'
  static override description =
    'A job is one entry: its journal records its rows. A write whose outcome is unknown and that has no exit code is ' +
    'under way, or its process was killed. Writes to the built-in sandbox are not recorded.'
  static override exits = []
  static override examples = ['rma audit list --since 7d', 'rma audit list --shipment LU105189 --json']
  static override flags = auditFlags
  static override result = { view: auditView, json: listOf(auditRowSchema) }

  async run() {
    await listAudit(this.context, this.flags)
  }
}
