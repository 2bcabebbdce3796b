import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags } from '../../lib/cli/global-flags.ts'
import { mirrorView } from '../../lib/services/mirror/mirror.result.ts'
import { showMirror } from '../../lib/services/mirror/status.ts'

export default class MirrorStatus extends BaseCommand<typeof MirrorStatus> {
  static override summary = 'How fresh, how complete and how large the mirror is'
  static override examples = ['rma mirror status', 'rma mirror status --jq .ageSeconds']
  static override flags = { ...databaseFlags }
  static override result = { view: mirrorView }

  async run() {
    await showMirror(this.context)
  }
}
