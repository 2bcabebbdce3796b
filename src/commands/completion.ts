import { Args } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import { switchFlag } from '../lib/cli/global-flags.ts'
import { completionSchema, installScript, SCRIPTS } from '../lib/services/completion/install.ts'
import { SHELLS, type Shell } from '../lib/services/completion/shells.ts'

export default class Completion extends BaseCommand<typeof Completion> {
  static override summary = 'Complete commands, flags and values with the Tab key'
  static override description =
    'Prints the script that makes a shell complete, or with --install writes it where the shell looks for it. No file ' +
    'of your own is changed: where a line has to be added to one, it is shown.'
  static override examples = [
    'rma completion bash --install',
    'rma completion fish > ~/.config/fish/completions/rma.fish',
  ]
  static override args = {
    shell: Args.custom<Shell>({})({
      description: SHELLS.join(', '),
      options: [...SHELLS],
      required: true,
      ignoreStdin: true,
    }),
  }
  static override flags = {
    install: switchFlag('Write the script to its place'),
  }
  static override result = { json: completionSchema }

  async run() {
    const { context, flags } = this
    const { shell } = this.args
    if (flags.install) return installScript(context, shell)
    const script = SCRIPTS[shell]
    await context.render({ kind: 'text', text: script.trimEnd(), json: { shell, script } })
  }
}
