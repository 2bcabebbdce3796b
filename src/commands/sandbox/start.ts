import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag, textFlag } from '../../lib/cli/global-flags.ts'
import { startSchema } from '../../lib/services/sandbox/sandbox.result.ts'
import { fillFlags, serveSandbox } from '../../lib/services/sandbox/start.ts'

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
  static override flags = {
    port: Flags.string({
      helpValue: 'PORT',
      default: '4010',
      summary: 'Port to listen on; 0 takes a free one',
    }),
    host: Flags.string({ helpValue: 'HOST', default: '127.0.0.1', summary: 'Address to listen on' }),
    data: textFlag('DIR', 'Keep the data here; by default where the profile mock has them'),
    memory: switchFlag('Keep the data in memory, gone at the end', { exclusive: ['data'] }),
    'tls-cert': textFlag('FILE', 'Serve HTTPS with this certificate (PEM)', { dependsOn: ['tls-key'] }),
    'tls-key': textFlag('FILE', 'Its key (PEM)', { dependsOn: ['tls-cert'] }),
    'tls-self-signed': switchFlag(
      'Serve HTTPS with a certificate made for this run, and print its file for --ca-file',
      { exclusive: ['tls-cert', 'tls-key'] },
    ),
    'allow-remote': switchFlag('Listen on an address that other machines can reach'),
    'rate-limit': textFlag('N/s', 'Answer more requests of one token with 429: 200/s, 1000/m'),
    faults: textFlag('FILE', 'Faults from the start, see rma sandbox faults'),
    ...fillFlags,
  }

  static override get result() {
    return { json: startSchema }
  }

  async run() {
    await serveSandbox(this.context, this.openSandbox, this.flags)
  }
}
