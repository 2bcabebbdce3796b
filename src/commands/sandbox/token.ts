import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { tokenSchema } from '../../lib/services/sandbox/sandbox.result.ts'
import { issueToken } from '../../lib/services/sandbox/start.ts'

export default class SandboxToken extends BaseCommand<typeof SandboxToken> {
  static override summary = 'Issue a token of the sandbox'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --shops LUMBRE-ES,HARROW-UK --expires-in 10m',
  ]
  static override flags = {
    shops: Flags.string({ helpValue: 'A,B,…', summary: 'Shops that it is for; all by default' }),
    'expires-in': Flags.string({
      helpValue: 'DURATION',
      default: '30d',
      summary: 'How long it lives: 30d, 12h, 10m, 30s',
    }),
    data: Flags.string({ helpValue: 'DIR', summary: 'Data of the sandbox, if elsewhere than usual' }),
  }

  static override get result() {
    return { json: tokenSchema }
  }

  async run(): Promise<void> {
    const { context, flags, openSandbox } = this
    const issued = await issueToken(context, openSandbox, { ...flags, expiresIn: flags['expires-in'] })
    await context.render({ kind: 'text', text: issued.token, json: issued })
  }
}
