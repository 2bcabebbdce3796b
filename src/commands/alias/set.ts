import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { aliasSchema } from '../../lib/services/alias/aliases.result.ts'
import { setAlias } from '../../lib/services/alias/aliases.ts'

export default class AliasSet extends BaseCommand<typeof AliasSet> {
  static override summary = 'Give a command line a short name'
  static override description =
    'What follows the alias is added to its end; $1 to $9 put it elsewhere. No shell is involved: an argument stays one ' +
    'word. A command of rma can not be replaced.'
  static override examples = [
    "<%= config.bin %> <%= command.id %> late 'returns stuck --offline'",
    "<%= config.bin %> <%= command.id %> today 'returns list --created-from today --status $1'",
  ]
  static override args = {
    name: Args.string({ description: 'a word of your own', required: true, ignoreStdin: true }),
    expansion: Args.string({
      description: 'the command line that it stands for, in quotes',
      required: true,
      ignoreStdin: true,
    }),
  }

  static override get result() {
    return { json: aliasSchema }
  }

  async run(): Promise<void> {
    const { name, expansion } = this.args
    await setAlias(this.context, { name, expansion }, this.commandOf)
  }
}
