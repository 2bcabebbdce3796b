import { Flags } from '@oclif/core'
import { BaseCommand } from '../../lib/cli/base-command.ts'
import { textFlag } from '../../lib/cli/global-flags.ts'
import { listOf } from '../../lib/output/lazy-schema.ts'
import { steerFaults } from '../../lib/services/sandbox/faults.ts'
import { faultRecordSchema, faultsView } from '../../lib/services/sandbox/sandbox.result.ts'

const exclusive = ['add', 'remove', 'clear', 'file']
const others = (name: string) => exclusive.filter((one) => one !== name)

export default class SandboxFaults extends BaseCommand<typeof SandboxFaults> {
  static override summary = 'Make requests to the sandbox fail'
  static override description =
    `Without --add, --remove, --clear or --file it lists the faults in force: of the sandbox that runs (rma sandbox start), \
or of the data of the profile mock when none does. They are kept with the data until they are taken away, or rma sandbox \
reset makes fresh ones.

Kinds: late, never, never-after-commit, reset, reset-after-commit, cut-body, 401, 429, 500, 503, 500-after-commit, \
html, wrong-content-type, schema-drift.`
  static override examples = [
    'rma sandbox faults',
    "rma sandbox faults --add 'POST /shipping_trackings' --kind reset --rate 0.05 --seed 7 --count 10",
    "rma sandbox faults --add '* /returns*' --kind late --with delayMs=2000",
    'rma sandbox faults --file faults.json',
    'rma sandbox faults --clear',
  ]
  static override flags = {
    add: Flags.string({
      helpValue: 'ROUTE',
      summary: 'Add a fault for a method or *, and a path in which * is anything',
      exclusive: others('add'),
    }),
    kind: textFlag('KIND', 'What goes wrong'),
    id: textFlag('ID', 'Its name; made up by default'),
    rate: textFlag('0..1', 'Share of the requests; 1 by default'),
    count: textFlag('N', 'At most so many requests'),
    after: textFlag('N', 'Spare the first N requests'),
    seed: textFlag('N', 'Other requests for another number; 1 by default'),
    with: Flags.string({
      helpValue: 'NAME=VALUE',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'delayMs, retryAfter, retryAfterForm, status, drift or field, where the kind has it',
    }),
    remove: Flags.string({
      helpValue: 'ID',
      multiple: true,
      multipleNonGreedy: true,
      summary: 'Take a fault away',
      exclusive: others('remove'),
    }),
    clear: Flags.boolean({ summary: 'Take all away', exclusive: others('clear') }),
    file: Flags.string({
      helpValue: 'FILE',
      summary: 'Replace all by those of a JSON file, - for standard input',
      exclusive: others('file'),
    }),
    data: textFlag('DIR', 'Data of the sandbox, if elsewhere than usual'),
  }

  static override get result() {
    return { view: faultsView, json: listOf(faultRecordSchema, 'faults') }
  }

  async run() {
    const { context, flags, openSandbox } = this
    await context.checkOutput(faultsView)
    const items = await steerFaults(context, openSandbox, flags)
    await context.render({
      kind: 'list',
      items,
      view: faultsView,
      envelope: { key: 'faults', rest: () => ({}) },
    })
  }
}
