import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/command/base-command.ts'
import { fillFlags, readFill, readPort, serveUntilStopped } from '../../lib/command/sandbox-host.ts'

export default class SandboxStart extends BaseCommand<typeof SandboxStart> {
  static override summary = 'Run the sandbox as a server'
  static override description = 'Prints its base URL and a token, then serves until Ctrl-C or SIGTERM.'
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --memory --port 0 -o json',
    '<%= config.bin %> <%= command.id %> --data ./load-test --returns 1000000',
  ]
  static override endsOnInterrupt = true
  static override flags = {
    port: Flags.string({
      helpValue: 'PORT',
      default: '4010',
      summary: 'Port to listen on; 0 takes a free one',
    }),
    host: Flags.string({ helpValue: 'HOST', default: '127.0.0.1', summary: 'Address to listen on' }),
    data: Flags.string({
      helpValue: 'DIR',
      summary: 'Keep the data here; by default where the profile mock has them',
    }),
    memory: Flags.boolean({ summary: 'Keep the data in memory, gone at the end', exclusive: ['data'] }),
    ...fillFlags,
  }

  async run(): Promise<void> {
    const { context, flags } = this
    const [port, fill] = [readPort(flags.port), readFill(flags)]
    context.progress.start('Starting the sandbox')
    const sandbox = await context.openSandbox({ dir: flags.data, memory: flags.memory, ...fill })
    await serveUntilStopped(context, sandbox, { host: flags.host, port })
  }
}
