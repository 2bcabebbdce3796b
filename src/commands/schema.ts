import { BaseCommand } from '../lib/cli/base-command.ts'
import { repeatedArg } from '../lib/cli/global-flags.ts'
import { showSchema } from '../lib/services/reference/schema.ts'

export default class Schema extends BaseCommand<typeof Schema> {
  static override summary = "Print the JSON Schema of a command's -o json result"
  static override description =
    'Draft 2020-12. What the platform sends is printed as it sent it: where its answer departs from the ' +
    'specification, which a warning says, the schema does not hold.'
  static override examples = [
    'rma schema returns list > returns-list.schema.json',
    "rma schema tracking push --jq '.anyOf[1].required'",
  ]
  static override args = {
    command: repeatedArg('words of the command: returns list'),
  }
  static override exits = ['not-found'] as const

  async run() {
    await this.context.checkOutput()
    const commands = this.table.ids.map((id) => id.replaceAll(':', ' '))
    await showSchema(this.context, this.args.command, commands, this.resultOf)
  }
}
