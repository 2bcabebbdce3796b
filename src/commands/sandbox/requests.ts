import { BaseCommand } from '../../lib/cli/base-command.ts'
import { listOf } from '../../lib/output/view.ts'
import { followRequests, readRequests, requestFlags } from '../../lib/services/sandbox/requests.ts'
import { requestSchema, requestsView } from '../../lib/services/sandbox/sandbox.result.ts'

export default class SandboxRequests extends BaseCommand<typeof SandboxRequests> {
  static override summary = 'Show the latest requests to a running sandbox'
  static override description =
    'It keeps the last 10,000, without bodies, queries and tokens. Those that got no answer have the status none. ' +
    '--follow goes on with each that comes, until Ctrl-C.'
  static override examples = [
    'rma sandbox requests',
    'rma sandbox requests --last 500 --status 5xx -o csv',
    "rma sandbox requests --route 'POST /shipping_labels'",
    'rma sandbox requests --follow --last 0 -o ndjson',
  ]
  static override flags = requestFlags
  static override result = { view: requestsView, json: listOf(requestSchema, 'requests') }

  async run() {
    const { context, flags } = this
    if (flags.follow) return followRequests(context, flags)
    const items = await readRequests(context, flags)
    await context.renderList(items, requestsView, 'requests')
  }
}
