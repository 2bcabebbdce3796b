import { BaseCommand } from '../../lib/cli/base-command.ts'
import { authStatus } from '../../lib/services/auth/sign-in.ts'
import { authView } from '../../lib/services/auth/status.result.ts'

export default class AuthStatus extends BaseCommand<typeof AuthStatus> {
  static override summary = 'Show who is signed in, and until when'
  static override description =
    'Read from the token alone; nothing is sent. It says where the token is kept. Ends with 4 when there is no token, or it has expired.'
  static override examples = ['rma auth status', 'rma auth status --jq .expiresAt']
  static override result = { view: authView }

  async run() {
    const { context } = this
    const record = await authStatus(context)
    await context.render({ kind: 'record', record, view: authView })
  }
}
