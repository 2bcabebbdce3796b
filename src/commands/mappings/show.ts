import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { mappingView } from '../../lib/services/mappings/mappings.result.ts'
import { showMapping } from '../../lib/services/mappings/mappings.ts'

export default class MappingsShow extends BaseCommand<typeof MappingsShow> {
  static override summary = 'See how a mapping reads an export'
  static override exits: readonly ErrorKind[] = ['not-found']
  static override examples = [
    '<%= config.bin %> <%= command.id %> dpd',
    '<%= config.bin %> <%= command.id %> dpd --jq .statuses',
  ]
  static override args = {
    name: Args.string({ description: 'name of the mapping', required: true, ignoreStdin: true }),
  }

  static override get result() {
    return { view: mappingView }
  }

  async run(): Promise<void> {
    await showMapping(this.context, this.args.name)
  }
}
