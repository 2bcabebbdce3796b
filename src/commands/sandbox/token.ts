import { BaseCommand } from '../../lib/cli/base-command.ts'
import { defaultedFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { dataFlags } from '../../lib/services/sandbox/running-sandboxes.ts'
import { tokenSchema } from '../../lib/services/sandbox/sandbox.result.ts'
import { issueToken } from '../../lib/services/sandbox/start.ts'

export default class SandboxToken extends BaseCommand<typeof SandboxToken> {
  static override summary = 'Issue a token of the sandbox'
  static override examples = [
    'rma sandbox token',
    'rma sandbox token --shops LUMBRE-ES,HARROW-UK --expires-in 10m',
  ]
  static override flags = {
    shops: textFlag('A,B,…', 'Shops of the token; all by default'),
    'expires-in': defaultedFlag('DURATION', '30d', 'Lifetime of the token: 30d, 12h, 10m, 30s'),
    ...dataFlags,
  }
  static override result = { json: tokenSchema }

  async run() {
    const { context, flags } = this
    const issued = await issueToken(context, { ...flags, expiresIn: flags['expires-in'] })
    await context.render({ kind: 'text', text: issued.token, json: issued })
  }
}
