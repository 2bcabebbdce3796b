import { setImmediate } from 'node:timers/promises'
import type { ReturnFacts } from '../insight/case.ts'
import { keyOf } from '../walk/return-key.ts'
import { stringifyJson } from '../wire/json.ts'
import type { Return } from '../wire/returns.ts'
import { identifiersOf } from './identifiers.ts'
import { type CopyPolicy, emailsOf, leaveOut } from './policy.ts'
import type { MirroredReturn } from './record.ts'
import {
  deliveredAt,
  eventRows,
  type InsertableRow,
  type RowOf,
  refundRows,
  returnRow,
  transportRows,
} from './rows.ts'
import { type TextEntry, textEntry } from './search/maintain.ts'

/** What a mirror keeps of a return, as far as that depends on nothing that is in the mirror. */
export interface PreparedReturn {
  id: string
  /** Without what is left out. */
  facts: ReturnFacts
  /** But for its versions, and what was copied before and stays. */
  row: InsertableRow<'returns'>
  identifiers: RowOf<'identifiers'>[]
  /** Undefined: they were not copied. */
  transports:
    | { rows: RowOf<'transports'>[]; events: RowOf<'tracking_events'>[]; deliveredAt: string | null }
    | undefined
  /** As `transports`. */
  refunds: RowOf<'refunds'>[] | undefined
  entry: TextEntry
}

/** Of a batch of records; of one that came twice, the later one counts. */
export interface PreparedBatch {
  returns: PreparedReturn[]
  /** Of people to be forgotten. */
  refused: Return[]
  /** From before what is kept. */
  tooOld: number
}

/** So many are worked on before others get a turn: answers arrive meanwhile, and what was stored is told. */
const TURN_SIZE = 20

export async function prepareBatch(
  batch: readonly MirroredReturn[],
  policy: CopyPolicy,
): Promise<PreparedBatch> {
  const wanted = new Map(batch.map((one) => [keyOf(one.record), one]))
  const prepared: PreparedBatch = { returns: [], refused: [], tooOld: 0 }
  let done = 0
  for (const [id, one] of wanted) {
    done += 1
    if (done % TURN_SIZE === 0) await setImmediate()
    const isForgotten = emailsOf(one.record).some(policy.isForgotten)
    if (isForgotten) {
      prepared.refused.push(one.record)
      continue
    }
    const record = leaveOut(one.record, policy.choices)
    // A record without an id might be known by what is left out of it.
    const row = returnRow(record)
    row.id = id
    if (isTooOld(row.created_at, policy)) prepared.tooOld += 1
    else prepared.returns.push(prepare(one, record, row))
  }
  return prepared
}

function isTooOld(createdAt: string | null | undefined, { createdFrom }: CopyPolicy): boolean {
  return createdFrom !== undefined && typeof createdAt === 'string' && createdAt < createdFrom
}

function prepare(sent: MirroredReturn, record: Return, row: PreparedReturn['row']): PreparedReturn {
  const { id } = row
  const { transportations, refunds } = sent
  const events = transportations && eventRows(transportations, id)
  row.document = (record === sent.record ? sent.json : undefined) ?? stringifyJson(record)
  row.synced_at = sent.syncedAt
  return {
    id,
    facts: { record, transportations, refunds },
    row,
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
