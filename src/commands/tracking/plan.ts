import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag } from '../../lib/cli/global-flags.ts'
import { makePlan } from '../../lib/services/tracking/plan/make-plan.ts'
import { rowFlags } from '../../lib/services/tracking/push-flags.ts'
import { planView } from '../../lib/services/tracking/tracking.result.ts'

export default class TrackingPlan extends BaseCommand<typeof TrackingPlan> {
  static override summary = 'See what each row of a file would change, and send nothing'
  static override description =
    'Every row is compared with what the platform has: new (moves the shipment on), no-op (is there already), backward, ' +
    'illegal (can not follow), stale (older than what is there), missing (no such return, or nothing under way) or future (dated too far ahead). ' +
    'rma tracking push --plan sends exactly the new ones, and nothing if the platform has moved since.'
  static override examples = [
    'rma tracking plan --file updates.csv --out updates.plan',
    'rma tracking plan --file updates.csv --out updates.plan -o ndjson | jq \'select(.verdict != "new")\'',
  ]
  // Ctrl-C must leave no temporary files.
  static override endsOnInterrupt = true
  static override flags = {
    ...rowFlags,
    'allow-unknown-status': switchFlag('Accept statuses that the specification does not know'),
    'allow-future': switchFlag('Accept dates that are more than 24 hours ahead'),
    yes: switchFlag('Agree to what a mapping makes of words that were not sent before', { char: 'y' }),
    out: Flags.string({ helpValue: 'PLAN', summary: 'File for the plan', required: true }),
  }
  static override result = { view: planView }

  protected override get checkedView() {
    return undefined
  }

  async run() {
    await makePlan(this.context, this.flags)
  }
}
