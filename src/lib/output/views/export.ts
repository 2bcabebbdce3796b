import type { Section } from '../formats/details.ts'
import type { View } from '../renderer.ts'

/** What an export wrote. */
export interface ExportRow {
  file: string
  format: string
  records: number
  complete: boolean
  totalRecords: number | null
  counted: number
  until: string
  duplicatesRemoved: number
  goneMeanwhile: number
  bytes: number
  sha256: string
}

export const exportView: View<ExportRow> = {
  columns: [
    { name: 'file', header: 'FILE', value: (e) => e.file },
    { name: 'records', header: 'RECORDS', value: (e) => e.records, kind: 'number' },
    { name: 'complete', header: 'COMPLETE', value: (e) => (e.complete ? 'yes' : 'not proven') },
    { name: 'until', header: 'UNTIL', value: (e) => e.until, kind: 'date' },
    { name: 'bytes', header: 'BYTES', value: (e) => e.bytes, kind: 'number' },
  ],
  extra: [
    { name: 'total-records', header: 'TOTAL RECORDS', value: (e) => e.totalRecords, kind: 'number' },
    { name: 'counted', header: 'COUNTED', value: (e) => e.counted, kind: 'number' },
    { name: 'duplicates', header: 'DUPLICATES REMOVED', value: (e) => e.duplicatesRemoved, kind: 'number' },
    { name: 'gone', header: 'GONE MEANWHILE', value: (e) => e.goneMeanwhile, kind: 'number' },
    { name: 'sha256', header: 'SHA-256', value: (e) => e.sha256 },
  ],
  empty: 'Nothing was exported',
}

export function exportDetails(row: ExportRow): Section[] {
  const { file, records, complete, totalRecords, until, duplicatesRemoved, goneMeanwhile } = row
  const all = totalRecords === null ? 'the platform does not count' : `the platform counts ${totalRecords}`
  return [
    {
      fields: [
        { label: 'File', value: file },
        { label: 'Returns', value: `${records}, ${complete ? 'complete' : 'not proven complete'}` },
        { label: 'Compared', value: `${row.counted} here, ${all}` },
        { label: 'Created until', value: until, kind: 'date' },
        { label: 'Came twice', value: duplicatesRemoved === 0 ? undefined : `${duplicatesRemoved}, dropped` },
        { label: 'Gone meanwhile', value: goneMeanwhile === 0 ? undefined : `${goneMeanwhile}, left out` },
      ],
    },
  ]
}
