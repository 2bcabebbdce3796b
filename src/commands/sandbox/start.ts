import { BaseCommand } from '../../lib/cli/base-command.ts'
import { startSchema } from '../../lib/services/sandbox/sandbox.result.ts'
import { serveFlags, serveSandbox } from '../../lib/services/sandbox/start.ts'

export default class SandboxStart extends BaseCommand<typeof SandboxStart> {
  static override summary = 'Run the sandbox as a server'
  static override description = 'Prints its base URL and a token, then serves until Ctrl-C or SIGTERM.'
  static override examples = [
    'rma sandbox start',
    'rma sandbox start --memory --port 0 -o json',
    'rma sandbox start --data ./load-test --returns 1000000',
    'rma sandbox start --tls-self-signed --port 4443',
    'rma sandbox start --rate-limit 200/s --faults faults.json',
  ]
  static override endsOnInterrupt = true
  static override flags = serveFlags
  static override result = { json: startSchema }

  async run() {
    await serveSandbox(this.context, this.flags)
  }
}
