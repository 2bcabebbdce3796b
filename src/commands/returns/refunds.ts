import { Args } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { refundsView } from '../../lib/output/views/refunds.ts'

export default class ReturnsRefunds extends BaseCommand<typeof ReturnsRefunds> {
  static override summary = 'List the refunds of a return'
  static override examples = [
    "<%= config.bin %> <%= command.id %> 'R#-1001'",
    "<%= config.bin %> <%= command.id %> 'R#-1001' --jq '.refunds[] | select(.status == \"PENDING\") | .id'",
  ]
  static override args = {
    return: Args.string({ description: 'id or name (R#-…)', required: true, ignoreStdin: true }),
  }

  async run(): Promise<void> {
    const { args, connection, context } = this
    await context.checkOutput(refundsView)
    const returns = await connection.returns()
    context.progress.start('Reading refunds')
    const items = await returns.refunds(await returns.resolveId(args.return))
    await context.render({
      kind: 'list',
      items,
      view: refundsView,
      envelope: { key: 'refunds', rest: () => ({}) },
    })
  }
}
