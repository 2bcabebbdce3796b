import { BaseCommand } from '../lib/cli/base-command.ts'
import { requiredArg, writeFlags } from '../lib/cli/global-flags.ts'
import { apiFlags, callApi } from '../lib/services/api/call.ts'

export default class Api extends BaseCommand<typeof Api> {
  static override summary = 'Send any request to the platform'
  static override description =
    'For what the other commands do not cover. The path is relative to the base URL; the token, the retry rules and ' +
    'the masking are those of every command. Fields are parameters of a GET and the JSON body of everything else, or ' +
    'parameters beside --input. Text fields (-f) come before typed ones (-F), each kind in its own order.'
  static override examples = [
    "rma api GET /returns -f status=PENDING --paginate --jq '.returns[].name'",
    "rma api POST /pudos -F 'carrierServices[][code]=SBX_STANDARD' -F shopCode=LUMBRE-ES -F latitude=41.39 -F longitude=2.17",
    'rma api PUT /shipping_labels --input update.json -i',
  ]
  static override endsOnInterrupt = true
  static override args = {
    method: requiredArg('GET, POST, PUT, …'),
    path: requiredArg('after the base URL: /returns'),
  }
  static override flags = { ...apiFlags, ...writeFlags }

  async run() {
    await callApi(this.context, this.args, this.flags)
  }
}
