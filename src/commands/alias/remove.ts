import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { aliasSchema } from '../../lib/services/alias/aliases.result.ts'
import { removeAlias } from '../../lib/services/alias/aliases.ts'

export default class AliasRemove extends BaseCommand<typeof AliasRemove> {
  static override summary = 'Remove an alias'
  static override examples = [
    '<%= config.bin %> <%= command.id %> late',
    '<%= config.bin %> <%= command.id %> mine --json',
  ]
  static override args = {
    name: Args.string({ description: 'name of the alias', required: true, ignoreStdin: true }),
  }

  static override get result() {
    return { json: aliasSchema }
  }

  async run(): Promise<void> {
    await removeAlias(this.context, this.args.name)
  }
}
