import { BaseCommand } from '../../lib/cli/base-command.ts'
import { switchFlag } from '../../lib/cli/global-flags.ts'
import { methodExplanationsView, methodsView } from '../../lib/services/methods/calculate.result.ts'
import {
  methodsRequestFlags,
  readMethodsRequest,
  renderMethods,
} from '../../lib/services/methods/calculate.ts'

export default class MethodsCalculate extends BaseCommand<typeof MethodsCalculate> {
  static override summary = 'Show how a customer can send items back, and what it costs'
  static override description =
    'The request is checked here first, and every problem is named. Tables and CSV are sorted by priority and leave ' +
    "out hidden methods; JSON is the service's own answer."
  static override examples = [
    "rma methods calculate --for 'R#-LU105193' --tier gold",
    'rma methods calculate --item SHIRT-M:2 --currency EUR --country ES --postal-code 28013 ' +
      '--client-id 77120 --tier gold --shop LUMBRE-ES',
    'rma methods calculate --from request.json --explain',
  ]
  static override flags = {
    ...methodsRequestFlags,
    'include-hidden': switchFlag('Also methods that customers are not shown'),
    explain: switchFlag('Why each method is offered or not (sandbox only)'),
  }
  static override result = {
    view: methodsView,
    json: async () => (await import('../../lib/wire/methods.ts')).explainedMethodsSchema,
  }

  protected override get checkedView() {
    return this.flags.explain ? methodExplanationsView : methodsView
  }

  async run() {
    const { context, flags } = this
    const request = await readMethodsRequest(flags, context)
    context.progress.start('Calculating return methods')
    await renderMethods(request, flags, context)
  }
}
