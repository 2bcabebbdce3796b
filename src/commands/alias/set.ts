import { BaseCommand } from '../../lib/cli/base-command.ts'
import { requiredArg } from '../../lib/cli/global-flags.ts'
import { aliasSchema, setAlias } from '../../lib/services/alias/aliases.ts'

export default class AliasSet extends BaseCommand<typeof AliasSet> {
  static override summary = 'Give a command line a short name'
  static override description =
    'Arguments are added to its end, or replace $1 to $9. No shell is involved: an argument stays one ' +
    'word. A command of rma can not be replaced.'
  static override examples = [
    "rma alias set late 'returns stuck --offline'",
    "rma alias set today 'returns list --created-from today --status $1'",
  ]
  static override args = {
    name: requiredArg('a word of your own'),
    expansion: requiredArg('the command line that it stands for, in quotes'),
  }
  static override result = { json: aliasSchema }

  async run() {
    const { name, expansion } = this.args
    await setAlias(this.context, { name, expansion }, this.commandOf)
  }
}
