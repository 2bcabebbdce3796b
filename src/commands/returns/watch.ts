import { BaseCommand } from '../../lib/cli/base-command.ts'
import { returnsView } from '../../lib/services/returns/returns.result.ts'
import { watchFlags, watchReturns } from '../../lib/services/returns/watch/watch.ts'

export default class ReturnsWatch extends BaseCommand<typeof ReturnsWatch> {
  static override summary = 'Show each return that is new or changed, as it happens'
  static override description =
    'Until Ctrl-C or SIGTERM. With --exec each return goes to a command of yours, run by sh, one at a time, in the order ' +
    'in which they changed; it is printed when the command has ended with 0. A command that fails is tried three times, ' +
    'and gets the return again with the next look. What the command prints goes to standard error. Dates are in UTC.'
  static override examples = [
    'rma returns watch --status RECEIVED',
    'rma returns watch --since-last -o ndjson >> changes.ndjson',
    "rma returns watch --since-last --exec 'curl -fsS -d @- https://erp.example.com/returns'",
  ]
  static override endsOnInterrupt = true
  static override flags = watchFlags
  static override result = { view: returnsView }

  async run() {
    await watchReturns(this.context, this.flags)
  }
}
