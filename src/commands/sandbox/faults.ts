import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { faultFlags, steerFaults } from '../../lib/services/sandbox/faults.ts'
import { faultRecordSchema, faultsView } from '../../lib/services/sandbox/sandbox.result.ts'

export default class SandboxFaults extends BaseCommand<typeof SandboxFaults> {
  static override summary = 'Make requests to the sandbox fail'
  static override description =
    `Without --add, --remove, --clear or --file it lists the faults: of the sandbox that runs (rma sandbox start), \
or of the data of the profile mock when none does. They are kept with the data until they are taken away, or rma sandbox \
reset makes fresh ones.

Kinds: late, never, never-after-commit, reset, reset-after-commit, cut-body, 401, 429, 500, 503, 500-after-commit, \
html, wrong-content-type, schema-drift.`
  static override examples = [
    'rma sandbox faults',
    "rma sandbox faults --add 'POST /shipping_trackings' --kind reset --rate 0.05 --seed 7 --count 10",
    "rma sandbox faults --add '* /returns*' --kind late --with delayMs=2000",
    'rma sandbox faults --file faults.json',
    'rma sandbox faults --clear',
  ]
  static override flags = faultFlags
  static override result = { view: faultsView, json: listOf(faultRecordSchema, 'faults') }

  async run() {
    const { context, flags } = this
    const items = await steerFaults(context, flags)
    await context.renderList(items, faultsView, 'faults')
  }
}
