import type { Context } from '../../cli/context.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { usageError } from '../../errors.ts'
import { FAULTS_EXAMPLE, type FaultInput, readFault, readFaults } from '../../sandbox/faults/fault.ts'
import { dataFlags } from './running-sandboxes.ts'
import type { FaultRow } from './sandbox.result.ts'
import { type ControlledSandbox, openControlledSandbox } from './target.ts'

const exclusive = ['add', 'remove', 'clear', 'file']
const others = (name: string) => exclusive.filter((one) => one !== name)

export const faultFlags = {
  add: textFlag('ROUTE', 'Add a fault for a method or *, and a path in which * is anything', {
    exclusive: others('add'),
  }),
  kind: textFlag('KIND', 'What goes wrong'),
  id: textFlag('ID', 'Name of the fault, else generated'),
  rate: textFlag('0..1', 'Share of the requests; 1 by default'),
  count: textFlag('N', 'Maximum number of failed requests'),
  after: textFlag('N', 'Spare the first N requests'),
  seed: textFlag('N', 'Number that selects which requests fail; 1 by default'),
  with: listFlag(
    'NAME=VALUE',
    'delayMs, retryAfter, retryAfterForm, status, drift or field, where the kind has it',
    { multipleNonGreedy: true },
  ),
  remove: listFlag('ID', 'Remove a fault', { multipleNonGreedy: true, exclusive: others('remove') }),
  clear: switchFlag('Remove all faults', { exclusive: others('clear') }),
  file: textFlag('FILE', 'Replace all by those of a JSON file, - for standard input', {
    exclusive: others('file'),
  }),
  ...dataFlags,
}

type FaultFlags = FlagValues<typeof faultFlags>

export async function steerFaults(context: Context, flags: FaultFlags): Promise<FaultRow[]> {
  const change = await readChange(context, flags)
  const { where, faults } = await openControlledSandbox(context, flags.data)
  await change(faults)
  context.progress.stop()
  await context.note(`Faults of the sandbox ${where}`)
  return faults.list()
}

type Change = (faults: ControlledSandbox['faults']) => Promise<unknown>

/** Reads all input before anything is changed. */
async function readChange({ input }: Context, flags: FaultFlags): Promise<Change> {
  const { add, file, remove = [], clear } = flags
  if (add !== undefined) {
    const fault = faultOf({ ...flags, add })
    return (faults) => faults.add(fault)
  }
  const first = ['kind', 'id', 'rate', 'count', 'after', 'seed', 'with'].find(
    (name) => Reflect.get(flags, name) !== undefined,
  )
  if (first !== undefined) {
    throw usageError(
      `--${first} goes with --add.`,
      "for example --add 'POST /shipping_trackings' --kind reset",
    )
  }
  if (file !== undefined) {
    const wanted = await readFaultFile(input, file)
    return (faults) => faults.set(wanted)
  }
  if (clear) return (faults) => faults.clear()
  return async (faults) => {
    const known = (await faults.list()).map(({ id }) => id)
    const unknown = remove.filter((id) => !known.includes(id))
    // An unknown one fails before others are removed.
    for (const id of new Set([...unknown, ...remove])) await faults.remove(id)
  }
}

export async function readFaultFile(input: Context['input'], file: string): Promise<FaultInput[]> {
  const { value, name } = await input.json(file, [FAULTS_EXAMPLE])
  return readFaults(value, name)
}

function faultOf(flags: FaultFlags & { add: string }): FaultInput {
  if (flags.kind === undefined) {
    throw usageError('--add needs --kind.', 'rma sandbox faults --help names the kinds')
  }
  return readFault({
    route: flags.add,
    kind: flags.kind,
    id: flags.id,
    rate: number(flags.rate),
    count: number(flags.count),
    after: number(flags.after),
    seed: number(flags.seed),
    ...Object.fromEntries((flags.with ?? []).map(readOption)),
  })
}

/** Leaves other text to `readFault`, which refuses it. */
function number(text: string | undefined) {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

function readOption(text: string): [string, string | number | undefined] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? []
  if (name !== undefined) return [name, number(value)]
  throw usageError(`--with: ${JSON.stringify(text)} is not NAME=VALUE.`, '--with delayMs=2000')
}
