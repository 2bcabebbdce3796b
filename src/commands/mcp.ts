import { BaseCommand } from '../lib/cli/base-command.ts'
import { mcpFlags, serveMcp } from '../lib/services/mcp/serve.ts'

export default class Mcp extends BaseCommand<typeof Mcp> {
  static override summary = 'Serve returns to an assistant, by the Model Context Protocol'
  static override description =
    'Works on standard input and output until the client leaves. An assistant only reads, with personal ' +
    'data masked, unless these flags allow more. It can change none of them.'
  static override examples = [
    'rma mcp',
    'rma mcp --profile staging --allow-write --root ./labels --max-writes 5',
  ]
  static override endsOnInterrupt = true
  static override flags = mcpFlags

  async run() {
    await serveMcp(this.context, this.flags, () => this.capturer('mcp'), this.resultOf)
  }
}
