import type { Selectable } from 'kysely'
import { parseJson } from '../../wire/json.ts'
import { returnKey } from '../../wire/plain.ts'
import { grouped } from '../../wire/raw.ts'
import type { Refund } from '../../wire/refunds.ts'
import { normalIdentifier, normalIdentifiers, parseLooseLabelId } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import { inBlocks, type MirrorDb, type MirrorTables } from './tables.ts'

/** A return and what was copied besides, each as the platform sent it, with its dates in UTC. */
export interface MirroredReturn {
  record: Return
  /** Absent if not copied since the record last changed; empty if there were none. */
  transportations?: readonly Transportation[]
  refunds?: readonly Refund[]
  syncedAt: string
}

export interface Applied {
  added: number
  changed: number
  same: number
  refused: number
}

/** Conditions that all must hold. Times are epoch milliseconds, both ends included. */
export interface MirrorFilter {
  name?: string
  status?: string
  order?: string
  shop?: string
  createdFromMs?: number
  createdToMs?: number
  updatedFromMs?: number
  updatedToMs?: number
  refundedFromMs?: number
  refundedToMs?: number
}

const COLUMNS = ['id', 'sort_key', 'synced_at', 'document', 'has_transports', 'has_refunds'] as const
type Cells<C extends keyof MirrorTables['returns']> = Pick<
  Selectable<MirrorTables['returns']>,
  C | 'id' | 'sort_key'
>
type ReturnCells = Cells<(typeof COLUMNS)[number]>

export async function readByIds(db: MirrorDb, ids: readonly string[]): Promise<MirroredReturn[]> {
  const found = new Map<string, MirroredReturn>()
  for (const wanted of inBlocks(ids)) {
    const cells = await db.selectFrom('returns').select(COLUMNS).where('id', 'in', wanted).execute()
    for (const [id, one] of await withParts(db, cells)) found.set(id, one)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

export async function newestIds(db: MirrorDb, filter: MirrorFilter, limit: number): Promise<string[]> {
  const newest = filteredReturns(db, filter).select('id').orderBy('sort_key', 'desc').orderBy('id')
  return (await newest.limit(limit).execute()).map(({ id }) => id)
}

export async function readCandidates(db: MirrorDb, text: string): Promise<MirroredReturn[]> {
  const found = await readIdentified(db, normalIdentifier(text))
  const label = found.length === 0 ? parseLooseLabelId(text) : undefined
  if (label === undefined) return found
  const named = await readIdentified(db, label.name)
  // Transports copied before the return changed count, too.
  const transports = await documentsOf<Transportation>(
    db,
    'transports',
    named.map(({ record }) => returnKey(record)),
  )
  return named.filter(({ record }) =>
    [record.activeTransportation, ...(transports.get(returnKey(record)) ?? [])].some(
      (one) => String(one?.id) === label.transportId,
    ),
  )
}

export interface NumberedReturn {
  name: string
  shopCode: string | undefined
  /** Tracking number of the active transport, as the platform spells it. */
  number: string
}

/** Finds the returns whose active transports have the numbers, by normal form of the number. */
export async function readByNumbers(
  db: MirrorDb,
  numbers: Iterable<string>,
): Promise<Map<string, NumberedReturn[]>> {
  const found = new Map<string, NumberedReturn[]>()
  for (const some of inBlocks(normalIdentifiers([...numbers]))) {
    const rows = await db
      .selectFrom('identifiers')
      .innerJoin('returns', 'returns.id', 'identifiers.return_id')
      .select(['value', 'name', 'shop_code', 'tracking_code'])
      .where('value', 'in', some)
      .execute()
    for (const { value, name, shop_code: shopCode, tracking_code: number } of rows) {
      if (name === null || number === null || normalIdentifier(number) !== value) continue
      const returns = found.get(value) ?? []
      found.set(value, returns)
      returns.push({ name, shopCode: shopCode ?? undefined, number })
    }
  }
  return found
}

async function readIdentified(db: MirrorDb, value: string): Promise<MirroredReturn[]> {
  if (value === '') return []
  const cells = await db
    .selectFrom('returns')
    .select(COLUMNS)
    .where('id', 'in', selectIdentified(db, [value]))
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .execute()
  return [...(await withParts(db, cells)).values()]
}

/**
 * Reads columns of matching returns, newest first, in blocks. Each block begins after the last return of the
 * block before, so that no statement stays open and writes in between hide no return.
 */
export async function* readBlocks<C extends keyof MirrorTables['returns']>(
  db: MirrorDb,
  filter: MirrorFilter,
  columns: readonly (C | 'id' | 'sort_key')[],
  size: number,
): AsyncGenerator<Cells<C>> {
  let last: Cells<'id' | 'sort_key'> | undefined
  do {
    let query = filteredReturns(db, filter)
    if (last !== undefined) {
      const { id, sort_key: key } = last
      // The second condition implies the first, which lets the index be used.
      query = query
        .where('sort_key', '<=', key)
        .where((is) => is.or([is('sort_key', '<', key), is('id', '>', id)]))
    }
    const block = query.select(columns as readonly ('id' | 'sort_key')[])
    const rows = await block.orderBy('sort_key', 'desc').orderBy('id').limit(size).execute()
    yield* rows as Cells<C>[]
    last = rows.length < size ? undefined : rows.at(-1)
  } while (last !== undefined)
}

export function filteredReturns(db: MirrorDb, filter: MirrorFilter) {
  const { name, order } = filter
  let query = db.selectFrom('returns')
  const conditions = [
    ['status', '=', filter.status],
    ['shop_code', '=', filter.shop],
    ['sort_key', '>=', isoText(filter.createdFromMs)],
    ['sort_key', '<=', isoText(filter.createdToMs)],
    ['sort_key', '>', filter.createdToMs === undefined ? undefined : ''],
    ['updated_at', '>=', isoText(filter.updatedFromMs)],
    ['updated_at', '<=', isoText(filter.updatedToMs)],
  ] as const
  for (const [column, operator, value] of conditions) {
    if (value !== undefined) query = query.where(column, operator, value)
  }
  if (name !== undefined) query = query.where('name', '=', name)
  if (order !== undefined) {
    query = query.where((is) => is.or([is('order_id', '=', order), is('order_name', '=', order)]))
  }
  // Names and orders are identifiers too, which have an index.
  for (const value of [name ?? '', order ?? ''].map(normalIdentifier)) {
    if (value !== '') query = query.where('id', 'in', selectIdentified(db, [value]))
  }
  if (!filtersByRefunds(filter)) return query
  let refunds = db.selectFrom('refunds').select('return_id').where('executed_at', 'is not', null)
  const [from, to] = [isoText(filter.refundedFromMs), isoText(filter.refundedToMs)]
  if (from !== undefined) refunds = refunds.where('executed_at', '>=', from)
  if (to !== undefined) refunds = refunds.where('executed_at', '<=', to)
  return query.where('id', 'in', refunds)
}

/** Selects the ids of returns that have one of the identifiers, in normal form. */
export function selectIdentified(db: MirrorDb, values: readonly string[]) {
  return db.selectFrom('identifiers').select('return_id').where('value', 'in', values)
}

/** True if the filter is by refunds, which may not all be copied. */
export function filtersByRefunds({ refundedFromMs, refundedToMs }: MirrorFilter) {
  return refundedFromMs !== undefined || refundedToMs !== undefined
}

function isoText(ms: number | undefined) {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

async function withParts(db: MirrorDb, cells: readonly ReturnCells[]): Promise<Map<string, MirroredReturn>> {
  if (cells.length === 0) return new Map()
  const idsOf = (part: 'has_transports' | 'has_refunds') =>
    cells.filter((one) => one[part] !== null).map(({ id }) => id)
  const transports = await documentsOf<Transportation>(db, 'transports', idsOf('has_transports'))
  const refunds = await documentsOf<Refund>(db, 'refunds', idsOf('has_refunds'))
  return new Map(
    cells.map((one) => [
      one.id,
      {
        record: parseJson(one.document) as Return,
        transportations: one.has_transports === null ? undefined : (transports.get(one.id) ?? []),
        refunds: one.has_refunds === null ? undefined : (refunds.get(one.id) ?? []),
        syncedAt: one.synced_at,
      },
    ]),
  )
}

async function documentsOf<T>(
  db: MirrorDb,
  table: 'transports' | 'refunds',
  ids: readonly string[],
): Promise<Map<string, T[]>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom(table)
    .select(['return_id', 'document'])
    .where('return_id', 'in', ids)
    .orderBy('return_id')
    .orderBy('position')
    .execute()
  const ofReturn = [...grouped(rows, (row) => row.return_id)]
  return new Map(ofReturn.map(([id, some]) => [id, some.map(({ document }) => parseJson(document) as T)]))
}
