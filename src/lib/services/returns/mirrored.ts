import { Flags } from '@oclif/core'
import { readSandboxMark } from '../../api/sandbox-mark.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { ReturnFacts } from '../../insight/case.ts'
import type { MirrorFilter } from '../../mirror/record.ts'
import { readState } from '../../mirror/state.ts'
import { syncMirror } from '../../mirror/sync.ts'
import { wallTimeToInstant } from '../../wire/time.ts'
import { consentToCopy } from '../mirror/consent.ts'
import { type OpenedMirror, withExistingMirror, withMirror } from '../mirror/place.ts'
import { platformSource } from '../mirror/source.ts'
import { lastReport } from '../mirror/sync.ts'
import { type FilterFlags, readFilters } from './list-flags.ts'

/** Of every command that goes through the mirror. */
export const mirroredFlags = {
  offline: Flags.boolean({ summary: 'Take the mirror as it is, and ask the platform nothing' }),
}

export interface MirroredReturns {
  /** All that match; can be gone through once. */
  returns: AsyncIterable<ReturnFacts>
  /** Ms since the epoch, by the platform's clock. */
  now: number
}

/** Copies transports and refunds of what did not change for long, too. */
export const COPY_ALL = 'rma mirror sync --with transports,refunds'

/** How long another process's sync is waited for. */
const PATIENCE_MS = 10 * 60_000

/** Runs `action` on the mirror's returns, brought up to date first. */
export async function withMirroredReturns<T>(
  context: Context,
  connection: Connection,
  flags: FilterFlags & { offline: boolean },
  action: (mirrored: MirroredReturns) => Promise<T>,
): Promise<T> {
  const filter = await mirrorFilter(flags, context)
  const run = flags.offline ? withExistingMirror : withMirror
  return run(context, async (opened) => {
    if (!flags.offline) await refresh(opened, context, connection)
    context.progress.start('Going through the mirror')
    const now = await platformNow(opened, flags.offline, context, connection)
    return action({ returns: context.counted(opened.mirror.each(filter), 'returns'), now })
  })
}

async function refresh(opened: OpenedMirror, context: Context, connection: Connection): Promise<void> {
  const { mirror } = opened
  const source = await platformSource(connection)
  await consentToCopy(context, opened, source, { yes: false })
  const turn = { waitMs: PATIENCE_MS, signal: context.requestsEnd }
  context.progress.start('Bringing the mirror up to date')
  await mirror.exclusively(turn, () =>
    lastReport(context, syncMirror({ mirror, source, clock: { now: context.io.now } })),
  )
}

/** A sandbox's clock may have been moved; what is known of it offline is when it was copied. */
async function platformNow(
  { mirror }: OpenedMirror,
  isOffline: boolean,
  context: Context,
  connection: Connection,
): Promise<number> {
  const machineNow = context.io.now()
  if (!isOffline) return (await readSandboxMark(await connection.http()))?.now ?? machineNow
  const { sandboxId, markMs } = await readState(mirror.db)
  return sandboxId === null ? machineNow : Math.max(machineNow, markMs ?? 0)
}

async function mirrorFilter(flags: FilterFlags, context: Context): Promise<MirrorFilter> {
  const { name, status, order, ...walls } = await readFilters(flags, context)
  const zone = (await context.settings()).timeZone.value
  const instant = (wall: string | undefined, edge: 'from' | 'to') => {
    if (wall === undefined) return undefined
    const { epochMs } = wallTimeToInstant(wall, zone, edge === 'from' ? 'earlier' : 'later')
    return edge === 'from' ? epochMs : epochMs + 999
  }
  return {
    name,
    status,
    order,
    createdFromMs: instant(walls.createdFrom, 'from'),
    createdToMs: instant(walls.createdTo, 'to'),
    updatedFromMs: instant(walls.updatedFrom, 'from'),
    updatedToMs: instant(walls.updatedTo, 'to'),
    refundedFromMs: instant(walls.refundedFrom, 'from'),
    refundedToMs: instant(walls.refundedTo, 'to'),
  }
}
