import { BaseCommand } from '../../lib/cli/base-command.ts'
import { brokenLinksView, verificationSchema } from '../../lib/services/audit/audit.result.ts'
import { checkAudit } from '../../lib/services/audit/verify.ts'

export default class AuditVerify extends BaseCommand<typeof AuditVerify> {
  static override summary = 'Check that the audit log is what was written'
  static override description =
    'Ends with 9 and names the first line that was changed or is missing. A last line that a crash has cut off is no ' +
    'fault. Journals of jobs are compared while they are there.'
  static override exits = ['partial'] as const
  static override examples = ['rma audit verify', "rma audit verify --jq '.broken[] | [.file, .line]'"]
  static override result = { view: brokenLinksView, json: verificationSchema }

  async run() {
    await checkAudit(this.context)
  }
}
