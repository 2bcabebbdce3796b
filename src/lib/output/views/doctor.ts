import type { View } from '../renderer.ts'

interface ExaminedRow {
  id: string
  verdict: string
  observed: string
  remedies: readonly string[]
  durationMs: number
}

export const examinedView: View<ExaminedRow> = {
  columns: [
    { name: 'id', header: 'CHECK', value: (row) => row.id },
    { name: 'verdict', header: 'VERDICT', value: (row) => row.verdict },
    { name: 'observed', header: 'OBSERVED', value: (row) => row.observed, flexible: true },
  ],
  extra: [
    { name: 'remedies', header: 'TRY', value: (row) => row.remedies.join('; '), flexible: true },
    { name: 'ms', header: 'MS', value: (row) => row.durationMs, kind: 'number' },
  ],
  wraps: true,
  paths: ['id', 'verdict', 'observed', 'remedies', 'durationMs'],
  empty: 'No checks',
}
