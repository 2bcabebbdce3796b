import { sql } from 'kysely'
import type { ReturnFacts } from '../../insight/case.ts'
import { reconcile } from '../../insight/reconcile.ts'
import { type StatsCounter, statsFactsOf } from '../../insight/stats.ts'
import { stuckFrom } from '../../insight/stuck.ts'
import type { MirrorStore } from '../store/open.ts'
import {
  filteredReturns,
  type MirroredReturn,
  type MirrorFilter,
  readBlocks,
  readByIds,
} from '../store/read.ts'
import { countRows, inBlocks, type MirrorDb } from '../store/tables.ts'

const WHOLE_BLOCK_SIZE = 100
const STATS_BLOCK_SIZE = 5000

/** Columns of a return that statistics and rules read instead of its documents. */
export function factColumns(facts: ReturnFacts) {
  const { method, carrier, reasons, refundMinutes, arrivalMinutes } = statsFactsOf(facts)
  const stuckMs = stuckFrom(facts)
  return {
    last_carrier: carrier || null,
    last_method: method || null,
    reasons: reasons.length === 0 ? null : JSON.stringify(reasons),
    refund_minutes: refundMinutes.join(' ') || null,
    arrival_minutes: arrivalMinutes.join(' ') || null,
    stuck_from: stuckMs === undefined ? null : new Date(stuckMs).toISOString(),
    differs: reconcile(facts).length > 0 ? 1 : 0,
  }
}

const STATS_COLUMNS = [
  'id',
  'sort_key',
  'status',
  'shop_code',
  'customer_country',
  'last_carrier',
  'last_method',
  'reasons',
  'refund_minutes',
  'arrival_minutes',
] as const

export async function countStats(db: MirrorDb, filter: MirrorFilter, counter: StatsCounter) {
  for await (const row of readBlocks(db, filter, STATS_COLUMNS, STATS_BLOCK_SIZE)) {
    const createdMs = Date.parse(row.sort_key)
    counter.add({
      status: row.status ?? '',
      method: row.last_method ?? '',
      carrier: row.last_carrier ?? '',
      country: row.customer_country ?? '',
      shop: row.shop_code ?? '',
      reasons: row.reasons === null ? [] : JSON.parse(row.reasons),
      createdMs: Number.isNaN(createdMs) ? undefined : createdMs,
      refundMinutes: numbersIn(row.refund_minutes),
      arrivalMinutes: numbersIn(row.arrival_minutes),
    })
  }
}

function numbersIn(text: string | null) {
  return text === null ? [] : text.split(' ').map(Number)
}

export async function* readScanGaps(db: MirrorDb, filter: MirrorFilter) {
  let query = db.selectFrom('transports').where('gap_minutes', 'is not', null)
  if (filter.shop !== undefined)
    query = query.where('return_id', 'in', filteredReturns(db, filter).select('id'))
  const rows = await query
    .select(['carrier', 'carrier_service', sql<string>`string_agg(gap_minutes, ' ')`.as('minutes')])
    .groupBy(['carrier', 'carrier_service'])
    .execute()
  for (const { carrier, carrier_service: carrierService, minutes } of rows) {
    yield { carrier: carrier ?? '', carrierService: carrierService ?? '', minutes: numbersIn(minutes) }
  }
}

/** Reads returns that are stuck at `nowMs` by the shortest possible limit, newest first. */
export function readStuck(db: MirrorDb, nowMs: number, filter: MirrorFilter): AsyncGenerator<MirroredReturn> {
  return readWhole(db, filteredReturns(db, filter).where('stuck_from', '<', new Date(nowMs).toISOString()))
}

export function readDiffering(db: MirrorDb, filter: MirrorFilter): AsyncGenerator<MirroredReturn> {
  return readWhole(db, filteredReturns(db, filter).where('differs', '=', 1))
}

async function* readWhole(db: MirrorDb, query: ReturnType<typeof filteredReturns>) {
  const rows = await query.select('id').orderBy('sort_key', 'desc').orderBy('id').execute()
  const ids = rows.map(({ id }) => id)
  for (const block of inBlocks(ids, WHOLE_BLOCK_SIZE)) yield* await readByIds(db, block)
}

export function countReturns(db: MirrorDb, filter: MirrorFilter): Promise<number> {
  return countRows(filteredReturns(db, filter))
}

/** Counts returns without copied refunds, except those last changed before the refund range. */
export function countUnreadRefunds(
  db: MirrorDb,
  { refundedFromMs, refundedToMs: _to, ...filter }: MirrorFilter,
  statuses?: readonly string[],
): Promise<number> {
  const changed = { ...filter, updatedFromMs: filter.updatedFromMs ?? refundedFromMs }
  const unread = filteredReturns(db, changed).where('has_refunds', 'is', null)
  return countRows(statuses === undefined ? unread : unread.where('status', 'in', statuses))
}

export async function countMirror({ db, sizeBytes }: MirrorStore) {
  const counted = await db
    .selectFrom('returns')
    .select(({ fn }) => [
      fn.countAll().as('returns'),
      fn.count('has_transports').as('transports'),
      fn.count('has_refunds').as('refunds'),
      fn.min('created_at').as('oldest'),
      fn.max('created_at').as('newest'),
    ])
    .executeTakeFirstOrThrow()
  return {
    returns: Number(counted.returns),
    withTransports: Number(counted.transports),
    withRefunds: Number(counted.refunds),
    forgotten: await countRows(db.selectFrom('forgotten').where('kind', '=', 'person')),
    oldest: counted.oldest ?? undefined,
    newest: counted.newest ?? undefined,
    bytes: await sizeBytes(),
  }
}
