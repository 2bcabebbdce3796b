import { at } from '../../../wire/raw.ts'
import type { Return, ReturnLineItem } from '../../../wire/returns.ts'
import { lineItems, unitCount } from '../returns.result.ts'
import columns from './columns.json'

export interface ExportColumn {
  name: string
  kind: 'text' | 'number' | 'date'
  value(record: Return): unknown
}

export type WritePiece = (piece: Uint8Array | string) => void
/** Writes all records, one after another, without keeping them. Calls `onLost` for each value that the format can't hold. */
export type ExportWriter = (
  records: AsyncIterable<Return>,
  write: WritePiece,
  onLost: () => void,
) => Promise<void>

const COMPUTED: Readonly<Record<string, ExportColumn['value']>> = {
  lines: (record) => lineItems(record).length,
  units: unitCount,
  skus: joined(({ sku }) => sku),
  reasons: joined(({ returnReason }) => returnReason?.code),
  refund_types: joined(({ refundType }) => refundType),
  refund_modes: joined(({ refundMode }) => refundMode),
}

/** One row a return, the same in CSV, XLSX and Parquet; the names are those of the mirror's tables. */
export const EXPORT_COLUMNS: readonly ExportColumn[] = Object.entries(columns).map(
  ([name, [kind, ...path]]) => ({
    name,
    kind: kind as ExportColumn['kind'],
    value: COMPUTED[name] ?? ((record) => path.reduce<unknown>(at, record)),
  }),
)

function joined(partOf: (item: ReturnLineItem) => unknown): ExportColumn['value'] {
  return (record) =>
    [...new Set(lineItems(record).flatMap((item) => partOf(item) ?? []))].join(', ') || undefined
}
