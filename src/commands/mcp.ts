import { Flags } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import { switchFlag, textFlag } from '../lib/cli/global-flags.ts'
import { serveMcp } from '../lib/services/mcp/serve.ts'

export default class Mcp extends BaseCommand<typeof Mcp> {
  static override summary = 'Serve returns to an assistant, by the Model Context Protocol'
  static override description =
    'On standard input and output, until the client leaves. Reads only, personal data masked, unless these flags say ' +
    'otherwise: an assistant can change none of them.'
  static override examples = [
    'rma mcp',
    'rma mcp --profile staging --allow-write --root ./labels --max-writes 5',
  ]
  static override endsOnInterrupt = true
  static override flags = {
    'allow-write': switchFlag('Also make labels (with --root) and report tracking; you are asked each time'),
    'max-writes': Flags.integer({
      helpValue: 'N',
      default: 20,
      min: 1,
      max: 1000,
      summary: 'How many writes in a session, 20 by default',
    }),
    reveal: switchFlag('Show personal data as they are'),
    'customer-text': switchFlag('Also what customers and carriers wrote, marked as untrusted'),
    root: textFlag('DIR', 'Folder below which labels may be saved'),
  }

  async run() {
    await serveMcp(this.context, this.flags, this.runLine, this.resultOf)
  }
}
