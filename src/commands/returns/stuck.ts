import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { databaseFlags } from '../../lib/cli/global-flags.ts'
import type { ErrorKind } from '../../lib/errors.ts'
import { mirroredFlags } from '../../lib/services/returns/mirrored.ts'
import { stuckSchema, stuckView } from '../../lib/services/returns/stuck.result.ts'
import { showStuck } from '../../lib/services/returns/stuck.ts'

export default class ReturnsStuck extends BaseCommand<typeof ReturnsStuck> {
  static override summary = 'List the returns that do not move on'
  static override description =
    'A label that is not used, a parcel without scans, received and not checked, checked and not refunded, over with a ' +
    'parcel on its way: each with its rule, since when, and the next command. How long a parcel may go without a scan ' +
    'is learnt from those of its carrier service that have arrived. Reads the mirror, brought up to date first.'
  static override exits: readonly ErrorKind[] = [...BaseCommand.exits, 'partial']
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --fail-if-any --quiet -o csv > stuck.csv',
    '<%= config.bin %> <%= command.id %> --offline --jq \'.stuck[] | select(.rule == "no-scan") | .name\'',
  ]
  static override flags = {
    ...databaseFlags,
    ...mirroredFlags,
    'fail-if-any': Flags.boolean({ summary: 'End with 9 if anything is stuck' }),
  }

  static override get result() {
    return { view: stuckView, json: stuckSchema }
  }

  async run(): Promise<void> {
    await showStuck(this.flags, this.context, this.connection)
  }
}
