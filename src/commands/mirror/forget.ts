import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags, removalFlags, switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { runForget } from '../../lib/services/mirror/forget.ts'
import { forgetView } from '../../lib/services/mirror/mirror.result.ts'

export default class MirrorForget extends BaseCommand<typeof MirrorForget> {
  static override summary = 'Remove a person, or old returns, from the mirror for good'
  static override description =
    'Nothing of them stays in the files of the mirror, and no later sync brings them back. Lists where else the same ' +
    'data may be.'
  static override examples = [
    'rma mirror forget --email jane@example.com',
    'rma mirror forget --older-than 90d --yes',
  ]
  static override flags = {
    ...databaseFlags,
    ...removalFlags,
    all: switchFlag('Remove the mirror itself, also one of an earlier version of rma', {
      exclusive: ['email', 'older-than'],
    }),
    email: textFlag('ADDRESS', 'All returns of this person', { exclusive: ['older-than'] }),
    'older-than': textFlag('DURATION', 'All returns created longer ago: 90d'),
  }
  static override result = { view: forgetView }

  async run() {
    await runForget(this.context, this.flags)
  }
}
