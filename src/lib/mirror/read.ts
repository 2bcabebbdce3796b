import type { Selectable } from 'kysely'
import { parseJson } from '../wire/json.ts'
import type { Refund } from '../wire/refunds.ts'
import type { Return } from '../wire/returns.ts'
import type { Transportation } from '../wire/transportations.ts'
import { normalIdentifier, readLabelId } from './identifiers.ts'
import type { MirroredReturn, MirrorFilter } from './record.ts'
import type { MirrorDb, MirrorTables } from './tables.ts'

const BLOCK_SIZE = 500
const COLUMNS = ['id', 'sort_key', 'synced_at', 'document', 'transports_version', 'refunds_version'] as const
type ReturnCells = Pick<Selectable<MirrorTables['returns']>, (typeof COLUMNS)[number]>

/** Those that are there, in the order asked for. */
export async function readByIds(db: MirrorDb, ids: readonly string[]): Promise<MirroredReturn[]> {
  const found = new Map<string, MirroredReturn>()
  for (let at = 0; at < ids.length; at += BLOCK_SIZE) {
    const wanted = ids.slice(at, at + BLOCK_SIZE)
    const cells = await db.selectFrom('returns').select(COLUMNS).where('id', 'in', wanted).execute()
    for (const [id, one] of await withParts(db, cells)) found.set(id, one)
  }
  return ids.flatMap((id) => found.get(id) ?? [])
}

/** Newest first. */
export async function readCandidates(db: MirrorDb, text: string): Promise<MirroredReturn[]> {
  const found = await identifiedBy(db, normalIdentifier(text))
  const label = found.length === 0 ? readLabelId(text) : undefined
  if (label === undefined) return found
  return (await identifiedBy(db, label.name)).filter(({ record, transportations = [] }) =>
    [record.activeTransportation, ...transportations].some((one) => String(one?.id) === label.transportId),
  )
}

async function identifiedBy(db: MirrorDb, value: string): Promise<MirroredReturn[]> {
  if (value === '') return []
  const cells = await db
    .selectFrom('returns')
    .select(COLUMNS)
    .where('id', 'in', (query) =>
      query.selectFrom('identifiers').select('return_id').where('value', '=', value),
    )
    .orderBy('sort_key', 'desc')
    .orderBy('id')
    .execute()
  return [...(await withParts(db, cells)).values()]
}

export async function* readEach(
  db: MirrorDb,
  filter: MirrorFilter,
): AsyncGenerator<MirroredReturn, void, undefined> {
  for (let last: ReturnCells | undefined; ; ) {
    const block = await nextBlock(db, filter, last)
    yield* (await withParts(db, block)).values()
    last = block.at(-1)
    if (block.length < BLOCK_SIZE) return
  }
}

/** By the keys of the last one, so that nothing is kept open and writes in between lose nothing. */
function nextBlock(
  db: MirrorDb,
  filter: MirrorFilter,
  last: ReturnCells | undefined,
): Promise<ReturnCells[]> {
  let query = filteredReturns(db, filter)
  if (last !== undefined) {
    const { id, sort_key: key } = last
    // The first condition is in the second; the index needs it said.
    query = query
      .where('sort_key', '<=', key)
      .where((is) => is.or([is('sort_key', '<', key), is('id', '>', id)]))
  }
  return query.select(COLUMNS).orderBy('sort_key', 'desc').orderBy('id').limit(BLOCK_SIZE).execute()
}

/** Conditions on columns that several tables have. */
function plainConditions(filter: MirrorFilter) {
  const { status, shop, createdFromMs, createdToMs, updatedFromMs, updatedToMs } = filter
  const conditions = [
    ['status', '=', status],
    ['shop_code', '=', shop],
    ['created_at', '>=', isoText(createdFromMs)],
    ['created_at', '<=', isoText(createdToMs)],
    ['updated_at', '>=', isoText(updatedFromMs)],
    ['updated_at', '<=', isoText(updatedToMs)],
  ] as const
  return conditions.flatMap(([column, operator, value]) =>
    value === undefined ? [] : [{ column, operator, value }],
  )
}

/** Those that pass, still without columns and order. */
export function filteredReturns(db: MirrorDb, filter: MirrorFilter) {
  const { name, order, refundedFromMs, refundedToMs } = filter
  let query = db.selectFrom('returns')
  for (const { column, operator, value } of plainConditions(filter)) {
    query = query.where(column, operator, value)
  }
  if (name !== undefined) query = query.where('name', '=', name)
  if (order !== undefined) {
    query = query.where((is) => is.or([is('order_id', '=', order), is('order_name', '=', order)]))
  }
  // Both are identifiers, too, of which there is an index.
  for (const value of [name ?? '', order ?? ''].map(normalIdentifier)) {
    if (value === '') continue
    query = query.where('id', 'in', (inner) =>
      inner.selectFrom('identifiers').select('return_id').where('value', '=', value),
    )
  }
  if (refundedFromMs === undefined && refundedToMs === undefined) return query
  return query.where('id', 'in', (inner) => {
    let refunds = inner.selectFrom('refunds').select('return_id').where('executed_at', 'is not', null)
    const [from, to] = [isoText(refundedFromMs), isoText(refundedToMs)]
    if (from !== undefined) refunds = refunds.where('executed_at', '>=', from)
    if (to !== undefined) refunds = refunds.where('executed_at', '<=', to)
    return refunds
  })
}

function isoText(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString()
}

/** By id, in the order of the cells. */
async function withParts(db: MirrorDb, cells: readonly ReturnCells[]): Promise<Map<string, MirroredReturn>> {
  const idsOf = (version: 'transports_version' | 'refunds_version') =>
    cells.filter((one) => one[version] !== null).map(({ id }) => id)
  const transports = await documentsOf<Transportation>(db, 'transports', idsOf('transports_version'))
  const refunds = await documentsOf<Refund>(db, 'refunds', idsOf('refunds_version'))
  return new Map(
    cells.map((one) => [
      one.id,
      {
        record: parseJson(one.document) as Return,
        transportations: one.transports_version === null ? undefined : (transports.get(one.id) ?? []),
        refunds: one.refunds_version === null ? undefined : (refunds.get(one.id) ?? []),
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
  const found = new Map<string, T[]>()
  if (ids.length === 0) return found
  const rows = await db
    .selectFrom(table)
    .select(['return_id', 'document'])
    .where('return_id', 'in', ids)
    .orderBy('return_id')
    .orderBy('position')
    .execute()
  for (const { return_id: id, document } of rows) {
    const list = found.get(id) ?? []
    found.set(id, list)
    list.push(parseJson(document) as T)
  }
  return found
}

/** Of the blocks that measures are sorted by: a quarter of a day. */
const BLOCK_MS = 21_600_000

export function blockOf(ms: number): number {
  return Math.floor(ms / BLOCK_MS)
}

/** Those that pass, still without columns and order. */
export function filteredMeasures(db: MirrorDb, filter: MirrorFilter) {
  const { name, order, createdFromMs, createdToMs, refundedFromMs, refundedToMs } = filter
  let query = db.selectFrom('return_measures')
  // The table is sorted by blocks.
  if (createdFromMs !== undefined) query = query.where('created_block', '>=', blockOf(createdFromMs))
  if (createdToMs !== undefined) query = query.where('created_block', '<=', blockOf(createdToMs))
  for (const { column, operator, value } of plainConditions(filter)) {
    query = query.where(column, operator, value)
  }
  const others = { name, order, refundedFromMs, refundedToMs }
  if (Object.values(others).every((one) => one === undefined)) return query
  return query.where('return_id', 'in', filteredReturns(db, others).select('id'))
}
