import type { View } from '../renderer.ts'

interface MappingRow {
  name: string
  /** Null for a ready-made one. */
  path: string | null
  source?: string | undefined
  columns: Readonly<Record<string, string>>
  statuses: Readonly<Record<string, string>>
  date?: { format: string; zone: string } | undefined
}

export const mappingView = {
  columns: [
    { name: 'name', header: 'NAME', value: (m) => m.name, identifies: true },
    {
      name: 'columns',
      header: 'COLUMNS',
      value: (m) =>
        Object.entries(m.columns)
          .map(([field, column]) => `${field}=${column}`)
          .join(', ') || 'told from each file',
      flexible: true,
    },
    { name: 'statuses', header: 'STATUSES', value: (m) => Object.keys(m.statuses).length, kind: 'number' },
    { name: 'date', header: 'DATES', value: (m) => m.date && `${m.date.format} (${m.date.zone})` },
    { name: 'path', header: 'FILE', value: (m) => m.path ?? 'ready-made', flexible: true },
  ],
  leastImportant: ['columns', 'date', 'statuses'],
  paths: [
    'name',
    'path',
    'version',
    'source',
    'sheet',
    'columns',
    'statuses',
    'date',
    'constants',
    'leaveOut',
    'looseNames',
    'commonWords',
    'detect',
  ],
  empty: 'No mappings; rma mappings init FILE makes one',
} satisfies View<MappingRow>

/** One by itself: with where it comes from. */
export const oneMappingView: View<MappingRow> = {
  ...mappingView,
  columns: [
    ...mappingView.columns,
    { name: 'source', header: 'SOURCE', value: (m) => m.source, flexible: true },
  ],
}

interface MappedRow {
  row: number
  /** Undefined for a row that can't be sent. */
  request?: {
    shipmentId: string
    trackingStatus: string
    trackingNumber?: string | null | undefined
    trackingDate?: string | null | undefined
  }
  problem?: string
  /** Of a row that is sent all the same. */
  warning?: string
}

export const mappedRowView: View<MappedRow> = {
  columns: [
    { name: 'row', header: 'ROW', value: (r) => r.row, kind: 'number' },
    { name: 'shipment', header: 'SHIPMENT', value: (r) => r.request?.shipmentId, identifies: true },
    {
      name: 'status',
      header: 'STATUS',
      value: (r) => r.request?.trackingStatus,
      words: 'transportStatus',
    },
    { name: 'number', header: 'NUMBER', value: (r) => r.request?.trackingNumber, identifies: true },
    { name: 'date', header: 'DATE', value: (r) => r.request?.trackingDate, kind: 'date' },
    { name: 'problem', header: 'PROBLEM', value: (r) => r.problem ?? r.warning, flexible: true },
  ],
  paths: ['row', 'request', 'problem', 'warning'],
  empty: 'No rows',
}
