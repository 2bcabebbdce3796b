import pMap from 'p-map'
import type { PageSource } from '../../walk/page-source.ts'
import { canBeAsked } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import type { Transportation } from '../../wire/transportations.ts'
import type { CopyChoices } from '../store/policy.ts'
import type { MirroredReturn } from '../store/record.ts'
import type { MirrorStore } from '../store/store.ts'

/** Source of a copy. Each method throws what the requests throw. */
export interface MirrorSource extends PageSource {
  /** Returns undefined if the return does not exist any more. */
  transportations(id: string): Promise<readonly Transportation[] | undefined>
  refunds(id: string): Promise<readonly Refund[] | undefined>
}

const DAY_MS = 86_400_000
/** Few, because the service sets no pace (spec §8). */
const CONCURRENCY = 6
const BATCH_SIZE = 120

/** Copies transports and refunds of what changed since they were copied last; newest changes first. */
export async function* copyDetails(
  mirror: MirrorStore,
  source: MirrorSource,
  choices: CopyChoices,
  nowMs: number,
): AsyncGenerator<{ done: number; total: number }, void, undefined> {
  const { transports, refunds, detailDays } = choices
  const wanted = {
    transports,
    refunds,
    changedFromMs: detailDays === null ? undefined : nowMs - detailDays * DAY_MS,
  }
  let total: number | undefined
  let skipped = 0
  for (let done = 0; ; ) {
    const due = await mirror.detailsDue(wanted, BATCH_SIZE, skipped)
    if (due.length === 0) return
    total ??= await mirror.countDetailsDue(wanted)
    // Requests need an id.
    const known = (await mirror.byIds(due)).filter(({ record }) => canBeAsked(record.id))
    skipped += due.length - known.length
    const gone: string[] = []
    const copies = await pMap(known, (one) => withDetails(one, source, choices, gone), {
      concurrency: CONCURRENCY,
    })
    await mirror.apply(copies.filter((one) => one !== undefined))
    await mirror.remove(gone)
    done += due.length
    yield { done, total: Math.max(total, done) }
  }
}

async function withDetails(
  one: MirroredReturn,
  source: MirrorSource,
  { transports, refunds }: CopyChoices,
  gone: string[],
): Promise<MirroredReturn | undefined> {
  const id = String(one.record.id)
  const transportations = transports ? await source.transportations(id) : []
  const repaid = refunds ? await source.refunds(id) : []
  if (transportations === undefined || repaid === undefined) {
    gone.push(id)
    return undefined
  }
  return {
    ...one,
    transportations: transports ? [...transportations] : undefined,
    refunds: refunds ? [...repaid] : undefined,
  }
}
