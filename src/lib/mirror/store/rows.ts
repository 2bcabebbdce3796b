import { scanGapsOf } from '../../insight/stuck.ts'
import { stringifyJson } from '../../wire/json.ts'
import { plainDate, plainDecimal, plainText, returnKey } from '../../wire/plain.ts'
import { at, list } from '../../wire/raw.ts'
import { identifiersOf } from '../../wire/return-names.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'
import COLUMNS from './columns.json'
import type { MirroredReturn } from './read.ts'
import type { PARTS, RowOf } from './tables.ts'

type Table = keyof typeof COLUMNS

const READERS = { text: plainText, date: plainDate, decimal: plainDecimal }

/** Kind and path of each column. Columns without a path are filled in elsewhere. */
const PATHS = COLUMNS as unknown as Readonly<
  Record<Table, Record<string, [keyof typeof READERS, ...string[]]>>
>

function cellsOf<T extends Table>(table: T, record: unknown) {
  const cells = Object.entries(PATHS[table]).map(([column, [kind, ...path]]) => {
    const value = path.length > 0 ? path.reduce<unknown>(at, record) : undefined
    return [column, READERS[kind](value)]
  })
  return Object.fromEntries(cells) as Record<keyof (typeof COLUMNS)[T], string | null>
}

export function returnRow(record: Return): RowOf<'returns'> {
  const cells = cellsOf('returns', record)
  const own = { id: returnKey(record), synced_at: '', document: '', differs: 0 }
  return { ...cells, ...own, sort_key: cells.created_at ?? '' }
}

type PartRows = {
  [T in (typeof PARTS)[number]]: (one: Omit<MirroredReturn, 'syncedAt'>, returnId: string) => RowOf<T>[]
}

export const PART_ROWS: PartRows = {
  return_items: ({ record }, id) =>
    list(record.returnLineItems).map((item, position) => ({
      return_id: id,
      position,
      ...cellsOf('return_items', item),
    })),
  transports: ({ transportations = [] }, id) =>
    transportations.map((transport, position) => ({
      return_id: id,
      position,
      ...cellsOf('transports', transport),
      gap_minutes: scanGapsOf(transport).join(' ') || null,
      document: stringifyJson(transport),
    })),
  tracking_events: ({ transportations = [] }, id) =>
    transportations.flatMap((transport, transportPosition) =>
      list(transport.trackingEvents).map((event, position) => ({
        return_id: id,
        transport_position: transportPosition,
        position,
        ...cellsOf('tracking_events', event),
        transport_id: plainText(transport.id),
      })),
    ),
  refunds: ({ refunds = [] }, id) =>
    refunds.map((refund, position) => ({
      return_id: id,
      position,
      ...cellsOf('refunds', refund),
      document: stringifyJson(refund),
    })),
  identifiers: ({ record, transportations }, id) =>
    identifiersOf(record, transportations).map((value) => ({ value, return_id: id })),
}

export function deliveredAt(transports: readonly Transportation[]): string | null {
  const events = transports.flatMap(({ trackingEvents }) => list(trackingEvents))
  const arrivals = events.filter((event) => at(event, 'status') === 'SHIPPING_COMPLETED')
  const times = arrivals.map((event) => plainDate(at(event, 'date')) ?? '')
  return times.sort().at(-1) || null
}
