import { BaseCommand } from '../lib/cli/base-command.ts'
import { commandReference, commandsSchema, commandsView } from '../lib/cli/help/reference.ts'

export default class Commands extends BaseCommand<typeof Commands> {
  static override summary = 'List all commands; as JSON with flags, arguments and exit codes'
  static override examples = [
    'rma commands --json',
    "rma commands --jq '.commands[] | select(.exitCodes | index(9)) | .command'",
  ]
  static override exits = []
  static override result = { json: commandsSchema }

  async run() {
    await this.config.load()
    const { commands, ...rest } = commandReference(this.config)
    const envelope = { key: 'commands', rest: () => rest }
    await this.context.render({ kind: 'list', items: commands, view: commandsView, envelope })
  }
}
