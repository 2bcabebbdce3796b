import type { ReturnFilters } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import { type FlagValues, textFlag } from '../../config/flag-kinds.ts'
import { checkRange, parseWhen, readWord, refuseBlank, type WordList } from '../../config/flag-values.ts'
import { usageError } from '../../errors.ts'
import { RETURN_STATUSES } from '../../wire/enumerations.ts'
import { defined } from '../../wire/raw.ts'
import { instantToWallTime } from '../../wire/time.ts'

export const returnsFilterFlags = {
  name: textFlag('R#-…', 'Name (RMA) of the return'),
  status: textFlag('STATUS', `One of ${RETURN_STATUSES.join(', ')}, or its words as tables show them`),
  order: textFlag('ORDER', 'Order that the return was requested from'),
  'created-from': textFlag('DATE', 'Created at this time or later'),
  'created-to': textFlag('DATE', 'Created at this time or before'),
  'updated-from': textFlag('DATE', 'Changed at this time or later'),
  'updated-to': textFlag('DATE', 'Changed at this time or before'),
  'refunded-from': textFlag('DATE', 'A refund executed at this time or later'),
  'refunded-to': textFlag('DATE', 'A refund executed at this time or before'),
}

export type FilterFlags = Partial<FlagValues<typeof returnsFilterFlags>>

const STATUSES: WordList = { what: 'a status of a return', words: RETURN_STATUSES, kind: 'returnStatus' }

/** Refuses an unknown status with `knownStatus`, since a platform that ignores it would return everything. */
export async function readFilters(
  flags: FilterFlags,
  context: Context,
  options: { zone?: string; knownStatus?: boolean } = {},
): Promise<ReturnFilters> {
  const zone = isDated(flags) ? await context.timeZone() : 'UTC'
  const now = context.io.now()
  const status =
    flags.status === undefined ? undefined : readWord('--status', flags.status, STATUSES, options.knownStatus)
  for (const flag of ['name', 'order'] as const) refuseBlank(`--${flag}`, flags[flag])
  const notes: string[] = []
  const filters: ReturnFilters = { name: flags.name, status: status?.value, order: flags.order }
  for (const kind of ['created', 'updated', 'refunded'] as const) {
    const [from, to] = (['from', 'to'] as const).map((edge) => {
      const input = flags[`${kind}-${edge}`]
      if (input === undefined) return undefined
      const when = parseWhen(input, { edge, zone, now, flag: `--${kind}-${edge}` })
      notes.push(...when.notes)
      return when
    })
    checkRange(from, to, `--${kind}`)
    const [fromWall, toWall] = [from, to].map(
      (when) => when && (options.zone ? instantToWallTime(when.epochMs, options.zone) : when.wall),
    )
    filters[`${kind}From`] = fromWall
    filters[`${kind}To`] = toWall
  }
  if (status?.note !== undefined) notes.push(status.note)
  for (const note of notes) await context.warn(note)
  return filters
}

export function utcMs(wall: string | undefined): number | undefined {
  return wall === undefined ? undefined : Date.parse(`${wall}Z`)
}

function isDated(flags: FilterFlags) {
  return Object.entries(flags).some(([name, value]) => value && /^(created|updated|refunded)-/.test(name))
}

/** Returns the filters as typed: `7d` identifies the same query on any day. */
export async function typedFilters(flags: FilterFlags, context: Context): Promise<Record<string, string>> {
  const names = Object.keys(returnsFilterFlags).sort() as (keyof typeof returnsFilterFlags)[]
  return {
    ...defined(Object.fromEntries(names.map((name) => [name, flags[name]]))),
    ...(isDated(flags) && { 'time-zone': await context.timeZone() }),
  }
}

export function readCountFlag(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const count = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (count >= 1) return count
  throw usageError(`${flag}: ${JSON.stringify(text)} is not a whole number from 1 on.`)
}
