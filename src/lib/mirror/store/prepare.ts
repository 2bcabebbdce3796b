import { setImmediate } from 'node:timers/promises'
import { keyOf } from '../../walk/return-key.ts'
import { stringifyJson } from '../../wire/json.ts'
import type { Return } from '../../wire/returns.ts'
import { type TextEntry, textEntry } from '../search/maintain.ts'
import { factColumns } from '../stats/facts.ts'
import { dialectOf } from './dialect.ts'
import { identifiersOf } from './identifiers.ts'
import { type CopyPolicy, leaveOut } from './policy.ts'
import type { MirroredReturn } from './record.ts'
import {
  deliveredAt,
  eventRows,
  type InsertableRow,
  itemRows,
  type RowOf,
  refundRows,
  returnRow,
  transportRows,
} from './rows.ts'
import type { MirrorDb } from './tables.ts'

/**
 * Rows of a return that do not depend on the mirror's contents. The record itself is left out, since a batch lives
 * through several garbage collections.
 */
export interface PreparedReturn {
  id: string
  /** Lacks the versions, and the parts that were copied before. */
  row: InsertableRow<'returns'>
  /** Set for PostgreSQL, where items are a table. */
  items: RowOf<'return_items'>[] | undefined
  identifiers: RowOf<'identifiers'>[]
  /** Set if the transports were copied. */
  transports:
    | { rows: RowOf<'transports'>[]; events: RowOf<'tracking_events'>[]; deliveredAt: string | null }
    | undefined
  refunds: RowOf<'refunds'>[] | undefined
  entry: TextEntry
}

/** Keys are ids: the later copy of a record counts. */
export type PreparedBatch = Map<string, PreparedReturn | Refused>

export interface Refused {
  /** The record, if it is of a person to be forgotten; undefined if it is too old. */
  buried: Return | undefined
}

/** Records between two turns of the event loop, in which answers arrive and progress is shown. */
const TURN_SIZE = 20

export async function prepareBatch(
  db: MirrorDb,
  batch: Iterable<MirroredReturn>,
  policy: CopyPolicy,
): Promise<PreparedBatch> {
  const prepared: PreparedBatch = new Map()
  const hasItems = dialectOf(db).isServer
  let done = 0
  for (const one of batch) {
    done += 1
    if (done % TURN_SIZE === 0) await setImmediate()
    const isForgotten = policy.isForgotten(one.record)
    prepared.set(keyOf(one.record), isForgotten ? { buried: one.record } : prepare(one, policy, hasItems))
  }
  return prepared
}

function isTooOld(createdAt: string | null | undefined, { createdFrom }: CopyPolicy): boolean {
  return createdFrom !== undefined && typeof createdAt === 'string' && createdAt < createdFrom
}

function prepare(sent: MirroredReturn, policy: CopyPolicy, hasItems: boolean): PreparedReturn | Refused {
  const record = leaveOut(sent.record, policy.choices)
  const row = returnRow(record)
  if (isTooOld(row.created_at, policy)) return { buried: undefined }
  // A record without an id might be known by what is left out of it.
  const id = keyOf(sent.record)
  row.id = id
  const { transportations, refunds } = sent
  const events = transportations && eventRows(transportations, id)
  row.document = (record === sent.record ? sent.json : undefined) ?? stringifyJson(record)
  row.synced_at = sent.syncedAt
  Object.assign(row, factColumns({ record, transportations, refunds }))
  return {
    id,
    row,
    items: hasItems ? itemRows(record, id) : undefined,
    identifiers: identifiersOf(record, transportations).map((value) => ({ value, return_id: id })),
    transports: transportations &&
      events && {
        rows: transportRows(transportations, id),
        events,
        deliveredAt: deliveredAt(events),
      },
    refunds: refunds && refundRows(refunds, id),
    entry: textEntry({ id, created_at: row.created_at ?? null, record }),
  }
}
