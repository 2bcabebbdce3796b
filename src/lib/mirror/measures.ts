import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import type { ReturnFacts } from '../insight/case.ts'
import { reconcile } from '../insight/reconcile.ts'
import { scanGapsOf, stuckFrom } from '../insight/stuck.ts'
import { plainDate, plainText } from '../wire/plain.ts'
import { insertRows } from './insert.ts'
import { blockOf, filteredMeasures, readByIds } from './read.ts'
import type { MirroredReturn, MirrorFilter } from './record.ts'
import type { RowOf } from './rows.ts'
import { type CountedReturn, countedReturn, type KnownTraits, statsLines } from './stats-lines.ts'
import type { MirrorDb } from './tables.ts'

const BLOCK_SIZE = 500
/** Documents, all of them in memory. */
const WHOLE_BLOCK_SIZE = 100

/** What is told of a return (`measureReturn`). */
export interface ReturnMeasures {
  /** But for its line of statistics. */
  row: RowOf<'return_measures'>
  counted: CountedReturn
  gaps: RowOf<'scan_gaps'>[]
}

/** Minutes between scans of parcels of a carrier service that have ended. */
export interface ScanGaps {
  carrier: string
  carrierService: string
  minutes: Iterable<number>
}

export interface MeasuredCount {
  returns: number
  /** Of them, those whose refunds were not copied. */
  withoutRefunds: number
}

export function measureReturn(id: string, facts: ReturnFacts): ReturnMeasures {
  return { row: measureRow(id, facts), counted: countedReturn(facts), gaps: gapRows(id, facts) }
}

function measureRow(id: string, facts: ReturnFacts): RowOf<'return_measures'> {
  const { createdAt, updatedAt, status, shopCode } = facts.record
  const stuckMs = stuckFrom(facts)
  const created = plainDate(createdAt)
  return {
    created_block: created === null ? 0 : blockOf(Date.parse(created)),
    return_id: id,
    status: plainText(status) ?? '',
    shop_code: plainText(shopCode) ?? '',
    created_at: created,
    updated_at: plainDate(updatedAt),
    stats_line: '',
    stuck_from: stuckMs === undefined ? null : new Date(stuckMs).toISOString(),
    differs: reconcile(facts).length > 0 ? 1 : 0,
    has_refunds: facts.refunds === undefined ? 0 : 1,
  }
}

function gapRows(id: string, facts: ReturnFacts): RowOf<'scan_gaps'>[] {
  return (facts.transportations ?? []).flatMap((transport, position) => {
    const minutes = scanGapsOf(transport)
    if (minutes.length === 0) return []
    const { carrierCode, carrierServiceCode } = transport
    return {
      return_id: id,
      position,
      carrier: plainText(carrierCode) ?? '',
      carrier_service: plainText(carrierServiceCode) ?? '',
      minutes: minutes.join(' '),
    }
  })
}

/** Drops what was told of returns. */
export async function unmeasure(db: MirrorDb, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('return_measures').where('return_id', 'in', ids).execute()
  await db.deleteFrom('scan_gaps').where('return_id', 'in', ids).execute()
}

/** Keeps what is told of returns of which nothing is kept. */
export async function measure(
  db: MirrorDb,
  returns: readonly ReturnMeasures[],
  known?: KnownTraits,
): Promise<void> {
  const lines = await statsLines(
    db,
    returns.map(({ counted }) => counted),
    known,
  )
  for (const [index, { row }] of returns.entries()) row.stats_line = lines[index] ?? ''
  await insertRows(
    db,
    'return_measures',
    returns.map(({ row }) => row),
  )
  await insertRows(
    db,
    'scan_gaps',
    returns.flatMap(({ gaps }) => gaps),
  )
}

/** As `measure`, of returns as they are in the mirror, instead of what was told of them before. */
export async function measureStored(db: MirrorDb, ids: readonly string[]): Promise<void> {
  for (let at = 0; at < ids.length; at += BLOCK_SIZE) {
    const block = ids.slice(at, at + BLOCK_SIZE)
    const found = await readByIds(db, block)
    await unmeasure(db, block)
    await measure(
      db,
      found.map((facts, position) => measureReturn(block[position] ?? '', facts)),
    )
  }
}

/** All there are. */
export async function measureAll(db: MirrorDb): Promise<void> {
  for (let last = ''; ; ) {
    const rows = await db
      .selectFrom('returns')
      .select('id')
      .where('id', '>', last)
      .orderBy('id')
      .limit(BLOCK_SIZE)
      .execute()
    await measureStored(
      db,
      rows.map(({ id }) => id),
    )
    last = rows.at(-1)?.id ?? ''
    if (rows.length < BLOCK_SIZE) return
    // SQLite gives the event loop no turn, in which a signal would be heard.
    await setImmediate()
  }
}

function numbersIn(text: string): number[] {
  return text === '' ? [] : text.split(' ').map(Number)
}

export async function* readScanGaps(
  db: MirrorDb,
  filter: MirrorFilter,
): AsyncGenerator<ScanGaps, void, undefined> {
  let query = db.selectFrom('scan_gaps')
  if (filter.shop !== undefined)
    query = query.where('return_id', 'in', filteredMeasures(db, filter).select('return_id'))
  const rows = await query
    .select(['carrier', 'carrier_service', sql<string>`string_agg(minutes, ' ')`.as('minutes')])
    .groupBy(['carrier', 'carrier_service'])
    .execute()
  for (const { carrier, carrier_service: carrierService, minutes } of rows) {
    yield { carrier, carrierService, minutes: numbersIn(minutes) }
  }
}

/** Those that would count as stuck by then, if their limit were the shortest there is; newest first. */
export function readStuck(
  db: MirrorDb,
  nowMs: number,
  filter: MirrorFilter,
): AsyncGenerator<MirroredReturn, void, undefined> {
  const stuckBy = new Date(nowMs).toISOString()
  return readWhole(db, filteredMeasures(db, filter).where('stuck_from', '<', stuckBy))
}

/** Those that differ from their refunds; newest first. */
export function readDiffering(
  db: MirrorDb,
  filter: MirrorFilter,
): AsyncGenerator<MirroredReturn, void, undefined> {
  return readWhole(db, filteredMeasures(db, filter).where('differs', '=', 1))
}

async function* readWhole(
  db: MirrorDb,
  query: ReturnType<typeof filteredMeasures>,
): AsyncGenerator<MirroredReturn, void, undefined> {
  const rows = await query
    .select('return_id')
    .orderBy(sql`coalesce(created_at, '')`, 'desc')
    .orderBy('return_id')
    .execute()
  const ids = rows.map(({ return_id: id }) => id)
  rows.length = 0
  for (let at = 0; at < ids.length; at += WHOLE_BLOCK_SIZE) {
    yield* await readByIds(db, ids.slice(at, at + WHOLE_BLOCK_SIZE))
  }
}

/** Of these statuses, if any are given. */
export async function countMeasured(
  db: MirrorDb,
  filter: MirrorFilter,
  statuses?: readonly string[],
): Promise<MeasuredCount> {
  let query = filteredMeasures(db, filter)
  if (statuses !== undefined) query = query.where('status', 'in', statuses)
  const { returns, refunds } = await query
    .select(({ fn }) => [fn.countAll().as('returns'), fn.sum('has_refunds').as('refunds')])
    .executeTakeFirstOrThrow()
  return { returns: Number(returns), withoutRefunds: Number(returns) - Number(refunds ?? 0) }
}
