import { Args } from '@oclif/core'
import { BaseCommand } from '../lib/cli/base-command.ts'
import type { ErrorKind } from '../lib/errors.ts'
import { showSchema } from '../lib/services/reference/schema.ts'

export default class Schema extends BaseCommand<typeof Schema> {
  static override summary = "Print the JSON Schema of a command's -o json result"
  static override description =
    'Draft 2020-12. What the platform sends is printed as it sent it: where its answer departs from the ' +
    'specification, which a warning says, the schema does not hold.'
  static override examples = [
    '<%= config.bin %> <%= command.id %> returns list > returns-list.schema.json',
    "<%= config.bin %> <%= command.id %> tracking push --jq '.anyOf[1].required'",
  ]
  static override args = {
    command: Args.string({
      description: 'words of the command: returns list',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  }
  static override exits: readonly ErrorKind[] = ['not-found']

  async run(): Promise<void> {
    await this.context.checkOutput()
    await this.config.load()
    const commands = this.config.commandIDs.map((id) => id.replaceAll(':', ' '))
    await showSchema(this.context, this.args.command, commands, async (command) => {
      const loaded = await this.config.findCommand(command.replaceAll(' ', ':'))?.load()
      return loaded ? Reflect.get(loaded, 'result') : {}
    })
  }
}
