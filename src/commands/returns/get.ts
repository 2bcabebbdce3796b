import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { returnsView } from '../../lib/output/views/returns.ts'
import {
  getReturn,
  ReturnsByReference,
  readReferences,
} from '../../lib/services/returns/find-by-reference.ts'
import type { Return } from '../../lib/wire/returns.ts'

/** Loaded for people only: formats of addresses are slow to load. */
const details = async (record: Return) =>
  (await import('../../lib/output/views/return-details.ts')).returnDetails(record)

export default class ReturnsGet extends BaseCommand<typeof ReturnsGet> {
  static override summary = 'Show one or more returns'
  static override description =
    'Returns are given by id or by name, or one a line on standard input with "-".'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'R#-1001'",
    "<%= config.bin %> <%= command.id %> 'R#-1001' 'R#-1002' -o json",
    'cut -d, -f1 names.csv | <%= config.bin %> <%= command.id %> - -o ndjson',
  ]
  static override args = {
    return: Args.string({
      description: 'id or name (R#-…)',
      required: true,
      multiple: true,
      ignoreStdin: true,
    }),
  }

  async run(): Promise<void> {
    const { args, context } = this
    await context.checkOutput(returnsView)
    const references = await readReferences(args.return, context)
    const returns = await context.returns()
    context.progress.start('Reading returns')
    const [only] = args.return
    if (args.return.length === 1 && only !== undefined && only !== '-') {
      const record = await getReturn(returns, only)
      await context.render({ kind: 'record', record, view: returnsView, details })
    } else {
      const items = new ReturnsByReference(returns, references)
      await context.render({ kind: 'list', items: context.counted(items, 'returns'), view: returnsView })
      items.checkComplete()
    }
  }
}
