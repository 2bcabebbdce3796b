import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import type { FaultRow } from '../../output/views/sandbox.ts'
import type { FaultInput } from '../../sandbox/faults/fault.ts'
import { type ControlContext, openControl, type SandboxControl } from './control-client.ts'

interface FaultFlags {
  data?: string | undefined
  add?: string | undefined
  kind?: string | undefined
  id?: string | undefined
  rate?: string | undefined
  count?: string | undefined
  after?: string | undefined
  seed?: string | undefined
  with?: string[] | undefined
  remove?: string[] | undefined
  clear?: boolean | undefined
  file?: string | undefined
}

/** The faults in force then. */
export async function steerFaults(
  context: ControlContext & Pick<Context, 'input'>,
  flags: FaultFlags,
): Promise<FaultRow[]> {
  const change = await readChange(context, flags)
  const control = await openControl(context, flags.data)
  await change(control)
  return faultRows(await control.call('GET', '/faults'))
}

type Change = (control: SandboxControl) => Promise<unknown>

/** All that is given is read before anything is changed. */
async function readChange({ input }: Pick<Context, 'input'>, flags: FaultFlags): Promise<Change> {
  const { add, file, remove = [], clear } = flags
  if (add !== undefined) {
    const fault = await faultOf({ ...flags, add })
    return (control) => control.call('POST', '/faults', fault)
  }
  const [first] = ['kind', 'id', 'rate', 'count', 'after', 'seed', 'with'].filter(
    (name) => Reflect.get(flags, name) !== undefined,
  )
  if (first !== undefined) {
    throw new AppError('usage', `--${first} goes with --add.`, {
      hints: ["for example --add 'POST /shipping_trackings' --kind reset"],
    })
  }
  if (file !== undefined) {
    const faults = await readFaultFile(input, file)
    return (control) => control.call('PUT', '/faults', { faults })
  }
  if (clear) return (control) => control.call('DELETE', '/faults')
  return async (control) => {
    for (const id of remove) await control.call('DELETE', `/faults/${encodeURIComponent(id)}`)
  }
}

/** @throws AppError `usage` that names all that is wrong with the file */
export async function readFaultFile(input: Context['input'], file: string): Promise<FaultInput[]> {
  const { value, name } = await input.json(file, [EXAMPLE])
  const { readFaults } = await import('../../sandbox/faults/fault.ts')
  const read = readFaults(value)
  if ('faults' in read) return read.faults
  throw new AppError('usage', `${name} is not a list of faults.`, {
    details: read.problems,
    hints: [EXAMPLE],
  })
}

const EXAMPLE = 'for example [{"route":"POST /shipping_trackings","kind":"reset","rate":0.05}]'

async function faultOf(flags: FaultFlags & { add: string }): Promise<FaultInput> {
  if (flags.kind === undefined) {
    throw new AppError('usage', '--add needs --kind.', {
      hints: ['rma sandbox faults --help names the kinds'],
    })
  }
  const { readFault } = await import('../../sandbox/faults/fault.ts')
  const given = {
    route: flags.add,
    kind: flags.kind,
    id: flags.id,
    rate: number(flags.rate),
    count: number(flags.count),
    after: number(flags.after),
    seed: number(flags.seed),
    ...Object.fromEntries((flags.with ?? []).map(readOption)),
  }
  const read = readFault(given)
  if ('fault' in read) return read.fault
  throw new AppError('usage', 'This fault is not possible.', { details: read.problems })
}

/** What is no number stays a text, for the one error that says what it must be. */
function number(text: string | undefined): number | string | undefined {
  return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

function readOption(text: string): [string, string | number | undefined] {
  const [, name, value] = /^(\w+)=(.+)$/s.exec(text) ?? []
  if (name !== undefined) return [name, number(value)]
  throw new AppError('usage', `--with: ${JSON.stringify(text)} is not NAME=VALUE.`, {
    hints: ['--with delayMs=2000'],
  })
}

function faultRows(answer: unknown): FaultRow[] {
  const list: unknown = Reflect.get(Object(answer), 'faults')
  return Array.isArray(list) ? list : []
}
