import { BaseCommand } from '../lib/cli/base-command.ts'
import { databaseFlags, repeatedArg, switchFlag, textFlag } from '../lib/cli/global-flags.ts'
import { returnsFilterFlags } from '../lib/services/returns/list-flags.ts'
import { searchSchema, searchView } from '../lib/services/returns/search.result.ts'
import { runSearch } from '../lib/services/returns/search.ts'

export default class Search extends BaseCommand<typeof Search> {
  static override summary = 'Find returns by what a customer says'
  static override description =
    'Name, e-mail, phone, order, tracking code, SKU, barcode, postcode, city, reason or words of the customer, in any ' +
    'order: accents, case and one typo in a longer word do not matter. Out of the mirror, which is brought up to date ' +
    'first.'
  static override examples = [
    'rma search ximena ordones',
    'rma search lu 105 189',
    'rma search 619 13 82 18 --status PENDING',
  ]
  static override args = {
    text: repeatedArg('what is known, in any order'),
  }
  static override flags = {
    ...returnsFilterFlags,
    ...databaseFlags,
    limit: textFlag('N', 'Maximum number of returns, 20 by default'),
    offline: switchFlag('Ask the platform nothing: search what was copied'),
  }
  static override result = { view: searchView, json: searchSchema }

  async run() {
    await runSearch(this.context, this.args.text.join(' '), this.flags)
  }
}
