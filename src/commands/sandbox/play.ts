import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { playFile } from '../../lib/services/sandbox/play.ts'
import { dataFlags } from '../../lib/services/sandbox/running-sandboxes.ts'
import { playedView, playSchema } from '../../lib/services/sandbox/sandbox.result.ts'

export default class SandboxPlay extends BaseCommand<typeof SandboxPlay> {
  static override summary = 'Play a scenario on the sandbox'
  static override description =
    'Does the steps one after another and prints each. The first unexpected result ends the scenario with ' +
    'exit code 6. Nothing is undone. A file with mistakes is refused before anything is done. It works ' +
    'on the sandbox that runs (rma sandbox start), or on the data of the profile mock when none does.'
  static override examples = ['rma sandbox play scenario.json', 'rma sandbox play scenario.json -o ndjson']
  static override interruptHints = [
    'what was done stays done; to go on, play a file of the steps that are left, with "returns" for those made',
  ]
  static override args = {
    file: requiredArg('scenario as JSON, - for standard input'),
  }
  static override flags = dataFlags
  static override result = { view: playedView, json: playSchema }

  async run() {
    await playFile(this.context, { file: this.args.file, dir: this.flags.data })
  }
}
