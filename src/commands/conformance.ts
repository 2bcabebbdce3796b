import { BaseCommand } from '../lib/cli/base-command.ts'
import { writeFlags } from '../lib/cli/global-flags.ts'
import { checksView, conformanceSchema, resultsView } from '../lib/services/conformance/run.result.ts'
import { checkConformance, conformanceFlags } from '../lib/services/conformance/run.ts'

export default class Conformance extends BaseCommand<typeof Conformance> {
  static override summary = 'Check a platform against the specification'
  static override description =
    'Reads only, unless --write is given. A check of what the specification says that does not hold fails, with exit ' +
    'code 8. What it leaves open and rma assumes can also differ, which is shown, and a failure with --strict.'
  static override examples = [
    'rma conformance',
    'rma conformance --profile staging --junit conformance.xml',
    "rma conformance --only filter --only 'returns.limit-*' -o ndjson",
    'rma conformance --profile development --write --strict',
  ]
  static override endsOnInterrupt = true
  static override flags = { ...conformanceFlags, yes: writeFlags.yes }
  static override result = { view: resultsView, json: conformanceSchema }

  protected override get checkedView() {
    return this.flags.list || this.flags['dry-run'] ? checksView : resultsView
  }

  async run() {
    await checkConformance(this.context, this.flags)
  }
}
